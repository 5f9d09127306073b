"""What of the store the shim can't write itself: entries of JSON that others share, and databases.

A process of its own, started by the shim with a pipe to it and one back. It is sent changes, each a 32 bit
length and a marshalled dict, and answers each with such a length and the words of what failed, else none. It
ends, all databases closed, when the pipe does; its own end tells the shim so.
"""

import contextlib
import fcntl
import marshal
import os
import sys
import time
from collections.abc import Iterator, Mapping
from typing import Any, BinaryIO

from agy_proxy.replay.rebuilt import Rebuilt, told
from agy_proxy.shim.isolated import play_store
from fake_agy.go.json import go_table, read_json
from fake_agy.stores.database import Broken

_SUFFIXES = (b"", b"-wal", b"-shm", b"-journal")
_LIST = b"conversation_summaries.db"


class Writer:
    """Writes changes below the store of `home`; `now` is in seconds of the epoch."""

    def __init__(self, home: bytes, *, now: float) -> None:
        self._home = home
        self._roots: dict[str, bytes | None] = {"store": home}
        self._now = now
        self._databases: dict[bytes, Rebuilt] = {}

    def write(self, how: str, parts: tuple[bytes, ...], text: bytes) -> None:
        """Make one change: ``merge``, ``decoded``, or ``stand`` for a database unless it is there.

        Raises
        ------
        `play_store.RefusedError`, OSError, ValueError or `Broken`.
        """
        if how == "merge":
            self._merge(parts, text)
        elif how == "decoded" or play_store.read(self._roots, "store", parts) is None:
            self._rebuild(parts, text)

    def close(self) -> None:
        """Let go of every database; `Broken` where one can't be written back."""
        while self._databases:
            self._databases.popitem()[1].close()

    def _merge(self, parts: tuple[bytes, ...], text: bytes) -> None:
        entries = _object(text)
        with self._alone():
            merged = united(_object(play_store.read(self._roots, "store", parts)), entries)
            content = go_table(merged).encode(errors="replace")
            play_store.perform("replace", self._roots, "store", parts, (content,))

    def _rebuild(self, parts: tuple[bytes, ...], text: bytes) -> None:
        what = told(text)
        check_database(self._roots, parts)
        with self._alone():
            if parts[-1] not in self._databases:
                play_store.perform("append", self._roots, "store", parts, ())
                name = os.fsdecode(parts[-1].removesuffix(b".db"))
                made = Rebuilt(os.fsdecode(self._home), name, what.facts, now=self._now)
                self._databases[parts[-1]] = made
            self._databases[parts[-1]].add(what)

    @contextlib.contextmanager
    def _alone(self) -> Iterator[None]:
        """Keep the writers of other calls out."""
        play_store.make_store(self._roots)
        fd = os.open(b"/".join((self._home, *play_store.STORE)), os.O_RDONLY | os.O_NOFOLLOW)
        try:
            fcntl.flock(fd, fcntl.LOCK_EX)
            yield
        finally:
            os.close(fd)


def check_database(roots: dict[str, bytes | None], parts: tuple[bytes, ...]) -> None:
    """Raise `play_store.RefusedError` where a database, its log or the list would be written elsewhere."""
    for suffix in _SUFFIXES:
        play_store.check(roots, "store", (*parts[:-1], parts[-1] + suffix))
        play_store.check(roots, "store", (_LIST + suffix,))


def united(known: Mapping[str, Any], entries: Mapping[str, Any]) -> dict[str, Any]:
    """Put entries into an object, those of objects within it too, all in the order of their keys."""
    merged = dict(known)
    for key, value in entries.items():
        before = merged.get(key)
        if isinstance(before, dict) and isinstance(value, dict):
            value = united(before, value)
        merged[key] = value
    if all(key in known for key in entries) or list(known) != sorted(known):
        return merged
    return {key: merged[key] for key in sorted(merged)}


def _object(content: bytes | None) -> dict[str, Any]:
    """What stands in a file; nothing where it is damaged, as to agy (stores.md 4.4)."""
    try:
        value = read_json((content or b"{}").decode(errors="replace"))
    except ValueError:
        return {}
    return value if isinstance(value, dict) else {}


def main(asked: BinaryIO, answers: BinaryIO) -> int:
    """Write what is asked for until there is no more."""
    writer: Writer | None = None
    while len(size := asked.read(4)) == 4:
        change = marshal.loads(asked.read(int.from_bytes(size, "little")))
        if writer is None:
            writer = Writer(change["home"], now=time.time())
        failed = _tried(writer, change)
        answers.write(len(failed).to_bytes(4, "little") + failed)
        answers.flush()
    if writer is not None:
        with contextlib.suppress(Broken):
            writer.close()
    return 0


def _tried(writer: Writer, change: Mapping[str, Any]) -> bytes:
    try:
        writer.write(change["how"], change["parts"], change["text"])
    except (OSError, ValueError, Broken, RecursionError) as failed:
        return f"{type(failed).__name__}: {failed}".encode("utf-8", "backslashreplace")
    return b""


if __name__ == "__main__":
    sys.exit(main(sys.stdin.buffer, sys.stdout.buffer))
