"""Playing in step with what comes in: every wait, and every write, looks at the input meanwhile."""

import _signal  # type: ignore[import-not-found]  # built in, and not in typeshed
import posix
import select
import time

from agy_proxy.shim.isolated import play_process as process

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from agy_proxy.shim.isolated.play_input import Lines, Typed

PIECE = 4096
"""A stream that has room takes so many bytes without waiting (PIPE_BUF)."""
_SETTLE_MS = 50.0
"""An answer of the terminal is whole within this time; a key that begins as one is that key after it."""
_READY = select.POLLIN | select.POLLHUP | select.POLLERR | select.POLLNVAL


class Lockstep(process.Timetable):
    """A timetable that takes input as it comes; `DepartureError` of it comes out of whatever waits.

    `read` is what of the input was read before, or None; a read of b"" ends it.
    """

    __slots__ = ("_expected", "_input", "_open", "_poll", "_wake", "_wanted")

    def __init__(
        self,
        base: int,
        awaited: "Iterable[int]",
        expected: "Lines | Typed",
        *,
        read: "bytes | None" = None,
        fd: int = 0,
    ) -> None:
        super().__init__(base, ())
        self._wanted = set(awaited)
        self._expected = expected
        self._input = fd
        self._wake, waker = posix.pipe2(posix.O_NONBLOCK | posix.O_CLOEXEC)
        for number in self._wanted:
            _signal.signal(number, self._came)
        _signal.set_wakeup_fd(waker, warn_on_full_buffer=False)
        self._poll = select.poll()
        self._poll.register(self._wake, select.POLLIN)
        self._open = read is None
        if read is None:
            self._poll.register(fd, select.POLLIN)
            return
        if read:
            expected.feed(read)
        expected.feed(b"")

    def until(self, due: int) -> None:
        """Waits until `due` ns after the base, or until an awaited signal."""
        while not self._here:
            wait = self.base + due - time.monotonic_ns()
            if wait < process.SHORTEST:
                break
            # The poll counts in whole milliseconds, and rounds up.
            self._pause(wait // process.SHORTEST - 1)
            wait = self.base + due - time.monotonic_ns()
            if 0 < wait < 2 * process.SHORTEST:
                time.sleep(wait / 1e9)
        while self._pause(0):
            pass

    def signal(self, number: int, due: int) -> None:
        """Waits for an awaited signal, for ever, and goes on as if it had come when it was due."""
        if number not in self._wanted:
            return
        while number not in self._here:
            self._pause(None)
        self._here.remove(number)
        self.base = time.monotonic_ns() - due

    def input(self, count: "int | None", due: int) -> None:
        """Waits until `count` lines or typed bytes have come in all, with None for the end of the input.

        A signal that comes instead does what it does to any program.
        """
        while self._open and (count is None or not self._expected.reached(count)):
            if self._here and not self._pause(0):
                process.end(None, self._here[0])
            self._pause(None)
        self.base = max(self.base, time.monotonic_ns() - due)

    def write(self, fd: int, piece: bytes) -> None:
        """Writes all of `piece`; a client that first writes all it has to say doesn't hold it up for ever."""
        for begin in range(0, len(piece), PIECE):
            while not self._writable(fd):
                pass
            process.write(fd, piece[begin : begin + PIECE])

    def await_kill(self, due: int) -> None:
        """As `process.await_kill`."""
        client = posix.getppid()
        while posix.getppid() == client and time.monotonic_ns() < due + process.GRACE:
            self._pause(50)

    def leave(self) -> None:
        """Takes no more input."""
        if self._open:
            self._open = False
            self._poll.unregister(self._input)

    def _came(self, number: int, _: object) -> None:
        self._here.append(number)

    def _writable(self, fd: int) -> bool:
        self._poll.register(fd, select.POLLOUT)
        try:
            return any(found == fd for found in self._look(None))
        finally:
            self._poll.unregister(fd)

    def _pause(self, most: "int | None") -> bool:
        """Takes what comes in within `most` ms, or for ever; whether anything did."""
        return self._input in self._look(most)

    def _look(self, most: "int | None") -> "tuple[int, ...]":
        """The streams that are ready within `most` ms; input that is there is taken."""
        undecided = self._open and getattr(self._expected, "undecided", False)
        limit = most
        if undecided and (most is None or most > _SETTLE_MS):
            limit = int(_SETTLE_MS)
        found = tuple(fd for fd, _ in self._poll.poll(limit))
        if self._wake in found:
            posix.read(self._wake, 512)
        if self._open and self._input in found:
            self._take()
        elif undecided and limit == _SETTLE_MS:
            self._expected.settle()  # type: ignore[union-attr]  # only what is typed can be undecided
        return found

    def _take(self) -> None:
        try:
            part = posix.read(self._input, 65536)
        except BlockingIOError:
            return
        except OSError:
            # Closed from the start, or a terminal that hung up.
            part = b""
        if not part:
            self.leave()
        self._expected.feed(part)
