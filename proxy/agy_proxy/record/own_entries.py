"""What of the files that all conversations share is one call's: entries in the caches, history lines."""

import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from agy_proxy.watch.rows import rows
from agy_proxy.watch.tail import Change, Tail

MOST = 1 << 24
"""Bytes of a cache that are read at most."""


class OwnEntries:
    """The caches and the history of the store at `root`, as far as they are of a conversation or folder.

    What is there at first is old unless the conversation is `fresh`.
    """

    def __init__(self, root: bytes, conversation: str, cwd: str, *, fresh: bool) -> None:
        self._root = root
        self._conversation = conversation
        self._cwd = cwd
        history = root + b"/history.jsonl"
        self._history = Tail(history, None if fresh else _size(history))
        self._stamps: dict[bytes, tuple[int, int]] = {}
        self._entries: dict[bytes, dict[str, Any] | None] = {}
        if not fresh:
            self._entries = {path: self._entry(path) for path in self._caches()}

    def merged(self) -> Iterator[tuple[bytes, Change]]:
        """Yield the caches whose entries of this call have changed, each holding nothing but those."""
        for path in self._caches():
            entry = self._entry(path)
            if entry is not None and entry != self._entries.get(path):
                self._entries[path] = entry
                data = json.dumps(entry, separators=(",", ":"), ensure_ascii=False).encode("utf-8", "replace")
                yield path, Change("replace", data, None, self._stamps[path][0])

    def history(self, *, rest: bool) -> list[tuple[bytes, Change]]:
        """Return the lines of the history that are this conversation's."""
        change = self._history.change(rest=rest)
        if change is None or change.op not in ("create", "append"):
            return []
        own = [line for line, row in rows(change.data) if row.get("conversationId") == self._conversation]
        return (
            [(self._history.path, change._replace(op="append", data=b"".join(own), before=None))]
            if own
            else []
        )

    def _caches(self) -> tuple[bytes, ...]:
        names = (b"last_conversations.json", b"projects.json", b"conversation_metadata.json")
        return tuple(self._root + b"/cache/" + name for name in names)

    def _entry(self, path: bytes) -> dict[str, Any] | None:
        """The part that is this call's; what was told last where the file has not changed since."""
        try:
            there = os.stat(path, follow_symlinks=False)  # noqa: PTH116 - bytes
            stamp = (there.st_mtime_ns, there.st_size)
            if self._stamps.get(path) == stamp:
                return self._entries.get(path)
            with Path(os.fsdecode(path)).open("rb") as file:
                found = json.loads(file.read(MOST))
        except (OSError, ValueError, RecursionError):
            return None
        self._stamps[path] = stamp
        return self._part(path, found if isinstance(found, dict) else {})

    def _part(self, path: bytes, found: dict[str, Any]) -> dict[str, Any] | None:
        if path.endswith(b"/conversation_metadata.json"):
            known = found.get("conversations")
            own = known.get(self._conversation) if isinstance(known, dict) else None
            return None if own is None else {"conversations": {self._conversation: own}}
        value = found.get(self._cwd)
        if not isinstance(value, str) or (
            path.endswith(b"/last_conversations.json") and value != self._conversation
        ):
            return None
        return {self._cwd: value}


def _size(path: bytes) -> int | None:
    try:
        return os.stat(path, follow_symlinks=False).st_size  # noqa: PTH116 - bytes
    except OSError:
        return None
