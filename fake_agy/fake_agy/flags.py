"""agy's command line, read the way Go's flag package reads it (contract.md 1.2, 1.5)."""

import re
from collections.abc import Mapping, Sequence
from typing import Literal, NamedTuple

from fake_agy.version import Version

Kind = Literal["bool", "text", "duration"]


class Flag(NamedTuple):
    """One flag under its own name: what it takes, since which version, and its line in the usage text."""

    kind: Kind
    since: Version
    about: str


FLAGS: Mapping[str, Flag] = {
    "add-dir": Flag("text", (1, 0, 0), "Add a directory to the workspace (repeatable) (default [])"),
    "agent": Flag("text", (1, 1, 1), "Agent for the current CLI session"),
    "continue": Flag("bool", (1, 0, 0), "Continue the most recent conversation"),
    "conversation": Flag("text", (1, 0, 0), "Resume a previous conversation by ID"),
    "dangerously-skip-permissions": Flag(
        "bool", (1, 0, 0), "Auto-approve all tool permission requests without prompting"
    ),
    "disable-slash-commands": Flag("bool", (1, 1, 9), "Disable slash command expansion in print mode"),
    "effort": Flag("text", (1, 1, 5), "Reasoning effort for the current CLI session (low, medium, high)"),
    "input-format": Flag("text", (1, 1, 15), "Input format for print mode (text, stream-json)"),
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
    "remote-control": Flag("bool", (1, 2, 6), "Enable remote control for this session"),
    "sandbox": Flag("bool", (1, 0, 0), "Run in a sandbox with terminal restrictions enabled"),
    "version": Flag("bool", (1, 0, 0), "Print the version"),
}

ALIASES: Mapping[str, str] = {
    "c": "continue",
    "i": "prompt-interactive",
    "p": "print",
    "prompt": "print",
}

_TRUE = frozenset({"1", "t", "T", "TRUE", "true", "True"})
_FALSE = frozenset({"0", "f", "F", "FALSE", "false", "False"})
_DURATION = re.compile(r"[-+]?(?:0|(?:(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:ns|us|µs|ms|s|m|h))+)")

SWALLOW_REFUSED_SINCE: Version = (1, 1, 18)


class BadUsage(Exception):  # noqa: N818 - the name says whose fault it is
    """A command line agy refuses: `message` for stderr, and whether the usage text follows it; exit 2."""

    def __init__(self, message: str, *, show_usage: bool) -> None:
        super().__init__(message)
        self.message = message
        self.show_usage = show_usage


class CommandLine(NamedTuple):
    """A command line taken apart: every value of each flag in order, and what was left over."""

    values: Mapping[str, tuple[str, ...]]
    rest: tuple[str, ...] = ()
    help_asked: bool = False

    def last(self, name: str) -> str | None:
        """Give the value that counts where a flag came several times."""
        given = self.values.get(name)
        return given[-1] if given else None

    def on(self, name: str) -> bool:
        """Say whether a boolean flag is set."""
        return self.last(name) in _TRUE


def parse_command_line(argv: Sequence[str], version: Version) -> CommandLine:
    """Take `argv` (without the program's name) apart; `BadUsage` where this version of agy refuses it."""
    values: dict[str, tuple[str, ...]] = {}
    waiting = list(argv)
    while waiting and waiting[0].startswith("-") and waiting[0] != "-":
        token = waiting.pop(0)
        if token == "--":
            break
        typed, equals, attached = token.removeprefix("-").removeprefix("-").partition("=")
        if not typed or typed.startswith("-"):
            raise BadUsage(f"bad flag syntax: {token}", show_usage=True)
        if typed in {"h", "help"}:
            return CommandLine(values, tuple(waiting), help_asked=True)
        name = ALIASES.get(typed, typed)
        flag = FLAGS.get(name)
        if flag is None or flag.since > version:
            raise BadUsage(f"flags provided but not defined: -{typed}", show_usage=True)
        if flag.kind == "bool":
            value = attached if equals else "true"
        elif equals:
            value = attached
        elif waiting:
            value = waiting.pop(0)
            if name == "print":
                _refuse_swallowed(value, version)
        else:
            raise BadUsage(f"flag needs an argument: -{typed}", show_usage=True)
        _check(flag.kind, typed, value)
        values[name] = (*values.get(name, ()), value)
    return CommandLine(values, tuple(waiting))


def _check(kind: Kind, typed: str, value: str) -> None:
    if kind == "bool" and value not in _TRUE | _FALSE:
        # Two spaces: so captured at 1.1.18.
        raise BadUsage(
            f'invalid boolean value "{value}" for  -{typed}: '
            f'strconv.ParseBool: parsing "{value}": invalid syntax',
            show_usage=True,
        )
    if kind == "duration" and not _DURATION.fullmatch(value):
        raise BadUsage(
            f'invalid value "{value}" for flag -{typed}: time: invalid duration "{value}"', show_usage=True
        )


def _refuse_swallowed(value: str, version: Version) -> None:
    """Refuse a prompt flag that took another flag for its prompt; before 1.1.18 that flag was the prompt."""
    name = value.removeprefix("-").removeprefix("-").partition("=")[0]
    names_a_flag = value.startswith("-") and (name in FLAGS or name in ALIASES or name in {"h", "help"})
    if names_a_flag and version >= SWALLOW_REFUSED_SINCE:
        raise BadUsage(
            f'Error: --print took "{value}" as its prompt, so the intended prompt was left as an argument '
            f"and ignored.\nAttach the prompt to the flag (--print='your prompt') and move {value} "
            "elsewhere on the command line.",
            show_usage=False,
        )
