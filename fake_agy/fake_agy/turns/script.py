"""Which moves a turn has: the nth turn taken in a HOME plays the nth that was scripted."""

from __future__ import annotations

import os

from fake_agy.stores.files import locked, private_folder, replace_private
from fake_agy.turns.moves import read_move

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from fake_agy.stores.layout import Layout
    from fake_agy.turns.moves import Move, PlainMove


def next_moves(layout: Layout, turns: Sequence[Sequence[PlainMove]]) -> tuple[Move, ...] | None:
    """Take the moves of the next turn and count it; None where the double answers by itself.

    The count lies beside the store, under the lock. Call it without the lock held.
    """
    if not turns:
        return None
    path = f"{layout.own}/turns"
    with locked(layout):
        private_folder(layout.own)
        taken = _count(path)
        if taken >= len(turns):
            return None
        replace_private(path, str(taken + 1).encode())
    return tuple(map(read_move, turns[taken]))


def _count(path: str) -> int:
    try:
        file = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    except FileNotFoundError:
        return 0
    try:
        return int(os.read(file, 32) or b"0")
    except ValueError:  # a killed double or a full disk left something else
        return 0
    finally:
        os.close(file)
