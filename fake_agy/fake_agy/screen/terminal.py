"""The real terminal: raw while a screen is shown, and as it was before on every way out."""

from __future__ import annotations

import os
import termios

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

WITHOUT_SIZE = (80, 24)
"""Columns and rows of a terminal that doesn't say."""


class Terminal:
    """One terminal, read from a descriptor and written to by `write`, which takes all of a text."""

    def __init__(self, source: int, write: Callable[[str], None]) -> None:
        self.source = source
        self.write = write
        self._before: list[Any] | None = None

    def raw(self) -> None:
        """Give every key as it comes, unechoed; what was typed before is kept."""
        self._before = termios.tcgetattr(self.source)
        flags = termios.tcgetattr(self.source)
        flags[0] &= ~(
            termios.IGNBRK
            | termios.BRKINT
            | termios.PARMRK
            | termios.ISTRIP
            | termios.INLCR
            | termios.IGNCR
            | termios.ICRNL
            | termios.IXON
        )
        flags[1] &= ~termios.OPOST
        flags[2] = flags[2] & ~(termios.CSIZE | termios.PARENB) | termios.CS8
        flags[3] &= ~(termios.ECHO | termios.ECHONL | termios.ICANON | termios.ISIG | termios.IEXTEN)
        flags[6][termios.VMIN], flags[6][termios.VTIME] = 1, 0
        termios.tcsetattr(self.source, termios.TCSANOW, flags)

    def restore(self) -> None:
        """Put the terminal back, once; nothing is left to put back where it has hung up."""
        if self._before is None:
            return
        try:
            termios.tcsetattr(self.source, termios.TCSANOW, self._before)
        except termios.error:
            return
        finally:
            self._before = None

    def size(self) -> tuple[int, int]:
        """Give columns and rows."""
        try:
            columns, rows = os.get_terminal_size(self.source)
        except OSError:
            return WITHOUT_SIZE
        return columns or WITHOUT_SIZE[0], rows or WITHOUT_SIZE[1]

    def read(self) -> bytes | None:
        """Read what is there; None where the terminal has hung up."""
        try:
            return os.read(self.source, 1 << 16) or None
        except BlockingIOError:  # another reader was faster
            return b""
        except OSError:
            return None
