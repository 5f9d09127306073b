"""Where things lie below a HOME (stores.md 1)."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import NamedTuple
else:
    from fake_agy.record import NamedTuple


class Layout(NamedTuple):
    """One HOME: agy's own root below it, and `own`, the double's progress outside of that."""

    home: str
    root: str
    own: str


def layout_of(home: str) -> Layout:
    """Name the places below a HOME; nothing is made yet."""
    return Layout(home, f"{home}/.gemini/antigravity-cli", f"{home}/.fake-agy")


def brain(layout: Layout, conversation: str) -> str:
    """Name the folder of one conversation's files."""
    return f"{layout.root}/brain/{conversation}"


def generated(layout: Layout, conversation: str) -> str:
    """Name the folder of what agy itself writes about one conversation."""
    return f"{brain(layout, conversation)}/.system_generated"


def logs(layout: Layout, conversation: str) -> str:
    """Name the folder of one conversation's transcripts."""
    return f"{generated(layout, conversation)}/logs"


def database_path(layout: Layout, conversation: str) -> str:
    """Name one conversation's database."""
    return f"{layout.root}/conversations/{conversation}.db"
