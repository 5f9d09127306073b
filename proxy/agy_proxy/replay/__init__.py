"""Replay: a cassette compiled into a play file, play counts, and calls that no recording answers."""
