"""Stand-in until the module itself is written; replace the whole file."""

from fake_agy.turns.ending import Ending


def limit(asked, profile):
    return float(asked.rstrip("s")) if asked else None


def timed_out(profile, *, limit, partial, format):
    return Ending(1, "ERROR", "timeout waiting for response", err="Error: timeout waiting for response\n")
