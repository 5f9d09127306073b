"""What the answers of the double must show of a conversation: its turn, what was said, what it was told."""

from collections.abc import Iterable, Mapping
from typing import Any, TypeVar

from tests.clients.place import FailedError

T = TypeVar("T")
UNKNOWN = "11111111-2222-4333-8444-555555555555"
"""A conversation that no store holds."""

NOT_FOUND = f'warning: conversation "{UNKNOWN}" not found'
TOLD = "Remember the word heron."


def fresh(facts: Mapping[str, Any]) -> None:
    """The first turn of a conversation."""
    _holds(facts["text"], "turn 1", TOLD)


def resumed(facts: Mapping[str, Any], *, turn: int = 2) -> None:
    """A later turn, which knows what the first was told."""
    _holds(facts["text"], f"turn {turn}", "Earlier you told me", TOLD)


def forgetful(facts: Mapping[str, Any]) -> None:
    """A first turn that was told nothing before."""
    _holds(facts["text"], "turn 1")
    if "heron" in facts["text"]:
        raise FailedError(f"a new conversation knows an old one: {facts['text']}")


def same(what: str, found: object, expected: object) -> None:
    """One fact; raises `FailedError` where it is another."""
    if found != expected:
        raise FailedError(f"{what}: found {found!r}, expected {expected!r}")


def held(what: str, found: str, *parts: str) -> None:
    """A text with these parts; raises `FailedError` where one is missing."""
    for part in parts:
        if part not in found:
            raise FailedError(f"{what}: {part!r} is missing in {found!r}")


def only(what: str, found: Iterable[T]) -> T:
    """The one of its kind; raises `FailedError` where there are none or more."""
    every = list(found)
    if len(every) != 1:
        raise FailedError(f"{what}: found {len(every)}, expected 1: {every}")
    return every[0]


def _holds(text: str, *parts: str) -> None:
    held("the answer", text, *parts)
