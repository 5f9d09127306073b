"""A client of a program on a terminal: a pty of a given size, what is shown on it, what is typed."""

import fcntl
import os
import pty
import select
import signal
import struct
import subprocess
import termios
import time
from collections.abc import Callable
from types import TracebackType
from typing import Any, Self

from tests.support.screen_reader import ScreenReader

LIMIT = 30.0
"""Seconds after which what was waited for is taken never to come."""


class Terminal:
    """A process on a terminal of its own, `size` in columns and rows; it is killed at the end of a `with`."""

    def __init__(self, command: dict[str, Any], *, size: tuple[int, int] = (80, 24)) -> None:
        self._leader, self._follower = pty.openpty()
        self.reader = ScreenReader(*size)
        self._set_size(size)
        self.modes = termios.tcgetattr(self._follower)
        self.process = subprocess.Popen(
            **command,
            stdin=self._follower,
            stdout=self._follower,
            stderr=self._follower,
            start_new_session=True,
        )
        self.seen = b""

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()
        os.close(self._leader)
        if self._follower >= 0:
            os.close(self._follower)

    def type(self, text: str | bytes) -> None:
        """Type at once, as one burst."""
        os.write(self._leader, text if isinstance(text, bytes) else text.encode())

    def enter(self, text: str) -> None:
        """Type a text, wait until it is shown, and then press Enter."""
        self.type(text)
        self.shows(f"> {text}"[: self.reader.columns])
        self.type("\r")

    def shows(self, text: str) -> None:
        """Wait until a text stands on the screen."""
        self.until(lambda: text in self.reader.text(), f"{text!r} is shown")

    def hides(self, text: str) -> None:
        """Wait until a text no longer stands on the screen."""
        self.until(lambda: text not in self.reader.text(), f"{text!r} is gone")

    def until(self, so: Callable[[], bool], what: str) -> None:
        """Read until something is so."""
        deadline = time.monotonic() + LIMIT
        while not so():
            self._read(time.monotonic() + 0.02)
            if time.monotonic() > deadline:
                raise AssertionError(f"not so: {what}; it shows\n{self.reader.text()}")

    def resize(self, size: tuple[int, int]) -> None:
        """Change the size and say so, as the kernel does for a terminal's own programs."""
        self.reader.resize(*size)
        self._set_size(size)
        self.process.send_signal(signal.SIGWINCH)

    def ends(self) -> int:
        """Wait for the process to end and read the rest; gives its exit status."""
        deadline = time.monotonic() + LIMIT
        while self.process.poll() is None:
            if time.monotonic() > deadline:
                raise AssertionError(f"it did not end; it shows\n{self.reader.text()}")
            self._read(time.monotonic() + 0.05)
        while self._read(time.monotonic() + 0.05):
            pass
        return self.process.returncode

    def is_as_before(self) -> bool:
        """Say whether the terminal's modes are those it had at first."""
        return bool(termios.tcgetattr(self._follower) == self.modes)

    def hang_up(self) -> None:
        """Close the terminal's other side, as a window that is closed does."""
        os.close(self._follower)
        self._follower = -1
        self.process.send_signal(signal.SIGHUP)

    def _read(self, deadline: float) -> bool:
        """Read what is there by then; False where nothing is."""
        left = max(0.0, deadline - time.monotonic())
        if not select.select([self._leader], [], [], left)[0]:
            return False
        try:
            data = os.read(self._leader, 1 << 16)
        except OSError:  # nobody has the other side open
            return False
        self.seen += data
        self.reader.feed(data)
        return bool(data)

    def _set_size(self, size: tuple[int, int]) -> None:
        fcntl.ioctl(self._leader, termios.TIOCSWINSZ, struct.pack("HHHH", size[1], size[0], 0, 0))
