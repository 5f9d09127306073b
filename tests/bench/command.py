"""Commands run and timed as a caller sees them: from the start until all is over and its output is read."""

import os
import signal
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Self

from tests.bench.trouble import BenchError

CHUNK = 1 << 17
DOWN_TO = 4096


@dataclass(frozen=True, slots=True)
class Command:
    """A command line, and what its output must be to count; None: anything but nothing."""

    argv: tuple[str, ...]
    expected: bytes | None = None


@dataclass(frozen=True, slots=True)
class Ended:
    """A command that has ended: seconds, its output's end and size in bytes, CLOCK_REALTIME ns at its end."""

    seconds: float
    tail: bytes
    size: int
    at: int


def run(command: Command, env: Mapping[str, str]) -> Ended:
    """Run a command to its end; raises `BenchError` where it fails or says something else than expected."""
    began = time.monotonic_ns()
    with Started(command.argv, env) as process:
        size, tail = 0, b""
        buffer = bytearray(CHUNK)
        while count := os.readv(process.stdout, [buffer]):
            size += count
            tail = (tail + bytes(buffer[max(0, count - DOWN_TO) : count]))[-DOWN_TO:]
        complaint = process.rest()
        status = process.wait()
        ended, at = time.monotonic_ns(), time.time_ns()
    expected = command.expected
    wrong = not size if expected is None else (len(expected), expected[-DOWN_TO:]) != (size, tail)
    if status != 0 or wrong:
        said = (complaint or tail)[-500:].decode(errors="replace")
        raise BenchError(f"{Path(command.argv[0]).name}: status {status}, {size} bytes of output: {said}")
    return Ended((ended - began) / 1e9, tail, size, at)


class Started:
    """A command that runs, in a group of its own: nothing on its stdin, pipes on its stdout and stderr."""

    def __init__(self, argv: Sequence[str], env: Mapping[str, str]) -> None:
        self._over = False
        self.stdout, out = os.pipe()
        self._stderr, err = os.pipe()
        actions = [
            (os.POSIX_SPAWN_OPEN, 0, "/dev/null", os.O_RDONLY, 0),
            (os.POSIX_SPAWN_DUP2, out, 1),
            (os.POSIX_SPAWN_DUP2, err, 2),
        ]
        try:
            self.pid = os.posix_spawn(argv[0], list(argv), dict(env), file_actions=actions, setpgroup=0)
        except OSError as error:
            raise BenchError(f"{argv[0]} can't be run: {error.strerror}") from error
        finally:
            os.close(out)
            os.close(err)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        """Kill what is left of it; nothing is, but when the measurement broke off."""
        if self._over:
            return
        with suppress(ProcessLookupError):
            os.killpg(self.pid, signal.SIGKILL)
        self.wait()

    def rest(self) -> bytes:
        """What is left to read of its stderr, once its stdout is at its end."""
        os.close(self.stdout)
        parts = []
        while part := os.read(self._stderr, CHUNK):
            parts.append(part)
        os.close(self._stderr)
        return b"".join(parts)

    def wait(self) -> int:
        """Its exit code, or minus the signal that ended it."""
        status = os.waitpid(self.pid, 0)[1]
        self._over = True
        return os.waitstatus_to_exitcode(status)


@contextmanager
def within(seconds: int, what: str) -> Iterator[None]:
    """Raises `BenchError` where the body takes longer, so that what hangs is told and not waited for."""

    def give_up(*_: object) -> None:
        raise BenchError(f"{what} did not end within {seconds} s")

    before = signal.signal(signal.SIGALRM, give_up)
    signal.alarm(seconds)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)
