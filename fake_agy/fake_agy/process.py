"""The double as a process: real streams, signals, environment and clock."""

from __future__ import annotations

import os
import sys
import time

from fake_agy.clock import clock_of
from fake_agy.interrupts import Interrupts
from fake_agy.main import NOT_PLAYED, Done, main
from fake_agy.world import Stdin, World

TYPE_CHECKING = False
if TYPE_CHECKING:
    import signal as _signal
    from collections.abc import Sequence
    from typing import NoReturn

    from fake_agy.settings import DoubleSettings
else:
    import _signal  # the signal module brings in enum, which costs more than the rest of the double


def run(argv: Sequence[str], settings: DoubleSettings) -> NoReturn:
    """Play one call in this process and end it; `argv` is without the program's name.

    The process ends without Python's own clearing up: a database that agy leaves open stays as it is.
    """
    _prepare()
    words = tuple(os.fsencode(word).decode(errors="surrogateescape") for word in argv)
    key = f"{os.getpid()}-{time.time_ns()}"
    done = Done(NOT_PLAYED)
    try:
        interrupts = Interrupts()
        interrupts.install()
        _count(settings, ("began", key, list(words)))
        done = main(words, _world(settings, interrupts), settings)
        _count(settings, ("ended", key, done.prompt, done.conversation, done.resumed, done.exit))
    except Exception as trouble:  # whatever it is, a caller of agy gets one line and a status
        _say_trouble(trouble, settings.home or os.environ.get("HOME") or "/")
        done = Done(NOT_PLAYED)
    os._exit(done.exit)


def _world(settings: DoubleSettings, interrupts: Interrupts) -> World:
    home = settings.home or os.environ.get("HOME")
    return World(
        stdin=Stdin(stream_kind(0), lambda: interrupts.read(0)),
        out=lambda text: interrupts.write(1, text.encode(errors="surrogateescape")),
        err=lambda text: interrupts.write(2, text.encode(errors="surrogateescape")),
        stdout_is_tty=os.isatty(1),
        clock=clock_of(settings.clock, settings.speed, interrupts.sleep),
        interrupts=interrupts,
        home=home or None,
        cwd=_working_directory(),
        env=os.environ,
        pid=os.getpid(),
        program=os.path.basename(sys.argv[0]) or "agy",
    )


def _count(settings: DoubleSettings, line: tuple[object, ...]) -> None:
    """Add a line to the file of calls, in one write, since several doubles may do so at once."""
    if settings.calls is None:
        return
    descriptor = os.open(settings.calls, os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC, 0o600)
    os.write(descriptor, f"{line!a}\n".encode("ascii"))
    os.close(descriptor)


def _say_trouble(trouble: Exception, home: str) -> None:
    try:
        os.write(
            2, f"fake-agy: the double can't play this call: {_told(trouble, home)}\n".encode(errors="replace")
        )
    except OSError:  # nobody to say it to
        return


def _told(trouble: Exception, home: str) -> str:
    if not isinstance(trouble, OSError) or trouble.strerror is None:
        return " ".join(str(trouble).split()) or type(trouble).__name__
    if trouble.filename is None:
        return trouble.strerror.lower()
    place = os.fsdecode(trouble.filename)
    below = place.startswith(home.rstrip("/") or home) or home.startswith(place)
    advice = "; it keeps its files below HOME, and has to be able to write there" if below else ""
    return f"{place}: {trouble.strerror.lower()}{advice}"


def stream_kind(descriptor: int) -> str:
    """Say what a stream is: terminal, device, pipe or file; a socket is a pipe to agy."""
    from stat import S_ISCHR, S_ISREG

    mode = os.fstat(descriptor).st_mode
    if os.isatty(descriptor):
        return "terminal"
    if S_ISCHR(mode):
        return "device"
    return "file" if S_ISREG(mode) else "pipe"


def _working_directory() -> str:
    try:
        cwd = os.getcwd()
    except FileNotFoundError:  # removed under the caller's feet
        cwd = os.environ.get("PWD", "/")
    return os.fsencode(cwd).decode(errors="replace")


def _prepare() -> None:
    """Set the process up as agy's: no standard stream closed, death by SIGPIPE."""
    for descriptor in (0, 1, 2):
        try:
            os.fstat(descriptor)
        except OSError:
            os.open(os.devnull, os.O_RDWR)
    _signal.signal(_signal.SIGPIPE, _signal.SIG_DFL)
