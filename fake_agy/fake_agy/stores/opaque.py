"""The store up to 1.0.3: ``conversations/<id>.pb``, which nobody but agy can read (stores.md 1.2)."""

from __future__ import annotations

import _sqlite3
import os

from fake_agy.go.digest import sha256_hex
from fake_agy.stores.database import Broken, Database
from fake_agy.stores.files import replace_private

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from fake_agy.stores.database import Facts
    from fake_agy.stores.payload import Trail


class OpaqueStore(Database):
    """The same face as a database; the file is replaced whole at every change."""

    def __init__(self, path: str, trail: Trail) -> None:
        super().__init__(_sqlite3.connect(":memory:", isolation_level=None), trail)
        self._path = path

    def finish(self, *, checkpoint: bool) -> None:
        """Let go of it; the file is whole after every change."""
        del checkpoint
        self._connection.close()

    def _ask(self, query: str, values: tuple[object, ...] = ()) -> list[Any]:
        if not self._connection.in_transaction:
            self._load()
        return super()._ask(query, values)

    def _change(self, change: Any) -> None:
        self._load()
        super()._change(change)
        replace_private(self._path, _scrambled(self._packed(), self._trail.conversation))

    def _load(self) -> None:
        if not os.path.exists(self._path):
            return
        with open(self._path, "rb") as file:
            kept = file.read()
        import zlib  # only versions that keep this store need it

        try:
            self._connection.deserialize(zlib.decompress(_scrambled(kept, self._trail.conversation)))
        except (zlib.error, _sqlite3.Error) as wrong:
            raise Broken(f"{self._path}: {wrong}") from None

    def _packed(self) -> bytes:
        import zlib  # as above

        return zlib.compress(self._connection.serialize())


def open_opaque(path: str, trail: Trail, facts: Facts | None) -> OpaqueStore:
    """Open a conversation of the old store, made new where `facts` say with what; `Broken` as a database."""
    store = OpaqueStore(path, trail)
    if facts is not None:
        store.make(facts)
    else:
        store.next_idx()
    return store


def _scrambled(data: bytes, key: str) -> bytes:
    """Make bytes unreadable, and readable again by the same."""
    drawn = bytes.fromhex(sha256_hex(key.encode()))
    stream = (drawn * (len(data) // len(drawn) + 1))[: len(data)]
    return (int.from_bytes(data, "big") ^ int.from_bytes(stream, "big")).to_bytes(len(data), "big")
