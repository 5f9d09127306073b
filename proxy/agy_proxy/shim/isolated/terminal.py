"""Terminals: how the caller's one is set, and those that agy gets in its place.

Loaded only where one of the caller's streams is a terminal.
"""

import fcntl
import posix
import sys
import termios

from agy_proxy.shim.isolated.journal import above_streams

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


def _opened() -> "tuple[int, int]":
    leader, follower = posix.openpty()
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
