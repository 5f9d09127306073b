"""Adding records to a cassette: lock, repair, one write, read back."""

import os
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from agy_cassettes.emitter import emit_record, header
from agy_cassettes.errors import CassetteError, UserError
from agy_cassettes.header import check_header
from agy_cassettes.interaction import Record
from agy_cassettes.layout import END_LINE, Torn, scan_layout
from agy_cassettes.limits import LIMITS
from agy_cassettes.lock import lock_cassette
from agy_cassettes.node import FormatError
from agy_cassettes.read_back import refusal
from agy_cassettes.sidecar import externalise, folder_of
from agy_cassettes.torn import keep_torn

_LOOK = 4096
_FLOW_LIST = re.compile(rb"^interactions:[ \t]*\[", re.MULTILINE)
_END_MARK = b'\n  end: "'


class Tail:
    """The end of a cassette that this process has locked; made by `open_for_append`.

    `torn` is the unfinished record that was cut off, if there was one; `torn_file` is where its bytes are.
    """

    def __init__(self, path: Path, fd: int, clock: Callable[[], int]) -> None:
        self.path = path
        self.torn: Torn | None = None
        self.torn_file: Path | None = None
        self._fd = fd
        self._size = os.fstat(fd).st_size
        self._lead = b""
        self._repair(clock)

    def append(self, record: Record) -> Record:
        """Save a record and give it as saved: bodies above 1 MiB now lie in files beside the cassette.

        It is one write, read back, compared and checked as a reader of the cassette checks it; where that
        fails, the file is left as it was, and `UserError` is raised.
        """
        record = externalise(record, folder_of(self.path))
        try:
            written = emit_record(record)
        except ValueError as error:
            raise UserError(f"{self.path}: record {record.id} can't be saved: {error}") from error
        data = self._lead + written
        if os.fstat(self._fd).st_size != self._size:
            raise UserError(
                f"{self.path}: another program wrote to it in spite of the lock; run agy-proxy verify"
            )
        if self._size + len(data) > LIMITS.file_bytes:
            raise UserError(
                f"{self.path}: record {record.id} was not saved: the file would be larger than"
                f" {LIMITS.file_bytes} bytes; record into another cassette"
            )
        try:
            count = os.write(self._fd, data)
            back = _read_at(self._fd, self._size, len(data))
        except OSError as error:
            self._undo()
            raise UserError(f"{self.path}: record {record.id} was not saved: {error.strerror}") from error
        if count != len(data):
            why: str | None = "the disk took only a part of it"
        elif back != data:
            why = "it did not read back the same"
        else:
            why = refusal(written, record)
        if why is not None:
            self._undo()
            raise UserError(f"{self.path}: record {record.id} was not saved: {why}")
        self._size += len(data)
        self._lead = b""
        return record

    def _undo(self) -> None:
        try:
            os.ftruncate(self._fd, self._size)
        except OSError:
            # The next append finds the torn tail and cuts it off.
            return

    def _repair(self, clock: Callable[[], int]) -> None:
        if self._size == 0 or self._is_cut_header():
            os.ftruncate(self._fd, 0)
            self._size = 0
            self._lead = header()
        elif not self._ends_well():
            with os.fdopen(os.dup(self._fd), "rb") as file:
                layout = scan_layout(file, self._size)
            if layout.problems:
                raise CassetteError(self.path, layout.problems[0].what, line=layout.problems[0].line)
            start = _read_at(self._fd, 0, min(_LOOK, self._size))
            if not layout.entries and (listed := _FLOW_LIST.search(start)):
                line = start.count(b"\n", 0, listed.start()) + 1
                raise CassetteError(self.path, "write 'interactions:' with nothing behind it", line=line)
            self._lead = b"" if layout.ended or layout.torn else b"\n"
            if layout.torn:
                self._cut(layout.torn, clock)

    def _is_cut_header(self) -> bool:
        return self._size < len(header()) and header().startswith(_read_at(self._fd, 0, self._size))

    def _ends_well(self) -> bool:
        # Two reads of one size, however long the cassette: only an odd end costs a look at the whole file.
        start = _read_at(self._fd, 0, min(_LOOK, self._size))
        end = _read_at(self._fd, max(0, self._size - _LOOK), min(_LOOK, self._size))
        head, found, _ = start.partition(b"\n- ")
        try:
            check_header(head + b"\n")
        except FormatError:
            return False
        last = end.rfind(_END_MARK)
        line = end[last + 1 :]
        return bool(found) and END_LINE.fullmatch(line) is not None and line.endswith(b"\n")

    def _cut(self, torn: Torn, clock: Callable[[], int]) -> None:
        self.torn = torn
        self.torn_file = keep_torn(self.path, torn, _read_at(self._fd, torn.offset, torn.length), clock)
        try:
            os.ftruncate(self._fd, torn.offset)
        except OSError as error:
            what = f"its torn tail could not be cut off: {error.strerror}"
            raise CassetteError(self.path, what, line=torn.line) from error
        self._size = torn.offset


@contextmanager
def open_for_append(path: Path, *, clock: Callable[[], int]) -> Iterator[Tail]:
    """Lock a cassette, made if it isn't there, and cut off a torn tail; other appenders wait meanwhile.

    `clock` gives nanoseconds since the epoch, for the name of the file that keeps a torn tail. Raises
    `UserError`.
    """
    fd = lock_cassette(path)
    try:
        yield Tail(path, fd, clock)
    finally:
        if os.fstat(fd).st_size == 0:
            path.unlink(missing_ok=True)
        os.close(fd)


def _read_at(fd: int, offset: int, length: int) -> bytes:
    parts = []
    while length > 0 and (data := os.pread(fd, length, offset)):
        parts.append(data)
        offset += len(data)
        length -= len(data)
    return b"".join(parts)
