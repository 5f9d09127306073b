"""What a stream left in a regular file, which agy wrote to by itself: read once the call is over."""

import os

from agy_proxy.record.facts import ReadBack
from agy_proxy.record.journal import Journal, OpenFile, pairs


def read_back(journal: Journal, stream: str, growth: tuple[tuple[int, int], ...]) -> ReadBack | None:
    """Return the part of the file behind ``stdout`` or ``stderr`` that this call wrote; None without a file.

    Not `whole` where the file is gone, another one, or shorter than it was. Others may have written to it.
    """
    start = journal.start
    file = None if start is None else start.stdout_file if stream == "stdout" else start.stderr_file
    if file is None:
        return None
    told = _end(journal, stream)
    try:
        fd = os.open(file.path, os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK | os.O_NOFOLLOW)
    except OSError:
        return ReadBack(data=b"", whole=False)
    try:
        there = os.fstat(fd)
        end = there.st_size if told is None else told
        if file.identity != f"{there.st_dev}:{there.st_ino}":
            return ReadBack(data=b"", whole=False)
        data = _part(fd, file, end)
    except OSError:
        return ReadBack(data=b"", whole=False)
    finally:
        os.close(fd)
    return ReadBack(data=data, growth=growth, whole=len(data) == max(0, end - file.offset))


def _end(journal: Journal, stream: str) -> int | None:
    """Where the stream stood when agy exited, as the shim wrote it down."""
    frame = journal.first("f")
    try:
        told = pairs(frame.payload) if frame is not None else {}
        return int(told[f"{stream}_end".encode()])
    except (ValueError, KeyError):
        return None


def _part(fd: int, file: OpenFile, end: int) -> bytes:
    parts: list[bytes] = []
    at = file.offset
    while at < end:
        part = os.pread(fd, min(end - at, 1 << 24), at)
        if not part:
            break
        parts.append(part)
        at += len(part)
    return b"".join(parts)
