"""Input that is answered as it arrives: the player goes on when as many lines have come as had come then."""

import posix
import time

from agy_proxy.shim.isolated.play_process import wait_readable


class Lines:
    """Counts the lines on stdin."""

    __slots__ = ("_ended", "_fd", "_seen", "_wanted")

    def __init__(self, fd: int = 0) -> None:
        self._fd = fd
        self._ended = False
        self._seen = 0
        self._wanted = 0

    def wait(self, count: "int | None") -> int:
        """Waits for `count` more lines, or with None for the end of stdin; the end of stdin ends every wait.

        Returns when that was, in ns of the monotonic clock.
        """
        if count is not None:
            self._wanted += count
        while not self._ended and (count is None or self._seen < self._wanted):
            try:
                part = posix.read(self._fd, 65536)
            except BlockingIOError:
                wait_readable(self._fd)
                continue
            except OSError:
                part = b""
            self._ended = not part
            self._seen += part.count(b"\n")
        return time.monotonic_ns()
