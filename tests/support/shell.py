"""A shell with job control on a terminal, typed at as people do, and what its screen shows."""

import contextlib
import os
import shlex
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from types import TracebackType
from typing import Self

import pexpect
import psutil
import pyte

from tests.support.direct_or_shim import PATIENCE, Agy, environment

PROMPT = "ready> "


class OnTerminal:
    """A command on a controlling terminal of its own, `size` in rows and columns."""

    def __init__(
        self,
        command: Sequence[str | Path],
        *,
        size: tuple[int, int] = (24, 80),
        cwd: Path | None = None,
        found_first: Path = Path("/usr/bin"),
    ) -> None:
        first, *rest = map(str, command)
        self.screen = pyte.Screen(size[1], size[0])
        self._stream = pyte.ByteStream(self.screen)
        self.seen = b""
        variables = environment(PATH=f"{found_first}:{os.environ['PATH']}", TERM="xterm", LANG="C.UTF-8")
        self.child: pexpect.spawn[bytes] = pexpect.spawn(
            first, rest, dimensions=size, cwd=cwd, env=variables, timeout=PATIENCE
        )
        self.child.delaybeforesend = None
        self.child.delayafterclose = self.child.delayafterterminate = 0.01

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        with contextlib.suppress(psutil.NoSuchProcess):
            for each in [*psutil.Process(self.child.pid).children(recursive=True)]:
                with contextlib.suppress(psutil.NoSuchProcess):
                    each.kill()
        self.child.close(force=True)

    def type(self, text: str | bytes) -> None:
        """Type it at once."""
        self.child.send(text)

    def resize(self, rows: int, columns: int) -> None:
        """Change the terminal's size, of which the kernel tells its programs."""
        self.screen.resize(rows, columns)
        self.child.setwinsize(rows, columns)

    def text(self) -> str:
        """What stands on the screen."""
        return "\n".join(line.rstrip() for line in self.screen.display).rstrip("\n")

    def until(self, so: Callable[[], bool], what: str) -> None:
        """Read until something is so."""
        deadline = time.monotonic() + PATIENCE
        while not so():
            assert time.monotonic() < deadline, f"not so: {what}; it shows\n{self.text()}"
            self.read(0.01)

    def shows(self, text: str) -> None:
        """Wait until it stands on the screen."""
        self.until(lambda: text in self.text(), f"{text!r} is shown")

    def writes(self, told: bytes) -> None:
        """Wait until it was written to the terminal."""
        self.until(lambda: told in self.seen, f"{told!r} is written")

    def looks(self, screen: str) -> None:
        """Wait until nothing else stands on the screen."""
        self.until(lambda: self.text() == screen, f"it looks like\n{screen}")

    def at_rest(self) -> str:
        """What stands on the screen when nothing more is written."""
        before = b""
        while before != self.seen:
            before = self.seen
            self.read(0.2)
        return self.text()

    def shows_times(self, text: str, times: int) -> None:
        """Wait until it stands there so many times."""
        self.until(lambda: self.text().count(text) == times, f"{text!r} is shown {times} times")

    def ends(self) -> int:
        """Read to the end; the command's status, negative for a signal."""
        with contextlib.suppress(pexpect.EOF):
            while True:
                self._take(PATIENCE)
        self.child.wait()
        if self.child.signalstatus is not None:
            return -int(self.child.signalstatus)
        assert self.child.exitstatus is not None
        return self.child.exitstatus

    def hang_up(self) -> None:
        """Close the terminal's other side, as a window that is closed does."""
        vars(self.child)["ptyproc"].fileobj.close()

    def read(self, seconds: float) -> None:
        """Take what comes within that time."""
        with contextlib.suppress(pexpect.EOF):
            self._take(seconds)

    def _take(self, seconds: float) -> None:
        with contextlib.suppress(pexpect.TIMEOUT):
            data = self.child.read_nonblocking(65536, seconds)
            self.seen += data
            self._stream.feed(data)


class Shell(OnTerminal):
    """An interactive bash, ready to be typed at; `agy` there is the given one."""

    def __init__(self, agy: Agy, *, size: tuple[int, int] = (24, 80)) -> None:
        super().__init__(
            ["bash", "--norc", "--noprofile", "-i"], size=size, cwd=agy.folder, found_first=agy.path.parent
        )
        self.type(f"PS1='{PROMPT}'; bind 'set enable-bracketed-paste off'; clear\r")
        self.until(lambda: self.text() == PROMPT.rstrip(), "the prompt")

    def run(self, *words: str | Path, then: str = "") -> None:
        """Type a command; `then` goes on behind it."""
        self.type(shlex.join(map(str, words)) + then + "\r")

    def prompts(self) -> None:
        """Wait until the shell is ready again."""
        self.until(lambda: self.text().endswith(f"\n{PROMPT.rstrip()}"), "the prompt")

    def told(self, *words: str | Path, then: str = "") -> str:
        """Run a command to its end on an empty screen; what it showed."""
        self.type("\x0c")
        self.until(lambda: self.text() == PROMPT.rstrip(), "an empty screen")
        self.run(*words, then=then)
        self.prompts()
        return self.text()
