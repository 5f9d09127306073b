"""How a turn that nothing cut short ends, and what of its text its caller gets (contract.md 3.1, 5.1)."""

from __future__ import annotations

from fake_agy.turns.ending import Ending

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import NamedTuple

    from fake_agy.profile.resolve import Profile
else:
    from fake_agy.record import NamedTuple


class Denied(NamedTuple):
    """A tool that was not allowed: the permission it needed, its name for people, and what the step says."""

    action: str
    display_name: str
    message: str
    target: str = ""
    """What the tool would touch: a command, a file, a URL."""


def concluded(
    said: str,
    denied: Sequence[Denied],
    tool_error: str | None,
    old_error: str | None,
    profile: Profile,
) -> Ending:
    """End a turn whose moves are all played.

    `tool_error` is the first error of a tool or denial, `old_error` what an earlier turn of the conversation
    failed by.
    """
    if denied and not said:
        status = str(profile["denied-without-text"])
        return Ending(status=status, err=_notice(denied[0].action))
    if old_error is not None and profile["historical-error"]:
        return Ending(exit=1, status="ERROR", error=old_error)
    if tool_error is not None and profile["tool-error-status"] == "ERROR":
        return Ending(exit=int(profile["tool-error-exit"]), status="ERROR", error=tool_error)
    return Ending()


def shown_response(said: str, ending: Ending, profile: Profile, *, complete: bool) -> str:
    """Give the response that json shows of a turn; one cut short keeps its text by version."""
    if complete or ending.status == "SUCCESS" or profile["partial-response"]:
        return said
    return ""


def denied_objects(denied: Sequence[Denied], profile: Profile) -> tuple[dict[str, str], ...]:
    """Give ``denied_actions``, each kind of action once."""
    if not profile["denied-actions"]:
        return ()
    kinds = dict.fromkeys((each.action, each.display_name) for each in denied)
    return tuple({"action": action, "display_name": name} for action, name in kinds)


def _notice(action: str) -> str:
    """Write the line on stderr of a turn that came to nothing for want of a permission."""
    return (
        f'jetski: no output produced — a tool required the "{action}" permission that headless mode cannot '
        "prompt for, so it was auto-denied. Add an allow-rule under permissions.allow in settings.json "
        f"(e.g. {action}(<target>)). Alternatively, re-run with --dangerously-skip-permissions to "
        "auto-approve all tools.\n"
    )
