"""Which conversation a call goes on with: resumed, missing or new (contract.md 4.2, 4.3)."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import NamedTuple
else:
    from fake_agy.record import NamedTuple


class Settled(NamedTuple):
    """The conversation to resume, None for a new one; `missing` is an id that was asked for in vain."""

    conversation: str | None = None
    missing: str | None = None


def settle(
    asked: str | None,
    *,
    continued: bool,
    is_known: Callable[[str], bool],
    last: Callable[[], str | None],
    fallback: Callable[[], str | None],
) -> Settled:
    """Decide by the id asked for, else by ``--continue``.

    `last` is the entry of this directory; `fallback` is what a version finds where that is of no use. An id
    that nobody knows, of whatever shape, is a warning and a new conversation.
    """
    if asked is not None:
        return Settled(asked) if is_known(asked) else Settled(missing=asked)
    if not continued:
        return Settled()
    entry = last()
    if entry is not None and is_known(entry):
        return Settled(entry)
    return Settled(fallback())


def related(directory: str, others: dict[str, str]) -> list[str]:
    """Give the conversations of the directories above and below one, nearest first (contract.md 4.3)."""
    near = {
        other: conversation
        for other, conversation in others.items()
        if other != directory and (_inside(directory, other) or _inside(other, directory))
    }
    return [near[other] for other in sorted(near, key=lambda other: abs(len(other) - len(directory)))]


def _inside(path: str, folder: str) -> bool:
    return path.startswith(folder.rstrip("/") + "/")
