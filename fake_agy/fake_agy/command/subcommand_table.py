"""Every subcommand agy has had: since when, its line in the help, its flags (contract.md 1.3, 1.4)."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import NamedTuple

    from fake_agy.go.flags import Kind
    from fake_agy.profile.resolve import Profile
    from fake_agy.version import Version
else:
    from fake_agy.record import NamedTuple


class SubcommandFlag(NamedTuple):
    """A flag that stands behind a subcommand."""

    kind: Kind
    about: str


class Subcommand(NamedTuple):
    """One subcommand; `listed` says whether the help tells of it."""

    since: Version
    about: str
    flags: Mapping[str, SubcommandFlag] = {}
    listed: bool = True


SUBCOMMANDS: dict[str, Subcommand] = {
    "agent": Subcommand((1, 1, 1), "List available agents"),
    "agentapi": Subcommand((1, 0, 0), "Call the API that agents use", listed=False),
    "agents": Subcommand((1, 1, 1), ""),
    "changelog": Subcommand((1, 0, 0), "Show changelog and release notes"),
    "help": Subcommand((1, 0, 0), "Show help for subcommands"),
    "install": Subcommand(
        (1, 0, 0),
        "Configure environment paths and shell settings",
        {
            "dir": SubcommandFlag("text", "Directory that holds the executable"),
            "skip-aliases": SubcommandFlag("bool", "Do not add shell aliases"),
            "skip-path": SubcommandFlag("bool", "Do not change PATH"),
        },
    ),
    "mcp": Subcommand((1, 1, 16), "Manage MCP servers (add, remove, list, enable, disable)"),
    "mic-serve": Subcommand((1, 1, 21), "Serve the microphone for voice input"),
    "models": Subcommand((1, 0, 5), "List available models"),
    "plugin": Subcommand((1, 0, 0), "Manage plugins (install, uninstall, list, enable, disable)"),
    "plugins": Subcommand((1, 0, 0), "Alias for plugin"),
    "remote-control": Subcommand((1, 2, 0), "Manage remote control (start, status, stop)"),
    "update": Subcommand((1, 0, 0), "Update CLI"),
}


def is_subcommand(word: str, profile: Profile) -> bool:
    """Say whether a first left-over word is a subcommand of the version and not a stray prompt."""
    if word == "agentapi":
        return bool(profile["agentapi"])
    return word in SUBCOMMANDS and SUBCOMMANDS[word].since <= profile.version


def listed_subcommands(profile: Profile) -> dict[str, Subcommand]:
    """Give those that the version's help tells of."""
    return {name: each for name, each in SUBCOMMANDS.items() if each.listed and is_subcommand(name, profile)}
