"""Slash commands given to print mode: answered, refused, expanded, or left to the model (contract.md 1.7)."""

from __future__ import annotations

from fake_agy.turns.ending import Ending

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import NamedTuple

    from fake_agy.command.line import CommandLine
    from fake_agy.command.place import Place
    from fake_agy.go.json import Json
    from fake_agy.profile.resolve import Profile
else:
    from fake_agy.record import NamedTuple

READ_ONLY = ("usage", "credits", "model", "effort", "skills")
"""Answered by the first versions that answer any."""

MORE = ("permissions", "hooks", "help", "config", "changelog")
"""Answered by later ones too."""

SAME_AS = {"quota": "usage", "settings": "config"}

EXPANDED = ("browser", "codesearch", "cs", "goal", "grill-me", "plan", "schedule", "search")
"""Given to the model with agy's own words around them."""

INSTEAD = {
    **dict.fromkeys(("resume", "switch", "conversation"), "use --conversation or --continue"),
    **dict.fromkeys(("clear", "new"), "leave out --conversation and --continue"),
    **dict.fromkeys(("agents",), "use agy agents"),
    **dict.fromkeys(("mcp",), "use agy mcp"),
    **dict.fromkeys(("plugin",), "use agy plugin"),
    **dict.fromkeys(("add-dir",), "use --add-dir"),
    **dict.fromkeys(("remote-control",), "use agy remote-control"),
    **dict.fromkeys(("login", "logout"), "run agy without arguments"),
}
"""What to do instead of some commands of terminal sessions; the words are this double's own."""

FOR_TERMINALS = (
    *INSTEAD,
    *("artifact", "branch", "btw", "context", "copy", "diff", "exit", "feedback", "fork", "keybindings"),
    *("open", "quit", "rename", "rewind", "statusline", "tasks", "title", "undo", "voice"),
)


class SlashAnswer(NamedTuple):
    """How the call ends, and its parts for all formats: the command's name, its data, its text."""

    ending: Ending
    name: str
    data: Json
    """None where there is no answer."""

    response: str


def answer(prompt: str, line: CommandLine, profile: Profile, place: Place) -> SlashAnswer | None:
    """Answer or refuse a prompt that begins with a slash; None where the model is to read it."""
    words = prompt.split()
    if line.on("disable-slash-commands") or not words:
        return None
    typed = words[0].removeprefix("/")
    quiet = line.last("output-format") in {"json", "stream-json"}
    if answered_locally(words[0], profile):
        if len(words) > 1:
            return _failed(typed, f"/{typed} takes no arguments", profile, quiet=quiet)
        from fake_agy.command.slash_answers import known

        said = known(SAME_AS.get(typed, typed), line, profile, place)
        if isinstance(said, str):
            return _failed(typed, f"/{typed} failed: {said}", profile, quiet=quiet)
        data, response = said
        return SlashAnswer(Ending(), SAME_AS.get(typed, typed), data, response)
    if typed in FOR_TERMINALS and profile["slash-commands"] in {"read-only", "more"}:
        instead = f"{INSTEAD[typed]}, or " if typed in INSTEAD else ""
        text = (
            f"/{typed} is only available in an interactive session; {instead}"
            f"pass --disable-slash-commands to send /{typed} to the model as literal text"
        )
        return SlashAnswer(Ending(2, err=f"{profile['error-marker']}: {text}\n"), typed, None, "")
    return None


def answered_locally(word: str, profile: Profile) -> bool:
    """Say whether the version answers a word such as ``/usage`` by itself."""
    typed, level = word.removeprefix("/"), profile["slash-commands"]
    name = SAME_AS.get(typed, typed)
    return (name in READ_ONLY and level in {"read-only", "more"}) or (name in MORE and level == "more")


def expansions(
    prompt: str, line: CommandLine, profile: Profile, place: Place
) -> tuple[Mapping[str, str], ...]:
    """Name the commands and skills that a prompt is expanded by, as a stream's init lists them.

    That a skill's type is ``skill`` is inferred.
    """
    words = prompt.split(maxsplit=1)
    if profile["slash-commands"] == "text" or line.on("disable-slash-commands"):
        return ()
    if not words or not words[0].startswith("/"):
        return ()
    name = words[0].removeprefix("/")
    if name in EXPANDED:
        return ({"name": name, "type": "system"},)
    from fake_agy.command.slash_answers import skills

    return ({"name": name, "type": "skill"},) if name in skills(place) else ()


def _failed(name: str, text: str, profile: Profile, *, quiet: bool) -> SlashAnswer:
    err = "" if quiet else f"{profile['error-marker']}: {text}\n"
    return SlashAnswer(Ending(1, "ERROR", text, err=err), name, None, "")
