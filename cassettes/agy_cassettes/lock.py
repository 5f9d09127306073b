"""The lock that every writer of a cassette takes, on the file itself."""

import fcntl
import os
import stat
from pathlib import Path

from agy_cassettes.errors import CassetteError


def lock_cassette(path: Path) -> int:
    """Open a cassette for appending, made with its folder if it isn't there, and wait for its lock.

    Gives the file descriptor; closing it gives the lock back. Raises `CassetteError`.
    """
    while True:
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            # O_NONBLOCK: a FIFO must not hold us.
            flags = os.O_RDWR | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC | os.O_NONBLOCK
            fd = os.open(path, flags, 0o666)
        except OSError as error:
            raise CassetteError(path, f"can't be written: {error.strerror}") from error
        kept = False
        try:
            kept = _take(path, fd)
        finally:
            if not kept:
                os.close(fd)
        if kept:
            return fd


def _take(path: Path, fd: int) -> bool:
    if not stat.S_ISREG(os.fstat(fd).st_mode):
        raise CassetteError(path, "is no regular file, so no cassette")
    fcntl.flock(fd, fcntl.LOCK_EX)
    try:
        # A rewrite may have put another file in its place while we waited.
        return os.path.samestat(path.stat(), os.fstat(fd))
    except FileNotFoundError:
        return False
