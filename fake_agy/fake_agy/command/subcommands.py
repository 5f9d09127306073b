"""The subcommands (contract.md 1.3)."""

from __future__ import annotations

from fake_agy.command.models import MODELS, listing
from fake_agy.turns.ending import Ending

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import NamedTuple

    from fake_agy.command.line import CommandLine
    from fake_agy.go.json import Json
    from fake_agy.profile.resolve import Profile
    from fake_agy.version import Version
else:
    from fake_agy.record import NamedTuple


class Subcommand(NamedTuple):
    """A subcommand; one without a description is not in the help."""

    since: Version
    about: str = ""


class Place(NamedTuple):
    """Where a call is made; `home` is None where HOME isn't set."""

    home: str | None
    cwd: str
    account: str
    env: Mapping[str, str]


SUBCOMMANDS = {
    "agent": Subcommand((1, 1, 1), "List available agents"),
    "agentapi": Subcommand((1, 0, 0)),
    "agents": Subcommand((1, 1, 1), "List available agents"),
    "changelog": Subcommand((1, 0, 0), "Show changelog and release notes"),
    "help": Subcommand((1, 0, 0), "Show help for subcommands"),
    "install": Subcommand((1, 0, 0), "Configure environment paths and shell settings"),
    "mcp": Subcommand((1, 1, 16), "Manage MCP servers (add, remove, list, enable, disable)"),
    "mic-serve": Subcommand((1, 1, 21)),
    "models": Subcommand((1, 0, 5), "List available models"),
    "plugin": Subcommand((1, 0, 0), "Manage plugins (install, uninstall, list, enable, disable)"),
    "plugins": Subcommand((1, 0, 0), "Alias for plugin"),
    "remote-control": Subcommand((1, 2, 0), "Manage the remote control daemon (start, status, stop)"),
    "update": Subcommand((1, 0, 0), "Update CLI"),
}
FETCHING = "Fetching available models...\n"
SIGNED_OUT = "Error: Please sign in to view available models. Launch the CLI without arguments to sign in.\n"


def is_subcommand(word: str, profile: Profile) -> bool:
    """Say whether a first left-over word is a subcommand of the version and not a stray prompt."""
    return word in SUBCOMMANDS and SUBCOMMANDS[word].since <= profile.version


def run(line: CommandLine, profile: Profile, place: Place) -> Ending:
    """Run the subcommand that `line` names; its output is whole in `Ending.out`."""
    name, *words = line.rest
    flags = [word for word in words if word.startswith("-")]
    if name == "help" or (flags and flags[0].lstrip("-") in {"h", "help"}):
        return Ending(out=_help(words[0] if name == "help" and words else name, profile))
    if flags and name not in {"install", "agentapi", "mcp"}:
        return _refused(flags[0])
    if name == "models":
        return _models(line, profile, place)
    if name in {"plugin", "plugins"}:
        return _plugin(words)
    if name == "mcp":
        from fake_agy.command.mcp import manage

        return manage(words, place.home)
    if name == "agentapi":
        return _agentapi(words, place)
    return _said(name, words)


def _help(name: str, profile: Profile) -> str:
    from fake_agy.command.help import help_text, subcommand_help

    if name == "help" or not is_subcommand(name, profile):
        return help_text(profile)
    return subcommand_help(name, SUBCOMMANDS[name].about or name)


def _refused(flag: str) -> Ending:
    """Refuse a flag that belongs in front of the subcommand."""
    name = flag.lstrip("-").partition("=")[0]
    return Ending(
        1, err=f"  -h      Show help\n  --help  Show help\nError: flags provided but not defined: -{name}\n"
    )


def _models(line: CommandLine, profile: Profile, place: Place) -> Ending:
    if place.account == "signed-out":
        return Ending(1, err=SIGNED_OUT)
    if profile["models-progress"] == "stderr":
        progress, before = FETCHING, ""
    else:
        progress, before = "", FETCHING
    output = line.last("output-format")
    if output not in {"json", "stream-json"}:
        return Ending(out=before + listing(profile), err=progress)
    from fake_agy.go.json import go_json
    from fake_agy.output.events import Command, Result
    from fake_agy.output.shapes import command_object, result_object
    from fake_agy.stores.step import Usage

    rows: list[Json] = [{"id": slug, "label": label} for slug, label in MODELS]
    command = Command("models", {"models": rows})
    result = Result("", "SUCCESS", listing(profile), Usage(), command=command)
    if output == "json":
        return Ending(out=f"{before}{go_json(result_object(result))}\n", err=progress)
    lines: tuple[dict[str, Json], ...] = (
        {"event": "command_result", "command": command_object(command)},
        {"event": "result", "result": result_object(result)},
    )
    return Ending(out=before + "".join([f"{go_json(each)}\n" for each in lines]), err=progress)


def _plugin(words: list[str]) -> Ending:
    if words[:1] == ["list"]:
        return Ending(out='{\n  "imports": []\n}\n')
    if not words:
        return Ending(1, err="Error: a plugin command is needed: install, uninstall, list, enable, disable\n")
    if words[0] in {"install", "uninstall", "enable", "disable", "validate", "link", "import"}:
        what = " ".join(words[1:]) or "nothing"
        return Ending(1, err=f"Error: plugin {words[0]}: {what} was not found\n")
    return Ending(1, err=f'Error: unknown plugin command "{words[0]}"\n')


def _agentapi(words: list[str], place: Place) -> Ending:
    """Answer agy's own children; what is said is this double's own."""
    from fake_agy.go.digest import uuid_of
    from fake_agy.go.json import go_json

    if words[:1] == ["get-conversation-metadata"] and len(words) == 2:
        fields: dict[str, Json] = {"conversationId": words[1], "workspaceUris": [f"file://{place.cwd}"]}
        return Ending(out=go_json(fields) + "\n")
    if words[:1] == ["new-conversation"] and len(words) > 1:
        return Ending(out=go_json({"conversationId": uuid_of("agentapi", words[-1])}) + "\n")
    if words[:1] == ["send-message"] and len(words) > 2:
        return Ending(out=go_json({"recipient": words[-2]}) + "\n")
    return Ending(1, err="Error: unknown agentapi command\n")


def _said(name: str, words: list[str]) -> Ending:
    """Answer the subcommands that only say something."""
    texts = {
        "agent": "default\n",
        "agents": "default\n",
        "changelog": "No release notes are cached.\n",
        "install": "Shell settings are up to date.\n",
        "update": "agy is up to date.\n",
        "mic-serve": "",
        "remote-control": "Remote control is not running.\n",
    }
    if name == "remote-control" and words[:1] not in ([], ["status"], ["stop"], ["start"]):
        return Ending(1, err=f'Error: unknown remote-control command "{words[0]}"\n')
    if name == "mic-serve":
        return Ending(1, err="Error: no microphone is available\n")
    return Ending(out=texts[name])
