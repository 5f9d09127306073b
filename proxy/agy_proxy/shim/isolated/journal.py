"""The journal of one call: frames in an append-only file, each written by one ``writev``.

A frame is an ASCII header ``<code> <ns> <length>`` and a newline, then `length` bytes; ns is of
CLOCK_MONOTONIC. Codes: ``S`` start (`agy_proxy.shim.isolated.start`), ``p`` agy's pid, ``o`` ``e`` ``m``
``i`` bytes of stdout, stderr, both merged, stdin; ``z`` end of stdin; ``w`` the terminal's new size, ``<rows>
<columns>``; ``s`` a signal that came, ``<number>
<sender's pid> <1 if it was sent to the whole group>``; ``x`` agy's wait status and, where
it is known, the most memory that it had in bytes; ``f`` where the streams'
files ended when agy did, or when the shim died before that; ``c`` the last stream is closed; ``E`` the shim
is through; ``n`` something went wrong with the recording itself. Bytes after ``x`` came late, from a process
that agy left behind.

The time of bytes is when they came. Their frame is written once they are delivered, and by then what they
caused may have been written down: times, not places in the file, tell what came first.

Whoever may still write holds a shared `flock` on the file.
"""

import _thread
import fcntl
import posix
import time

FIRST_FREE = 3
"""Descriptors below are the caller's streams, even where it closed them."""


def above_streams(fd: int) -> int:
    """The same file under a number that is none of the three streams'."""
    if fd >= FIRST_FREE:
        return fd
    moved: int = fcntl.fcntl(fd, fcntl.F_DUPFD_CLOEXEC, FIRST_FREE)
    posix.close(fd)
    return moved


def netstrings(*items: bytes) -> bytes:
    """``<length>:<bytes>,`` for each item."""
    return b"".join(b"%d:%b," % (len(item), item) for item in items)


def log_error(path: "bytes | None", what: str) -> None:
    """Adds a line to the errors log; recording trouble never reaches the streams of a call."""
    if path is None:
        return
    line = f"{time.time_ns()} {posix.getpid()} {what}\n".encode("utf-8", "backslashreplace")
    try:
        fd = posix.open(path, posix.O_WRONLY | posix.O_APPEND | posix.O_CREAT | posix.O_CLOEXEC, 0o600)
    except OSError:
        return
    try:
        posix.write(fd, line)
    except OSError:
        # The disk is full for the log too.
        pass
    posix.close(fd)


class Journal:
    """An open journal. A write that fails ends the recording of bytes, never the call."""

    __slots__ = ("_broken", "_end", "_errors_log", "_lock", "fd")

    def __init__(self, fd: int, errors_log: "bytes | None") -> None:
        self.fd = fd
        self._errors_log = errors_log
        self._lock = _thread.allocate_lock()
        self._broken = False
        self._end = 0

    def reopened(self) -> None:
        """Called by a process that goes on where another was killed: nothing of its state counts."""
        self._lock = _thread.allocate_lock()
        self._end = posix.fstat(self.fd).st_size

    def start(self, payload: bytes, at: int) -> None:
        """Writes the start frame; raises OSError, since a call without one need not be recorded."""
        self._end = self._write(b"S %d %d\n" % (at, len(payload)), payload)

    def frame(self, code: bytes, payload: bytes = b"", at: "int | None" = None) -> None:
        """Appends a frame, with the time it is now unless `at` says when it was."""
        at = time.monotonic_ns() if at is None else at
        with self._lock:
            if self._broken and code in b"oemi":
                return
            header = b"%b %d %d\n" % (code, at, len(payload))
            try:
                self._end += self._write(header, payload)
            except OSError as failed:
                self._give_up(failed)

    def close(self) -> None:
        """Closes the file, which lets go of this process's part in the lock."""
        with self._lock:
            posix.close(self.fd)
            self.fd = -1

    def _write(self, header: bytes, payload: bytes) -> int:
        size = len(header) + len(payload)
        done = posix.writev(self.fd, (header, payload))
        if done < size:
            # The disk is full: the rest either fits after all or tells why not.
            rest = (header + payload)[done:]
            while rest:
                rest = rest[posix.write(self.fd, rest) :]
        return size

    def _give_up(self, failed: OSError) -> None:
        """Cuts off the torn frame, which may leave room to say so and for the exit."""
        if not self._broken:
            self._broken = True
            what = f"the recording is incomplete: {(failed.strerror or str(failed)).lower()}"
            log_error(self._errors_log, what)
            try:
                posix.ftruncate(self.fd, self._end)
                told = what.encode()
                self._end += self._write(b"n %d %d\n" % (time.monotonic_ns(), len(told)), told)
            except OSError:
                pass


def open_journal(folder: bytes, began: int, errors_log: "bytes | None") -> "tuple[Journal, bytes]":
    """Makes the journal of a call that began at `began` (CLOCK_REALTIME ns); raises OSError."""
    path = b"%b/%d-%d.journal" % (folder, began, posix.getpid())
    flags = posix.O_WRONLY | posix.O_APPEND | posix.O_CREAT | posix.O_EXCL | posix.O_CLOEXEC
    try:
        fd = posix.open(path, flags, 0o600)
    except FileNotFoundError:
        posix.mkdir(folder, 0o700)
        fd = posix.open(path, flags, 0o600)
    fd = above_streams(fd)
    fcntl.flock(fd, fcntl.LOCK_SH | fcntl.LOCK_NB)
    return Journal(fd, errors_log), path
