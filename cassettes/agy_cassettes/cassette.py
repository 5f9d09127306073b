"""A cassette opened for reading: its records are found at once and parsed when they are asked for."""

import fcntl
import os
import stat
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from agy_cassettes.document import read_record
from agy_cassettes.errors import CassetteError
from agy_cassettes.index import load_index, save_index
from agy_cassettes.interaction import Body, Interaction, Record, Sidecar
from agy_cassettes.layout import END_LINE, Entry, Layout, Torn, scan_layout
from agy_cassettes.limits import LIMITS, Limits
from agy_cassettes.node import HAS_LIBYAML, FormatError
from agy_cassettes.sidecar import folder_of, read_sidecar

_SLOW = "agy-proxy: PyYAML has no libyaml here, so cassettes load about ten times slower"
# Appending takes milliseconds; a lock held longer than this many seconds is a stuck program's.
_PATIENCE = 5.0
_warned: set[str] = set()


@dataclass(frozen=True, slots=True)
class Cassette:
    """The records of one file, in its order; made by `Cassette.open`.

    `notices` are lines for the user about records that were edited by hand and about a torn tail.
    """

    path: Path
    entries: tuple[Entry, ...]
    torn: Torn | None
    notices: tuple[str, ...]
    limits: Limits = LIMITS

    @classmethod
    def open(
        cls,
        path: Path,
        *,
        state: Path | None = None,
        warn: Callable[[str], None] | None = None,
        limits: Limits = LIMITS,
    ) -> "Cassette":
        """Find the records of a cassette; raises `CassetteError` with the line where it isn't sound.

        `state` is a folder that may keep an index; `warn` is told, once per process, that libyaml is missing.
        What a record holds is checked when it is read: `validate` reads all.
        """
        if not HAS_LIBYAML:
            _warn_once(_SLOW, warn or _to_stderr)
        layout = _layout(path, state, limits)
        if layout.problems:
            raise CassetteError(path, layout.problems[0].what, line=layout.problems[0].line)
        return cls(path, layout.entries, layout.torn, _notices(path, layout), limits)

    def record(self, which: int | str) -> Record:
        """Read one record, by its place or its id; raises `CassetteError`, `IndexError` or `KeyError`."""
        with open_regular(self.path, self.limits) as file:
            return self._read_entry(file, self.entry(which))

    def entry(self, which: int | str) -> Entry:
        """Give the entry at a place or of an id; raises `IndexError` or `KeyError`."""
        if isinstance(which, int):
            return self.entries[which]
        for entry in self.entries:
            if entry.id == which:
                return entry
        raise KeyError(which)

    def records(self) -> Iterator[Record]:
        """Read all records, one at a time; raises `CassetteError`."""
        with open_regular(self.path, self.limits) as file:
            for entry in self.entries:
                yield self._read_entry(file, entry)

    def interactions(self) -> Iterator[Interaction]:
        """Read all interactions, one at a time; raises `CassetteError`."""
        return (record for record in self.records() if isinstance(record, Interaction))

    def validate(self) -> None:
        """Read every record now; raises `CassetteError` for the first that is wrong, or for a torn tail."""
        for _ in self.records():
            pass
        if self.torn is not None:
            raise CassetteError(self.path, _torn_text(self.torn), line=self.torn.line)

    def raw(self, entry: Entry) -> bytes:
        """Give a record's bytes as they stand in the file, its end line included; raises `CassetteError`."""
        with open_regular(self.path, self.limits) as file:
            return self._raw(file, entry)

    def read(self, body: Body) -> bytes:
        """Give a body's bytes, from the file beside the cassette if it lies there; raises `CassetteError`."""
        return read_sidecar(folder_of(self.path), body) if isinstance(body, Sidecar) else body

    def _read_entry(self, file: BinaryIO, entry: Entry) -> Record:
        data = self._raw(file, entry)
        try:
            return read_record(data, entry.line, self.limits)
        except FormatError as error:
            raise CassetteError(self.path, error.what, line=error.line) from error

    def _raw(self, file: BinaryIO, entry: Entry) -> bytes:
        file.seek(entry.offset)
        data = file.read(entry.length)
        end = END_LINE.fullmatch(data, data.rfind(b"\n  end: ") + 1)
        if not data.startswith(b"- ") or end is None or end[1].decode() != entry.id:
            raise CassetteError(
                self.path, "the file changed while it was being read; try again", line=entry.line
            )
        return data


