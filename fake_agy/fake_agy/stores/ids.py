"""Ids of new conversations, drawn from the seed."""

from __future__ import annotations

import os

from fake_agy.go.digest import uuid_of
from fake_agy.stores.files import read_bytes, replace_private
from fake_agy.stores.layout import brain, database_path

TYPE_CHECKING = False
if TYPE_CHECKING:
    from fake_agy.stores.layout import Layout


def new_conversation_id(layout: Layout, seed: int) -> str:
    """Draw the next id, from the seed and a counter kept beside the store; the caller holds the lock.

    An id that exists already (the counter was lost) is passed over.
    """
    counter = f"{layout.own}/conversations"
    kept = (read_bytes(counter) or b"").strip()
    number = int(kept) if kept.isdigit() else 0
    while True:
        number += 1
        identity = uuid_of("fake-agy", str(seed), str(number))
        stored = database_path(layout, identity)
        taken = (brain(layout, identity), stored, stored.removesuffix(".db") + ".pb")
        if not any(map(os.path.lexists, taken)):
            replace_private(counter, str(number).encode())
            return identity
