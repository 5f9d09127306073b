"""Signals: blocked while the shim stands in between, handed back to agy as the caller gave them."""

import _signal  # type: ignore[import-not-found]  # built in, and not in typeshed
import posix

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import NoReturn

ALL = frozenset(_signal.valid_signals())

MADE_BY_WRITING = frozenset((_signal.SIGPIPE, _signal.SIGXFSZ))
"""What the kernel sends to a process for its own writes; Python ignores both before our first line."""

_DUMPING = frozenset(
    (
        *(_signal.SIGQUIT, _signal.SIGILL, _signal.SIGTRAP, _signal.SIGABRT, _signal.SIGBUS, _signal.SIGFPE),
        *(_signal.SIGSEGV, _signal.SIGXCPU, _signal.SIGXFSZ, _signal.SIGSYS),
    )
)
_EXIT_HAVING_SURVIVED = 128


def block_all() -> "set[int]":
    """Blocks every signal and returns the mask that stood before."""
    return set(_signal.pthread_sigmask(_signal.SIG_SETMASK, ALL))


def children_ignored() -> bool:
    """Whether the caller had SIGCHLD ignored; from here on this process is told of its children."""
    ignored = bool(_signal.getsignal(_signal.SIGCHLD) == _signal.SIG_IGN)
    if ignored:
        _signal.signal(_signal.SIGCHLD, _signal.SIG_DFL)
    return ignored


def hand_back(mask: "Iterable[int]", *, pipe_ignored: bool, chld_ignored: bool = False) -> None:
    """Makes mask and dispositions what the caller gave, as far as Python left that to be known."""
    if _signal.getsignal(_signal.SIGINT) is _signal.default_int_handler:
        _signal.signal(_signal.SIGINT, _signal.SIG_DFL)
    pending = _signal.sigpending()
    for number in MADE_BY_WRITING:
        if number in pending:
            # Ignoring it throws away the one that a failed write of our own has left.
            _signal.signal(number, _signal.SIG_IGN)
        if number == _signal.SIGXFSZ or not pipe_ignored:
            _signal.signal(number, _signal.SIG_DFL)
    if chld_ignored:
        _signal.signal(_signal.SIGCHLD, _signal.SIG_IGN)
    _signal.pthread_sigmask(_signal.SIG_SETMASK, mask)


def discard_pending() -> None:
    """Takes all pending signals off this process, unseen."""
    while _signal.sigtimedwait(ALL, 0) is not None:
        pass


def stop_like(number: int) -> None:
    """Stops this process by the signal that stopped its child, until somebody continues it."""
    if _signal.SIGCONT in _signal.sigpending():
        # Somebody has continued both already, and our own stop would throw that away.
        return
    if number != _signal.SIGSTOP:
        _signal.signal(number, _signal.SIG_DFL)
    # While it is blocked, so that one that is pending already and this one are a single stop.
    posix.kill(posix.getpid(), number)
    _signal.pthread_sigmask(_signal.SIG_UNBLOCK, (number,))
    _signal.pthread_sigmask(_signal.SIG_BLOCK, ALL)


def end_like(status: int) -> "NoReturn":
    """Ends this process as the child with this wait status ended, but for the core-dumped bit."""
    if posix.WIFSIGNALED(status):
        number = posix.WTERMSIG(status)
        if number in _DUMPING:
            _leave_no_core()
        if number != _signal.SIGKILL:
            _signal.signal(number, _signal.SIG_DFL)
            _signal.pthread_sigmask(_signal.SIG_UNBLOCK, (number,))
        posix.kill(posix.getpid(), number)
        # As process 1 of a container a default action doesn't kill.
        posix._exit(_EXIT_HAVING_SURVIVED + number)  # noqa: SLF001 -- its public name is in `os`
    posix._exit(posix.WEXITSTATUS(status))  # noqa: SLF001 -- its public name is in `os`


def _leave_no_core() -> None:
    import resource

    resource.setrlimit(resource.RLIMIT_CORE, (0, resource.getrlimit(resource.RLIMIT_CORE)[1]))
