"""``--print-timeout``: how long a turn may take, and what comes of one that took longer (contract.md 2.6)."""

from __future__ import annotations

from fake_agy.go.duration import go_duration, parse_duration
from fake_agy.turns.ending import Ending

TYPE_CHECKING = False
if TYPE_CHECKING:
    from fake_agy.profile.resolve import Profile

POLLS_A_SECOND = 5


def limit(asked: str | None, profile: Profile) -> float | None:
    """Give the seconds that a turn may take, None for no limit; `asked` is a duration in Go's form."""
    if asked is None:
        return float(profile["print-timeout"]) or None
    seconds = parse_duration(asked)
    if seconds > 0:
        return seconds
    return None if seconds == 0 and profile["zero-timeout"] == "unlimited" else 0.0


def timed_out(profile: Profile, *, limit: float, partial: str, format: str) -> Ending:  # noqa: A002 - the flag's word
    """End a turn whose time is up; `partial` is what it had said by then."""
    contract = profile["timeout-contract"]
    polls = f"Print mode: timed out after {round(limit * POLLS_A_SECOND)} polls (printed={len(partial)})"
    log = (("W", "printmode.go:388", polls),)
    if contract == "stdout":
        return Ending(
            0,
            "ERROR",
            "timed out waiting for response",
            out="Error: timed out waiting for response\n",
            log=log,
        )
    if contract == "partial":
        after = go_duration(limit)
        note = f"[agy] print timeout after {after} with turn in progress; returning partial output\n"
        return Ending(err=note, log=log)
    text = "timeout waiting for response"
    return Ending(1, "ERROR", text, err=f"Error: {text}\n" if format == "text" else "", log=log)
