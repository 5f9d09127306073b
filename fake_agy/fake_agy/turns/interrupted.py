"""Stand-in until the module itself is written; replace the whole file."""

from fake_agy.turns.ending import Ending


def on_signal(n, state, profile, format):
    return Ending(1, "ERROR", "timeout waiting for response")
