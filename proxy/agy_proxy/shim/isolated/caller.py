"""What the caller gave to this process, to be handed on to agy as it was."""

import posix

from agy_proxy.shim.isolated import signals
from agy_proxy.shim.isolated.journal import FIRST_FREE


class Caller:
    """What the caller gave besides streams: mask, ignored SIGCHLD and SIGPIPE, other descriptors."""

    __slots__ = ("chld_ignored", "descriptors", "mask", "pipe_ignored")

    def __init__(self, mask: "set[int]", *, pipe_ignored: bool) -> None:
        self.mask = mask
        self.pipe_ignored = pipe_ignored
        self.chld_ignored = signals.children_ignored()
        try:
            names = posix.listdir("/proc/self/fd")
        except OSError:
            names = []
        self.descriptors = [fd for fd in map(int, names) if fd >= FIRST_FREE and _inherited(fd)]

    def hand_back(self) -> None:
        """Makes this process's signals what the caller gave."""
        signals.hand_back(self.mask, pipe_ignored=self.pipe_ignored, chld_ignored=self.chld_ignored)


def _inherited(fd: int) -> bool:
    """Whether agy gets this descriptor too; the one that listed them is closed by now."""
    try:
        return posix.get_inheritable(fd)
    except OSError:
        return False