def open_regular(path: Path, limits: Limits = LIMITS) -> BinaryIO:
    """Open a cassette's file, which must be a regular one within the limits; raises `CassetteError`."""
    try:
        # O_NONBLOCK: a FIFO must not hold us.
        fd = os.open(path, os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK)
    except FileNotFoundError as error:
        raise CassetteError(path, "no such cassette; agy-proxy record makes one") from error
    except OSError as error:
        raise CassetteError(path, f"can't be read: {error.strerror}") from error
    facts = os.fstat(fd)
    what = None
    if stat.S_ISDIR(facts.st_mode):
        what = "is a directory; a cassette is a file"
    elif not stat.S_ISREG(facts.st_mode):
        what = "is no regular file, so no cassette"
    elif facts.st_size > limits.file_bytes:
        what = f"is larger than {limits.file_bytes} bytes"
    if what is not None:
        os.close(fd)
        raise CassetteError(path, what)
    return os.fdopen(fd, "rb")


def read_layout(file: BinaryIO, limits: Limits = LIMITS) -> Layout:
    """Find the records of an open cassette, waiting for an append that is under way."""
    layout = scan_layout(file, os.fstat(file.fileno()).st_size, limits)
    if layout.torn is None and not layout.problems:
        return layout
    deadline = time.monotonic() + _PATIENCE
    while not _locked(file) and time.monotonic() < deadline:
        time.sleep(0.01)
    return scan_layout(file, os.fstat(file.fileno()).st_size, limits)


def _layout(path: Path, state: Path | None, limits: Limits) -> Layout:
    with open_regular(path, limits) as file:
        facts = os.fstat(file.fileno())
        kept = None if state is None else load_index(state, path, facts)
        if kept is not None:
            return kept
        layout = read_layout(file, limits)
        after = os.fstat(file.fileno())
    same = (facts.st_size, facts.st_mtime_ns, facts.st_ctime_ns) == (
        after.st_size,
        after.st_mtime_ns,
        after.st_ctime_ns,
    )
    if state is not None and same and not layout.problems:
        save_index(state, path, facts, layout)
    return layout


def _locked(file: BinaryIO) -> bool:
    try:
        fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except OSError:
        # A file system without locks: what is there is all that can be known.
        return True
    fcntl.flock(file, fcntl.LOCK_UN)
    return True


def _notices(path: Path, layout: Layout) -> tuple[str, ...]:
    notices = []
    edited = [entry for entry in layout.entries if entry.state == "edited"]
    if edited:
        more = f" and {len(edited) - 1} more" if len(edited) > 1 else ""
        notices.append(
            f"{path}:{edited[0].line}: record {edited[0].id}{more} edited since it was recorded;"
            " agy-proxy verify --accept marks it so"
        )
    if layout.torn is not None:
        notices.append(f"{path}:{layout.torn.line}: {_torn_text(layout.torn)}")
    elif not layout.ended:
        last = layout.entries[-1] if layout.entries else None
        line = f":{last.line}" if last else ""
        notices.append(f"{path}{line}: the last line has no newline; nothing else is missing")
    return tuple(notices)


def _torn_text(torn: Torn) -> str:
    name = f"record {torn.id}" if torn.id else "the last record"
    return (
        f"{name} is torn: it has no end mark, {torn.length} bytes of it are there;"
        " the next recording or agy-proxy verify --accept cuts them off"
    )


def _warn_once(text: str, warn: Callable[[str], None]) -> None:
    if text not in _warned:
        _warned.add(text)
        warn(text)


def _to_stderr(text: str) -> None:
    print(text, file=sys.stderr)
