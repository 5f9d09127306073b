"""One transcript as rows: each told once, whatever happens to the file."""

import hashlib
import os
from collections import Counter
from pathlib import Path
from typing import Protocol

from agy_proxy.watch.chunk_series import ChunkSeries
from agy_proxy.watch.events import Damaged, Event, Rewritten, Row
from agy_proxy.watch.rows import rows
from agy_proxy.watch.tail import Change, Known, Tail


class Source(Protocol):
    """What a transcript needs of a `Tail` or of a `ChunkSeries`."""

    @property
    def known(self) -> Known | None:
        """What has been reported."""

    def change(self) -> Change | None:
        """What was written since the last call."""


class Transcript:
    """Rows that are followed, each told once; the lines of `old` are not told.

    `again` says that the source gives the old lines too. A last line without an end is told when it is whole.
    """

    def __init__(
        self, conversation: str, name: str, source: Source, old: bytes = b"", *, again: bool = False
    ) -> None:
        self.conversation = conversation
        self.name = name
        self.old = old
        self._source = source
        self._told: Counter[bytes] = Counter()
        self._indices: set[int] = set()
        self._highest = -1
        for line, row in rows(old):
            self._event(line, row, 0)
        self._passed_over = Counter(self._told) if again else Counter()

    @property
    def known(self) -> Known | None:
        """What of the file has been told."""
        return self._source.known

    def look(self, at: float) -> list[Event]:
        """Return what is new."""
        change = self._source.change()
        if change is None:
            return []
        if change.op in ("create", "append"):
            return [
                self._event(line, row, at) for line, row in rows(change.data) if not self._pass_over(line)
            ]
        events: list[Event] = [Rewritten(conversation=self.conversation, file=self.name, at=at)]
        there: Counter[bytes] = Counter()
        for line, row in rows(change.data):
            mark = _mark(line)
            there[mark] += 1
            if there[mark] > self._told[mark]:
                events.append(self._event(line, row, at))
        return events

    def _pass_over(self, line: bytes) -> bool:
        mark = _mark(line)
        found = self._passed_over[mark] > 0
        self._passed_over[mark] -= found
        return found

    def _event(self, line: bytes, row: dict[str, object], at: float) -> Event:
        self._told[_mark(line)] += 1
        if not row:
            return Damaged(conversation=self.conversation, file=self.name, line=line, at=at)
        number = row.get("step_index")
        index = number if isinstance(number, int) else None
        again = index in self._indices
        late = index is not None and not again and index < self._highest
        if index is not None:
            self._indices.add(index)
            self._highest = max(self._highest, index)
        return Row(
            conversation=self.conversation,
            file=self.name,
            index=index,
            row=row,
            line=line,
            at=at,
            again=again,
            late=late,
        )


def followed(conversation: str, name: str, path: Path, known: Known | None) -> Transcript:
    """Follow a transcript of which `known` is old (None: there was no file).

    A line that was begun before is told when it is whole. A file that is another by now is told whole.
    """
    old = None if known is None else _old(path, known)
    if known is None or old is None:
        return Transcript(conversation, name, Tail(bytes(path), None))
    return Transcript(conversation, name, Tail(bytes(path), len(old), known.inode), old)


def followed_chunks(conversation: str, name: str, folder: Path, flat: Transcript) -> Transcript:
    """Follow the chunks of a transcript; what is old in the flat one is old here, too."""
    return Transcript(conversation, name, ChunkSeries(folder), flat.old, again=True)


def _old(path: Path, known: Known) -> bytes | None:
    """Read the whole lines that were there before; None where the file is another now."""
    try:
        with path.open("rb") as file:
            if os.fstat(file.fileno()).st_ino != known.inode:
                return None
            data = file.read(known.size)
    except OSError:
        return None
    return data[: data.rfind(b"\n") + 1] if len(data) == known.size else None


def _mark(line: bytes) -> bytes:
    return hashlib.blake2b(line, digest_size=12).digest()
