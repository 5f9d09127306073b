"""One file that agy appends to, followed by its bytes: what is new since the last look."""

import os
import stat
from typing import Literal, NamedTuple

TAIL = 256
"""Bytes kept from before the offset: when they changed, the file was written anew."""


Op = Literal["create", "append", "replace", "truncate"]


class Change(NamedTuple):
    """What was written since the last look: `data` behind `before` bytes, or in the place of the whole file.

    `create` and `append` add; `truncate` (the same file cut and written again) and `replace` (another file)
    hold all that is there now. `mtime_ns` is of the epoch.
    """

    op: Op
    data: bytes
    before: int | None
    mtime_ns: int


class Known(NamedTuple):
    """What a file was before: its inode and how many bytes of it are known."""

    inode: int
    size: int


class Tail:
    """A regular file that may not exist yet; symlinks and anything else are never opened.

    `size` is how many bytes were there before (None: no file), `inode` which file that was (None: the one
    there now). Only whole lines are reported, the rest of one when it is complete or with ``rest=True``.
    """

    def __init__(self, path: bytes, size: int | None, inode: int | None = None) -> None:
        self.path = path
        self._offset = size or 0
        self._existed = size is not None
        self._seen: tuple[int, int, int] | None = None
        self._inode = inode
        self._tail = b""
        if self._offset:
            self._look_at_what_was_there()

    def change(self, *, rest: bool = False) -> Change | None:
        """Return what was written since the last call; None where that is nothing.

        Raises nothing: a file that can't be read has not changed.
        """
        try:
            now = os.stat(self.path, follow_symlinks=False)  # noqa: PTH116 - bytes, and 200 times a second
            if not stat.S_ISREG(now.st_mode):
                return None
            state = (now.st_ino, now.st_size, now.st_mtime_ns)
            if state == self._seen and not rest:
                return None
            found = self._read(rest=rest)
        except OSError:
            return None
        self._seen = state
        return None if found is None else Change(*found, now.st_mtime_ns)

    @property
    def known(self) -> Known | None:
        """What has been reported; None where there is no file yet."""
        return Known(self._inode or 0, self._offset) if self._existed else None

    def _look_at_what_was_there(self) -> None:
        try:
            fd = self._open()
        except OSError:
            return
        try:
            there = os.fstat(fd)
            if there.st_ino != (self._inode or there.st_ino) or there.st_size < self._offset:
                return
            self._inode = there.st_ino
            begin = max(0, self._offset - TAIL)
            self._tail = os.pread(fd, self._offset - begin, begin)
        finally:
            os.close(fd)

    def _open(self) -> int:
        return os.open(self.path, os.O_RDONLY | os.O_CLOEXEC | os.O_NOFOLLOW | os.O_NONBLOCK)

    def _read(self, *, rest: bool) -> tuple[Op, bytes, int | None] | None:
        fd = self._open()
        try:
            inode, size = os.fstat(fd).st_ino, os.fstat(fd).st_size
            op, offset = self._op(fd, inode, size)
            data = _read_at(fd, offset, size - offset)
        finally:
            os.close(fd)
        whole = data if rest else data[: data.rfind(b"\n") + 1]
        before = self._offset if self._existed else None
        if op == "append" and not whole:
            return None
        self._inode, self._existed = inode, True
        self._offset = offset + len(whole)
        kept = whole if op != "append" else self._tail + whole[-TAIL:]
        self._tail = kept[-TAIL:]
        return op, whole, before

    def _op(self, fd: int, inode: int, size: int) -> tuple[Op, int]:
        if not self._existed:
            return "create", 0
        if self._inode is not None and inode != self._inode:
            return "replace", 0
        known = self._offset - len(self._tail)
        if size < self._offset or _read_at(fd, known, len(self._tail)) != self._tail:
            return "truncate", 0
        return "append", self._offset


def _read_at(fd: int, offset: int, length: int) -> bytes:
    parts: list[bytes] = []
    while length > 0:
        part = os.pread(fd, min(length, 1 << 24), offset)
        if not part:
            break
        parts.append(part)
        offset += len(part)
        length -= len(part)
    return b"".join(parts)
