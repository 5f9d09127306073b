"""Slash commands given to print mode (contract.md 1.7)."""

from __future__ import annotations

from fake_agy.command.models import DEFAULT, label_of
from fake_agy.turns.ending import Ending

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import NamedTuple

    from fake_agy.command.line import CommandLine
    from fake_agy.command.subcommands import Place
    from fake_agy.go.json import Json
    from fake_agy.profile.resolve import Profile
else:
    from fake_agy.record import NamedTuple

READ_ONLY = ("usage", "quota", "credits", "model", "effort", "skills")
"""Answered without a turn by the first versions that answer any."""

MORE = ("permissions", "hooks", "help", "config", "changelog")
"""Answered without a turn by later ones too."""

FOR_PEOPLE = (
    *(
        "add-dir",
        "agents",
        "artifact",
        "branch",
        "browser",
        "btw",
        "clear",
        "copy",
        "diff",
        "exit",
        "feedback",
    ),
    *("fork", "keybindings", "login", "logout", "mcp", "new", "open", "quit", "rename", "resume", "rewind"),
    *("settings", "statusline", "switch", "tasks", "title", "undo", "voice"),
)
NO_CREDITS = "/credits failed: retrieving credits: no credits info found"


class SlashAnswer(NamedTuple):
    """What is said, and its parts for json: the command's name, its data, its text."""

    ending: Ending
    name: str
    data: Json
    response: str


def answer(prompt: str, line: CommandLine, profile: Profile, place: Place) -> SlashAnswer | None:
    """Answer a prompt that begins with a slash; None where the model is to read it."""
    if line.on("disable-slash-commands"):
        return None
    word, *rest = prompt.split()
    name = word.removeprefix("/")
    if answered_locally(word, profile):
        if rest:
            text = f"/{name} takes no arguments"
            return _failed(name, text)
        if name == "credits" or place.account == "signed-out":
            return _failed(name, NO_CREDITS if name == "credits" else f"/{name} failed: not signed in")
        data, said = _known(name, profile)
        return SlashAnswer(Ending(out=said), name, data, said)
    if name in FOR_PEOPLE and profile["slash-commands"] in {"read-only", "more"}:
        text = (
            f"Error: /{name} is only available in an interactive session; pass --disable-slash-commands to "
            f"send /{name} to the model as literal text\n"
        )
        return SlashAnswer(Ending(2, err=text), name, None, "")
    return None


def answered_locally(word: str, profile: Profile) -> bool:
    """Say whether the version answers a word such as ``/usage`` by itself."""
    name, level = word.removeprefix("/"), profile["slash-commands"]
    return (name in READ_ONLY and level in {"read-only", "more"}) or (name in MORE and level == "more")


def _failed(name: str, text: str) -> SlashAnswer:
    return SlashAnswer(Ending(1, "ERROR", text, err=f"Error: {text}\n"), name, None, "")


def _known(name: str, profile: Profile) -> tuple[Json, str]:
    if name in {"usage", "quota"}:
        groups = {"Gemini Models": "99%", "Claude and GPT Models": "100%"}
        rows: list[Json] = [{"group": group, "weekly_remaining": left} for group, left in groups.items()]
        said = "".join([f"{group}\tWeekly Limit Remaining\t{left}\n" for group, left in groups.items()])
        return {"groups": rows}, said
    if name in {"model", "effort"}:
        effort = DEFAULT.rpartition("-")[2]
        data: Json = {"id": DEFAULT, "label": label_of(DEFAULT), "effort": effort, "is_default": True}
        return data, f"{DEFAULT}\t{label_of(DEFAULT)}\t{effort}\n" if name == "model" else f"{effort}\n"
    if name == "help":
        from fake_agy.command.help import help_text

        return {}, help_text(profile)
    empty = {"skills": "No skills found.", "hooks": "No hooks configured.", "config": "No settings changed."}
    return {}, f"{empty.get(name, 'Nothing to show.')}\n"
