"""The double as a process: real streams, signals, environment and clock."""

import os
import signal
from collections.abc import Sequence
from pathlib import Path
from types import FrameType

from fake_agy.clock import clock_of
from fake_agy.main import NOT_PLAYED, World, main
from fake_agy.settings import DoubleSettings


def run(argv: Sequence[str], settings: DoubleSettings) -> int:
    """Play one call in this process and return its exit status; `argv` is without the program's name."""
    _prepare()
    words = [os.fsencode(word).decode(errors="surrogateescape") for word in argv]
    _count(words, settings)
    home = settings.home or os.environ.get("HOME")
    with (
        open(1, "wb", buffering=0, closefd=False) as stdout,
        open(2, "wb", buffering=0, closefd=False) as stderr,
    ):
        world = World(
            read_stdin=_read_stdin,
            stdin_is_tty=os.isatty(0),
            stdout=stdout,
            stderr=stderr,
            clock=clock_of(settings.clock, settings.speed),
            home=Path(home) if home else None,
            cwd=_working_directory(),
            pid=os.getpid(),
        )
        try:
            return main(words, world, settings)
        except OSError as trouble:
            world.err(f"fake-agy: the double can't read its input or keep its store: {trouble}\n")
            return NOT_PLAYED


def _count(words: Sequence[str], settings: DoubleSettings) -> None:
    """Add a line to the file of calls, in one write, since several doubles may do so at once."""
    if settings.calls is None:
        return
    descriptor = os.open(settings.calls, os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC, 0o600)
    os.write(descriptor, f"{words!a}\n".encode("ascii"))
    os.close(descriptor)


def _read_stdin() -> bytes:
    chunks = []
    while chunk := os.read(0, 1 << 16):
        chunks.append(chunk)
    return b"".join(chunks)


def _working_directory() -> str:
    try:
        cwd = str(Path.cwd())
    except FileNotFoundError:  # removed under the caller's feet
        cwd = os.environ.get("PWD", "/")
    return os.fsencode(cwd).decode(errors="replace")


def _prepare() -> None:
    """Set the process up as agy's: no standard stream closed, death by SIGPIPE, exit 1 when ended."""
    for descriptor in (0, 1, 2):
        try:
            os.fstat(descriptor)
        except OSError:
            os.open(os.devnull, os.O_RDWR)
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, _end)


def _end(number: int, frame: FrameType | None) -> None:  # noqa: ARG001 - the signature of a signal handler
    os._exit(1)
