"""Slash commands in an interactive session (contract.md 7.2)."""

from __future__ import annotations

from fake_agy.command.models import catalogue, choose_on_screen
from fake_agy.command.place import Place
from fake_agy.command.slash import EXPANDED, FOR_TERMINALS, MORE, READ_ONLY, SAME_AS
from fake_agy.command.slash_answers import known, skills
from fake_agy.screen import past
from fake_agy.screen.cards import list_card
from fake_agy.screen.state import Block

TYPE_CHECKING = False
if TYPE_CHECKING:
    from fake_agy.screen.session import Session

_ANSWERED = (*READ_ONLY, *MORE, *SAME_AS)


def offered() -> tuple[str, ...]:
    """Name the commands that the list behind a slash offers."""
    return tuple(sorted(f"/{name}" for name in {*_ANSWERED, *EXPANDED, *FOR_TERMINALS}))


def is_prompt(session: Session, text: str) -> bool:
    """Say whether a text is for the model: no command, or one that is expanded for it."""
    if not text.startswith("/"):
        return True
    name = _name(text)
    return name in EXPANDED or name in skills(_place(session))


def obey(session: Session, text: str) -> None:
    """Do what a slash command says."""
    name, argument = _name(text), text.partition(" ")[2].strip()
    if name in {"exit", "quit"}:
        session.view.leaving = True
    elif name in {"clear", "new"}:
        session.begin_anew()
    elif name in {"resume", "switch", "conversation"}:
        _resume(session)
    elif name == "model":
        _model(session, argument)
    elif name in _ANSWERED:
        said = known(SAME_AS.get(name, name), session.line, session.stage.profile, _place(session))
        session.say(Block("warning", said) if isinstance(said, str) else Block("plain", said[1]))
    elif name in FOR_TERMINALS:
        session.say(Block("note", f"/{name} does nothing in this double"))
    else:
        session.say(Block("note", f"Unknown command: /{name}"))


def _resume(session: Session) -> None:
    """Let somebody choose a conversation and go on with it."""
    rows = past.conversations(session.stage.layout)
    if not rows:
        session.say(Block("note", "No conversations found."))
        return
    chosen = session.view.ask(list_card("resume", "Resume a conversation:", rows))
    if chosen:
        session.go_on_with(chosen)


def _model(session: Session, asked: str) -> None:
    """Change the model, to the one named or to one chosen from the list."""
    profile = session.stage.profile
    if not asked:
        rows = [(each.label, each.label) for each in catalogue(profile)]
        asked = session.view.ask(list_card("model", "Select a model:", rows))
    if not asked:
        return
    chosen = choose_on_screen(asked, None, profile)
    session.use_model(chosen)
    if chosen.warning:
        session.say(Block("warning", chosen.warning))
    else:
        session.say(Block("note", f"Model: {chosen.label}"))


def _name(text: str) -> str:
    return text.split()[0].removeprefix("/")


def _place(session: Session) -> Place:
    world = session.stage.world
    account = str(session.stage.profile["account"])
    return Place(world.home, world.cwd, account, world.env, world.clock.now(), terminal=True)
