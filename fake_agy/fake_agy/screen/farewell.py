"""What stands below a screen that was left: how to go on (contract.md 4.1)."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from fake_agy.profile.resolve import Profile


def farewell(conversation: str | None, project: str, profile: Profile) -> str:
    """Write the lines about resuming, whole ones; none where there was no conversation.

    That the oldest versions name the project is reported, their words are inferred.
    """
    if conversation is None:
        return ""
    command = f"agy --conversation={conversation}"
    form = profile["exit-lines"]
    if form == "two":
        return f"Resume with -c (or command below):\n{command}\n"
    if form == "one":
        return f"{command}\n"
    return f"Resume with: {command}\nResume in the same project ({project}): agy -c\n"
