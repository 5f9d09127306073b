"""agy on a terminal."""
