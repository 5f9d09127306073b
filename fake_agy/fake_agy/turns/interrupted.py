"""What SIGINT and SIGTERM do, by what the process is doing (contract.md 6.2)."""

from __future__ import annotations

from fake_agy.turns.ending import Ending

TYPE_CHECKING = False
if TYPE_CHECKING:
    from fake_agy.profile.resolve import Profile

SIGINT = 2


def on_signal(number: int, state: str, profile: Profile, format: str) -> Ending | str:  # noqa: A002 - the flag's word
    """Say how the call ends, or "ignore"; `state` is one that `Stage.on` notes."""
    if state == "stream-idle":
        return Ending()
    if state == "stream-turn":
        text = str(profile["interrupted-stream"])
        said = f"error: {text}\n" if text == "interrupted" else ""
        return Ending(1, "ERROR", text, err=said)
    if state == "starting" and number == SIGINT:
        return "ignore"
    text = str(profile["interrupted-turn"])
    return Ending(1, "ERROR", text, err=f"Error: {text}\n" if format == "text" else "")
