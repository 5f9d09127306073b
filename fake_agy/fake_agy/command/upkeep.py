"""Subcommands that look after agy itself; what they print is this double's own (contract.md 1.3)."""

from __future__ import annotations

from fake_agy.turns.ending import Ending

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from fake_agy.profile.resolve import Profile


def upkeep(name: str, words: Sequence[str], profile: Profile) -> Ending:
    """Answer changelog, install, update, mic-serve and remote-control; nothing is changed anywhere."""
    version = ".".join(map(str, profile.version))
    if name == "changelog":
        return Ending(out=changelog(profile))
    if name == "install":
        return Ending(out="Environment paths and shell settings are already configured.\n")
    if name == "update":
        return Ending(out=f"Antigravity CLI {version} is up to date.\n")
    if name == "mic-serve":
        return Ending(1, err="Error: no microphone is available\n")
    verb = words[0] if words else ""
    if verb == "status":
        return Ending(out="Remote control is not running.\n")
    if verb == "stop":
        return Ending(1, err="Error: remote control is not running\n")
    if verb == "start":
        return Ending(1, err="Error: remote control can't be started without a network\n")
    return Ending(1, err=f'Error: unknown remote-control command "{verb}" (valid: start, status, stop)\n')


def changelog(profile: Profile) -> str:
    """Write the release notes that lie in the cache: those of the version that runs."""
    return f"{'.'.join(map(str, profile.version))}\n  - Improvements and bug fixes\n"
