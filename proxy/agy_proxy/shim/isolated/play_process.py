"""What the player does to its own process: signals, writing, waiting, and ending as agy ended."""

import _signal  # type: ignore[import-not-found]  # built in, and not in typeshed
import errno
import posix
import time

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import NoReturn

FAILED = 125
"""The status of a call that is refused."""
SHORTEST = 1_000_000
"""Waits below this many ns are left out: a sleep costs as much."""
GRACE = 2_000_000_000
"""How many ns later than the recorded one a client may kill a call."""
_LOOK = 0.05
_at_end: "list[Callable[[], None]]" = []
AWAITED = (_signal.SIGINT, _signal.SIGTERM, _signal.SIGHUP, _signal.SIGQUIT, _signal.SIGUSR1, _signal.SIGUSR2)
"""The signals that a recording waits for: a client sends them on purpose."""
_CORE = (
    *(_signal.SIGQUIT, _signal.SIGILL, _signal.SIGTRAP, _signal.SIGABRT, _signal.SIGBUS, _signal.SIGFPE),
    *(_signal.SIGSEGV, _signal.SIGXCPU, _signal.SIGXFSZ, _signal.SIGSYS),
)


class DepartureError(Exception):
    """What came in is not what was recorded.

    `what` is ``line`` (another one), ``end`` (before a recorded line), ``more`` (after the last), or
    ``typed``; `number` counts lines, or typed bytes, from 1. `asked` and `recorded` may be cut short.
    """

    def __init__(self, what: str, number: int, asked: bytes, recorded: bytes) -> None:
        super().__init__(what)
        self.what = what
        self.number = number
        self.asked = asked
        self.recorded = recorded


def as_agy(*, sigpipe_ignored: bool) -> None:
    """Undoes what Python did to signals at its start, so that they do to this process what they do to agy."""
    if _signal.getsignal(_signal.SIGINT) is _signal.default_int_handler:
        _signal.signal(_signal.SIGINT, _signal.SIG_DFL)
    for number in (_signal.SIGPIPE, _signal.SIGXFSZ):
        _signal.signal(number, _signal.SIG_IGN if sigpipe_ignored else _signal.SIG_DFL)


class Timetable:
    """When things are due, on an absolute schedule: `base` is the start, in ns of the monotonic clock."""

    __slots__ = ("_awaited", "_here", "base")

    def __init__(self, base: int, awaited: "Iterable[int]") -> None:
        self.base = base
        self._here: list[int] = []
        self._awaited = set(awaited)
        if self._awaited:
            _signal.pthread_sigmask(_signal.SIG_BLOCK, self._awaited)

    def until(self, due: int) -> None:
        """Waits until `due` ns after the base.

        A signal that the recording awaits ends this wait and all until it.
        """
        while not self._here:
            wait = self.base + due - time.monotonic_ns()
            if wait < SHORTEST:
                return
            if not self._awaited:
                time.sleep(wait / 1e9)
                continue
            found = _signal.sigtimedwait(self._awaited, wait / 1e9)
            if found is not None:
                self._here.append(found.si_signo)

    def input(self, count: "int | None", due: int) -> None:
        """Waits for no input: the recording has none that matters."""

    def write(self, fd: int, piece: bytes) -> None:
        """Writes all of `piece`."""
        write(fd, piece)

    def await_kill(self, due: int) -> None:
        """As the function of this name."""
        await_kill(due)

    def leave(self) -> None:
        """Takes no more input."""

    def signal(self, number: int, due: int) -> None:
        """Waits for an awaited signal, for ever, and goes on as if it had come when it was due."""
        if number not in self._awaited:
            return
        if number in self._here:
            self._here.remove(number)
        else:
            while (came := _signal.sigwait(self._awaited)) != number:
                self._here.append(came)
        self.base = time.monotonic_ns() - due


def await_kill(due: int) -> None:
    """Waits for the client to kill this process, which it did at `due`, in ns of the monotonic clock.

    Returns when it has not, or is gone itself.
    """
    client = posix.getppid()
    while posix.getppid() == client and time.monotonic_ns() < due + GRACE:
        time.sleep(_LOOK)


def fill_closed() -> None:
    """Opens what is closed of the three streams, so that no file of ours is taken for one of them."""
    while (fd := posix.open("/dev/null", posix.O_RDWR | posix.O_CLOEXEC)) < 3:
        pass
    posix.close(fd)


def read_stdin(fd: int = 0) -> "bytes | None":
    """Everything on stdin, to its end; None where stdin is closed, a terminal or no stream."""
    if posix.isatty(fd):
        return None
    parts: list[bytes] = []
    while True:
        try:
            part = posix.read(fd, 65536)
        except BlockingIOError:
            wait_readable(fd)
            continue
        except OSError:
            return b"".join(parts) if parts else None
        if not part:
            return b"".join(parts)
        parts.append(part)


def write(fd: int, piece: bytes) -> None:
    """Writes all of `piece`; a stream that is closed or that nobody reads takes nothing."""
    while piece:
        try:
            piece = piece[posix.write(fd, piece) :]
        except BlockingIOError:
            _poll(fd, writing=True)
        except OSError as failed:
            if failed.errno in (errno.EPIPE, errno.EBADF, errno.ECONNRESET):
                return
            raise


def at_end(what: "Callable[[], None]") -> None:
    """Has something undone before this process ends."""
    _at_end.append(what)


def undo() -> None:
    """Undoes it now."""
    while _at_end:
        _at_end.pop()()


def end(code: "int | None", signal: "int | None") -> "NoReturn":
    """Ends this process: with `code`, or by `signal`.

    With neither as a killed recorder's client saw it, by KILL.
    """
    undo()
    if signal is None and code is not None:
        posix._exit(code & 0xFF)  # noqa: SLF001 -- its public name is in `os`, which the shim doesn't load
    number = _signal.SIGKILL if signal is None else signal
    if number in _CORE:
        _no_core()
    if number not in (_signal.SIGKILL, _signal.SIGSTOP):
        _signal.signal(number, _signal.SIG_DFL)
        _signal.pthread_sigmask(_signal.SIG_UNBLOCK, {number})
    posix.kill(posix.getpid(), number)
    # As process 1 of a container a default action doesn't kill.
    posix._exit(128 + number)  # noqa: SLF001 -- as above


def _no_core() -> None:
    import resource

    resource.setrlimit(resource.RLIMIT_CORE, (0, resource.getrlimit(resource.RLIMIT_CORE)[1]))


def wait_readable(fd: int) -> None:
    """Waits until a stream that does not block has something to read."""
    _poll(fd, writing=False)


def _poll(fd: int, *, writing: bool) -> None:
    import select

    poll = select.poll()
    poll.register(fd, select.POLLOUT if writing else select.POLLIN)
    poll.poll()
