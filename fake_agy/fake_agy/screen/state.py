"""What a screen shows, as data: a conversation in blocks, what is typed, a card that waits for an answer."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import NamedTuple
else:
    from fake_agy.record import NamedTuple


class Block(NamedTuple):
    """One piece of the conversation: a prompt, an answer, a thought, a tool, a note or a plain text."""

    kind: str
    text: str
    running: bool = False
    result: str = ""
    """What a tool came to."""


class Choice(NamedTuple):
    """One answer to a card; typing `key` gives it at once."""

    value: str
    label: str
    key: str


class Card(NamedTuple):
    """A question that takes all keys until it is answered."""

    kind: str
    lines: tuple[str, ...]
    choices: tuple[Choice, ...] = ()
    at: int = 0
    """Which choice Enter gives."""

    cancel: str | None = None
    """What Esc and Ctrl-C give; None where they do nothing."""

    hints: tuple[str, ...] = ()
    entry: str | None = None
    """What is typed into it, None for a card of choices."""

    form: str = "numbered"
    """How choices are listed: numbered, bare, or in one row."""


class Screen(NamedTuple):
    """All of a screen but its size."""

    banner: tuple[str, ...] = ()
    model: str = ""
    mode: str | None = None
    blocks: tuple[Block, ...] = ()
    typed: str = ""
    waiting: tuple[str, ...] = ()
    """Prompts that were sent and have not had their turn."""

    busy: bool = False
    ticks: int = 0
    card: Card | None = None
    again: str = ""
    """The key that exits if it is pressed again, empty where none does."""

    expanded: bool = False
    helping: bool = False
    commands: tuple[str, ...] = ()
    """The slash commands that the list behind a slash offers."""

    grouped: bool = False
    """Whether tools in a row are shown as one line."""

    exits_at_once: bool = False
    """Whether one Ctrl-C exits."""


def suggestions(screen: Screen) -> tuple[str, ...]:
    """Give the commands that what is typed may become; none once it has more than one word."""
    typed = screen.typed
    if not typed.startswith("/") or typed != "".join(typed.split()):
        return ()
    return tuple(each for each in screen.commands if each.startswith(typed))
