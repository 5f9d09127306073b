"""Terminals: how the caller's one is set, and those that agy gets in its place.

Loaded only where one of the caller's streams is a terminal.
"""

import _signal  # type: ignore[import-not-found]  # built in, and not in typeshed
import fcntl
import posix
import sys
import termios

from agy_proxy.shim.isolated.journal import FIRST_FREE, above_streams

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    Modes = list[Any]

_INPUT, _OUTPUT, _LOCAL, _CHARACTERS = 0, 1, 3, 6


def pair(outer: int) -> "tuple[int, int]":
    """A terminal for output alone, both its ends: as the caller's, but that leaves the processing to that."""
    leader, follower = _opened()
    modes = modes_of(outer)
    if modes is not None:
        modes[_OUTPUT] &= ~termios.OPOST
        set_modes(follower, modes)
    follow_size(outer, leader)
    return leader, follower


class Seat:
    """The terminal at which somebody sits, and the inner one that agy gets in its place.

    `outer` is the former, `leader` the other side of the latter, which never blocks. `control`: whether the
    outer one controls the caller's session, so that its keys are signals there.
    """

    __slots__ = ("_raw", "_saved", "control", "leader", "outer")

    def __init__(self, outer: int, leader: int) -> None:
        self.outer = fcntl.fcntl(outer, fcntl.F_DUPFD_CLOEXEC, FIRST_FREE)
        self.leader = fcntl.fcntl(leader, fcntl.F_DUPFD_CLOEXEC, FIRST_FREE)
        self._saved: Modes | None = None
        self._raw: Modes | None = None
        try:
            posix.tcgetpgrp(outer)
            self.control = True
        except OSError:
            self.control = False

    def take(self) -> None:
        """Has the outer terminal pass on all that is typed, and all that is shown, as it is."""
        modes = modes_of(self.outer)
        if self._saved is not None and modes == self._raw:
            # It was never given back.
            return
        self._saved = modes
        if modes is not None:
            set_modes(self.outer, _raw(modes))
            self._raw = modes_of(self.outer)

    def give_back(self, modes: "Modes | None" = None) -> None:
        """Sets the outer terminal as it was, or so, unless somebody has set it meanwhile."""
        if self._saved is not None and modes_of(self.outer) == self._raw:
            set_modes(self.outer, self._saved if modes is None else modes)
        self._saved = None

    def wait_for_foreground(self, mask: "set[int]") -> None:
        """Stops, as any process does that sets its terminal from the background, until it is in front.

        `mask` is the caller's: with SIGTTOU blocked nobody stops.
        """
        modes = modes_of(self.outer)
        if modes is None:
            return
        if modes != self._raw:
            # The standby has it otherwise, and takes it in the same way.
            self._saved, self._raw = modes, _raw(modes)
        if not self.control or _signal.SIGTTOU in mask:
            return
        _signal.pthread_sigmask(_signal.SIG_UNBLOCK, (_signal.SIGTTOU,))
        set_modes(self.outer, modes)
        _signal.pthread_sigmask(_signal.SIG_BLOCK, (_signal.SIGTTOU,))

    def processed_no_more(self) -> None:
        """Leaves the processing of what is written from now on to the outer terminal."""
        modes = modes_of(self.leader)
        if modes is not None:
            modes[_OUTPUT] &= ~termios.OPOST
            set_modes(self.leader, modes)

    def let_go_of_leader(self) -> None:
        """Lets go of the inner terminal, which hangs up once nobody holds it from this side."""
        null = posix.open("/dev/null", posix.O_RDWR | posix.O_CLOEXEC)
        # Under its number is something where nothing can be set any more.
        posix.dup2(null, self.leader, inheritable=False)
        posix.close(null)


def session_pair(outer: int) -> "tuple[int, int]":
    """A whole terminal, set as the caller's, both its ends."""
    leader, follower = _opened()
    modes = modes_of(outer)
    if modes is not None:
        set_modes(follower, modes)
    follow_size(outer, leader)
    return leader, follower


def control(follower: int) -> None:
    """Makes it the controlling terminal of this process, which leads a session."""
    fcntl.ioctl(follower, termios.TIOCSCTTY, 0)


def _raw(modes: "Modes") -> "Modes":
    characters = list(modes[_CHARACTERS])
    characters[termios.VMIN], characters[termios.VTIME] = 1, 0
    raw = [*modes[:_CHARACTERS], characters]
    raw[_INPUT] &= ~(
        (termios.IGNBRK | termios.BRKINT | termios.PARMRK | termios.ISTRIP | termios.INLCR)
        | (termios.IGNCR | termios.ICRNL | termios.IXON | termios.IXOFF)
    )
    raw[_OUTPUT] &= ~termios.OPOST
    raw[_LOCAL] &= ~(termios.ECHO | termios.ECHONL | termios.ICANON | termios.ISIG | termios.IEXTEN)
    return raw


def _opened() -> "tuple[int, int]":
    leader, follower = posix.openpty()
    # Two threads may want to read what both have seen come.
    posix.set_blocking(leader, False)
    return above_streams(leader), above_streams(follower)


def modes_of(fd: int) -> "Modes | None":
    """How a terminal is set; None where it is gone."""
    try:
        return termios.tcgetattr(fd)
    except termios.error:
        return None


def set_modes(fd: int, modes: "Modes") -> None:
    """Sets a terminal, as far as it is still there."""
    try:
        termios.tcsetattr(fd, termios.TCSANOW, modes)
    except termios.error:
        # Hung up: there is nothing left to be set.
        pass


def size_of(fd: int) -> "bytes | None":
    """``ROWS COLS``; None where the terminal is gone."""
    size = _size(fd)
    if size is None:
        return None
    return b"%d %d" % (int.from_bytes(size[:2], sys.byteorder), int.from_bytes(size[2:4], sys.byteorder))


def follow_size(outer: int, inner: int) -> bool:
    """Gives the inner terminal the outer one's size; whether it had another one."""
    size = _size(outer)
    if size is None or size == _size(inner):
        return False
    try:
        fcntl.ioctl(inner, termios.TIOCSWINSZ, size)
    except OSError:
        # Nobody has it open any more.
        return False
    return True


def _size(fd: int) -> "bytes | None":
    try:
        return fcntl.ioctl(fd, termios.TIOCGWINSZ, bytes(8))
    except OSError:
        return None
