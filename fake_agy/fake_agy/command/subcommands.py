"""The subcommands: which one a call names, and what it answers (contract.md 1.3)."""

from __future__ import annotations

from fake_agy.command.help import flag_rows, help_text, subcommand_help
from fake_agy.command.place import Place
from fake_agy.command.subcommand_table import SUBCOMMANDS, is_subcommand
from fake_agy.go.flags import BadFlag, parse_flags
from fake_agy.turns.ending import Ending

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import NamedTuple

    from fake_agy.command.line import CommandLine
    from fake_agy.go.json import Json
    from fake_agy.profile.resolve import Profile
else:
    from fake_agy.record import NamedTuple

__all__ = ["Answer", "Place", "is_subcommand", "run"]


class Answer(NamedTuple):
    """What a subcommand says: whole texts in `ending`, and its parts where it has a form in JSON."""

    ending: Ending
    name: str = ""
    data: Json = None
    """None where json and text are the same."""

    response: str = ""
    progress: str = ""
    """What stands on stdout before the answer, in every format."""


def run(line: CommandLine, profile: Profile, place: Place) -> Answer:
    """Run the subcommand that `line` names; `OSError` where files can't be written."""
    name, *words = line.rest
    kinds = {flag: each.kind for flag, each in SUBCOMMANDS[name].flags.items()}
    try:
        parsed = parse_flags(words, kinds)
    except BadFlag as bad:
        return Answer(Ending(1, err=f"{flag_rows(name)}Error: {bad}\n"))
    if parsed.help_asked:
        return Answer(Ending(out=subcommand_help(name)))
    if name == "models":
        return _models(profile, place)
    return Answer(_ending(name, parsed.rest, profile, place))


def _ending(name: str, words: Sequence[str], profile: Profile, place: Place) -> Ending:
    """Run one that only prints text."""
    if name == "help":
        if words and is_subcommand(words[0], profile):
            return Ending(out=subcommand_help(words[0]))
        return Ending(out=help_text(profile))
    if name in {"plugin", "plugins"}:
        from fake_agy.command.plugins import plugins

        return plugins(words, place)
    if name == "mcp":
        from fake_agy.command.mcp import mcp

        return mcp(words, place.home)
    if name == "agentapi":
        from fake_agy.command.agentapi import agentapi

        return agentapi(words, profile, place)
    if name in {"agent", "agents"}:
        from fake_agy.command.agents import agents

        return Ending(out="".join([f"{each}\n" for each in agents(place.home, place.cwd)]))
    from fake_agy.command.upkeep import upkeep

    return upkeep(name, words, profile)


def _models(profile: Profile, place: Place) -> Answer:
    if place.account == "signed-out":
        text = (
            "Error: Please sign in to view available models. Launch the CLI without arguments to sign in.\n"
        )
        return Answer(Ending(1, err=text))
    from fake_agy.command.models import catalogue, listing

    fetching = "Fetching available models...\n"
    said = listing(profile)
    rows: list[Json] = [{"id": each.slug, "label": each.label} for each in catalogue(profile)]
    if profile["models-progress"] == "stderr":
        return Answer(Ending(err=fetching), "models", {"models": rows}, said)
    return Answer(Ending(), "models", {"models": rows}, said, fetching)
