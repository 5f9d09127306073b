"""What a stream left in a regular file, which agy wrote to by itself: read once the call is over."""

import os

from agy_proxy.record.facts import ReadBack
from agy_proxy.record.journal import Journal, OpenFile, Start, pairs

Growth = tuple[tuple[int, int], ...]


def read_back(journal: Journal, stream: str, growth: Growth) -> ReadBack | None:
    """Return the part of the file behind ``stdout`` or ``stderr`` that this call wrote; None without a file.

    It ends where the shim or its standby saw it end; where both were killed, at the last that was seen of its
    `growth`: what came later may be the client's. Not `whole` where that, or where the file is gone, another
    one, or shorter than it was.
    """
    file = None if journal.start is None else file_of(journal.start, stream)
    if file is None:
        return None
    told = end_of_file(journal, stream)
    end = told if told is not None else file.offset + (growth[-1][1] if growth else 0)
    try:
        fd = os.open(file.path, os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK | os.O_NOFOLLOW)
    except OSError:
        return ReadBack(data=b"", whole=False)
    try:
        there = os.fstat(fd)
        if file.identity != f"{there.st_dev}:{there.st_ino}":
            return ReadBack(data=b"", whole=False)
        data = _part(fd, file, end)
    except OSError:
        return ReadBack(data=b"", whole=False)
    finally:
        os.close(fd)
    return ReadBack(
        data=data,
        growth=growth,
        whole=told is not None and len(data) == max(0, end - file.offset),
        doubtful=len(data) > _surely_own(journal, growth, len(data)),
    )


def file_of(start: Start, stream: str) -> OpenFile | None:
    """Return the regular file that a stream went to; none for a stderr that is one with stdout."""
    if stream == "stdout":
        return start.stdout_file
    return None if start.stderr == "same" else start.stderr_file


def end_of_file(journal: Journal, stream: str) -> int | None:
    """Where the stream stood when agy exited or the shim died, as was written down then."""
    frame = journal.first("f")
    try:
        told = pairs(frame.payload) if frame is not None else {}
        return int(told[f"{stream}_end".encode()])
    except (ValueError, KeyError):
        return None


def _surely_own(journal: Journal, growth: Growth, length: int) -> int:
    """How many of the bytes were there before the call's end could be known to its client.

    A client that kills the shim knows of its death as soon as the standby does, and may write first.
    """
    noted = journal.first("f")
    if noted is None or journal.first("x") is not None:
        return length
    return max((size for at, size in growth if at < noted.at), default=0)


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
