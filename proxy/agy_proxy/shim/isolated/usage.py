"""How a child ended, and the most memory that it had."""

import posix
import sys

_UNIT = 1 if sys.platform == "darwin" else 1024


def prepare() -> None:
    """Loads what `wait` needs, so that it is there when the child ends."""
    try:
        import resource  # noqa: F401 -- wait4 looks for it only after it has reaped
    except ImportError:
        # An interpreter without it waits as ever.
        pass


def wait(pid: int, flags: int) -> "tuple[int, int, int]":
    """As `posix.waitpid`; third, the bytes of memory that the child had at most, 0 where that isn't known.

    It counts what the child was before it executed another program, and the largest of those that it waited
    for itself.
    """
    if "resource" not in sys.modules:
        return (*posix.waitpid(pid, flags), 0)
    found, status, used = posix.wait4(pid, flags)
    return found, status, used.ru_maxrss * _UNIT
