"""Every flag agy has had: what it takes, since when, and its line in the help (contract.md 1.2, 1.4)."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import NamedTuple

    from fake_agy.go.flags import Kind
    from fake_agy.profile.resolve import Profile
    from fake_agy.version import Version
else:
    from fake_agy.record import NamedTuple


class Flag(NamedTuple):
    """One flag under its own name."""

    kind: Kind
    since: Version
    about: str


FLAGS: dict[str, Flag] = {
    "add-dir": Flag("text", (1, 0, 0), "Add a directory to the workspace (repeatable) (default [])"),
    "agent": Flag("text", (1, 1, 1), "Agent for the current CLI session"),
    "continue": Flag("bool", (1, 0, 0), "Continue the most recent conversation"),
    "conversation": Flag("text", (1, 0, 0), "Resume a previous conversation by ID"),
    "dangerously-skip-permissions": Flag(
        "bool", (1, 0, 0), "Auto-approve all tool permission requests without prompting"
    ),
    "disable-slash-commands": Flag("bool", (1, 1, 9), "Disable slash command expansion in print mode"),
    "effort": Flag("text", (1, 1, 5), "Reasoning effort for the current CLI session (low, medium, high)"),
    "input-format": Flag(
        "text",
        (1, 1, 15),
        "Input format for print mode (text, stream-json). stream-json reads one NDJSON message per line from "
        "stdin and runs a turn for each; it requires --output-format stream-json",
    ),
    "json-schema": Flag("text", (1, 1, 8), "JSON schema for structured output in print mode"),
    "log-file": Flag("text", (1, 0, 0), "Override CLI log file path"),
    "mode": Flag("text", (1, 1, 0), "Set the agent execution mode for this session (accept-edits, plan)"),
    "model": Flag("text", (1, 0, 5), "Model for the current CLI session"),
    "new-project": Flag("bool", (1, 0, 12), "Create a new project for this session"),
    "output-format": Flag("text", (1, 1, 8), "Output format for print mode (text, json, stream-json)"),
    "print": Flag("text", (1, 0, 0), "Run a single prompt non-interactively and print the response"),
    "print-timeout": Flag("duration", (1, 0, 0), "Timeout for print mode wait"),
    "project": Flag("text", (1, 0, 12), "Project ID for the current CLI session"),
    "prompt-interactive": Flag(
        "text", (1, 0, 0), "Run an initial prompt interactively and continue the session"
    ),
    "remote-control": Flag("bool", (1, 1, 19), "Enable remote control for this session"),
    "sandbox": Flag("bool", (1, 0, 0), "Run in a sandbox with terminal restrictions enabled"),
    "version": Flag("bool", (1, 0, 0), "Print the version"),
}

ALIASES: dict[str, str] = {
    "c": "continue",
    "i": "prompt-interactive",
    "p": "print",
    "prompt": "print",
}

_BY_PROFILE = {"version": "version-flag", "remote-control": "remote-control-flag"}
"""Flags of which a behaviour says whether they are there."""


def flags_of(profile: Profile) -> dict[str, Flag]:
    """Give the flags a version knows, under their own names."""
    return {name: flag for name, flag in FLAGS.items() if _is_known(name, flag, profile)}


def listed_flags(profile: Profile) -> dict[str, Flag]:
    """Give those that the version's help tells of; captures of it don't list --version."""
    known = flags_of(profile)
    known.pop("version", None)
    if profile["remote-control-flag"] == "hidden":
        del known["remote-control"]
    return known


def _is_known(name: str, flag: Flag, profile: Profile) -> bool:
    if name in _BY_PROFILE:
        return profile[_BY_PROFILE[name]] not in {False, "none"}
    return flag.since <= profile.version
