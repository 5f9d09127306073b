"""Signals as the double takes them: noted when they come, acted on where it stands still.

A handler only notes the signal and wakes what waits. So no signal ends a write to the store half-way, and
every wait, read from stdin, read from a command and stalled write to stdout takes one at once.
"""

from __future__ import annotations

import errno
import os
from select import select

TYPE_CHECKING = False
if TYPE_CHECKING:
    import signal as _signal
    from collections.abc import Callable, Sequence
    from typing import Protocol

    class Beside(Protocol):
        """Something that every wait attends to as well: a descriptor, and what is done at each waking."""

        descriptor: int

        @property
        def pause(self) -> float | None:
            """Seconds after which it wants to be attended to in any case."""

        def attend(self, *, typed: bool) -> None:
            """Take what has come; `typed` where the descriptor has input."""

else:
    import _signal  # the signal module brings in enum, which costs more than the rest of the double

PIPE_WRITE = 4096
"""Bytes that a pipe which `select` calls writable takes without blocking."""


class Interrupted(BaseException):
    """SIGINT or SIGTERM came and is not ignored; `number` is the signal's."""

    def __init__(self, number: int) -> None:
        super().__init__(number)
        self.number = number


class Interrupts:
    """The signals of one process; `ignores` says of a signal whether the present state lets it pass."""

    def __init__(self) -> None:
        self.ignores: Callable[[int], bool] = lambda _number: False
        self.state = "starting"
        """What the process is doing, for `ignores`."""

        self.beside: Beside | None = None
        """What is attended to while something else is waited for."""

        self._noted: list[int] = []
        self._wake: int | None = None

    def install(self) -> None:
        """Take SIGINT and SIGTERM; SIGCHLD only wakes. Call it once, in the main thread."""
        self._wake, writer = os.pipe2(os.O_NONBLOCK | os.O_CLOEXEC)
        _signal.set_wakeup_fd(writer, warn_on_full_buffer=False)
        for number in (_signal.SIGINT, _signal.SIGTERM):
            _signal.signal(number, lambda number, _frame: self._noted.append(number))
        self.wake_at(_signal.SIGCHLD)

    def heed(self, number: int) -> None:
        """Take one more signal as those."""
        _signal.signal(number, lambda number, _frame: self._noted.append(number))

    def wake_at(self, number: int) -> None:
        """Let one more signal end a wait of `until_woken`, and nothing else."""
        _signal.signal(number, lambda _number, _frame: None)

    def take(self) -> None:
        """Raise `Interrupted` for a signal that has come and is not ignored."""
        while self._noted:
            number = self._noted.pop(0)
            if not self.ignores(number):
                raise Interrupted(number)

    def sleep(self, seconds: float | None) -> None:
        """Wait; without a limit where `seconds` is None."""
        self.until((), (), seconds)

    def until(
        self, readable: Sequence[int], writable: Sequence[int] = (), seconds: float | None = None
    ) -> tuple[list[int], list[int]]:
        """Wait until a descriptor is ready, and give those that are; none when the time is up."""
        from time import monotonic  # a wait is rare in a double that leaves them out

        deadline = None if seconds is None else monotonic() + seconds
        while True:
            self.take()
            left = None if deadline is None else max(0.0, deadline - monotonic())
            ready, free = self._selected(readable, writable, left)
            self.take()
            if ready or free or (deadline is not None and monotonic() >= deadline):
                return ready, free

    def until_woken(self, readable: Sequence[int], seconds: float | None) -> list[int]:
        """Wait as `until` does, but return at any signal that wakes, such as a child's end, as well."""
        self.take()
        ready, _ = self._selected(readable, (), seconds)
        self.take()
        return ready

    def read(self, descriptor: int) -> bytes:
        """Read what is there, waiting for the first byte; empty at the end."""
        while True:
            self.until((descriptor,))
            try:
                return os.read(descriptor, 1 << 16)
            except BlockingIOError:  # another reader of the same pipe was faster
                continue

    def write(self, descriptor: int, data: bytes) -> None:
        """Write all of it; like agy, go on where nobody takes it (a full disk, a stream that is closed)."""
        while data:
            self.until((), (descriptor,))
            try:
                taken = os.write(descriptor, data[:PIPE_WRITE])
            except BlockingIOError:  # the caller made the pipe non-blocking, and it filled up meanwhile
                continue
            except OSError as failed:
                if failed.errno == errno.EINTR:
                    continue
                return
            data = data[taken:]

    def _selected(
        self, readable: Sequence[int], writable: Sequence[int], seconds: float | None
    ) -> tuple[list[int], list[int]]:
        """Wait once, attend to what stands beside, and give the descriptors that are ready."""
        beside = self.beside
        pause = None if beside is None else beside.pause
        if pause is not None and (seconds is None or pause < seconds):
            seconds = pause
        watched = [*readable, *([] if self._wake is None else [self._wake])]
        ready, free, _ = select(
            [*watched, *([] if beside is None else [beside.descriptor])], writable, [], seconds
        )
        if self._wake in ready:
            ready.remove(self._wake)
            self._drain()
        if beside is not None:
            typed = beside.descriptor in ready
            if typed:
                ready.remove(beside.descriptor)
            self.beside = None
            try:
                beside.attend(typed=typed)
            finally:
                self.beside = beside
        return ready, free

    def _drain(self) -> None:
        if self._wake is None:
            return
        try:
            while os.read(self._wake, 512):
                pass
        except BlockingIOError:
            pass
