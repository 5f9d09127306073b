"""Commands that a turn runs: real processes in a session of their own (contract.md 6.1, 6.2)."""

from __future__ import annotations

import os

from fake_agy.clock import TimeUp

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import NamedTuple

    from fake_agy.world import World
else:
    from fake_agy.record import NamedTuple

_SHELL = "/bin/sh"


class Ran(NamedTuple):
    """What a command came to; one that a signal killed has the shell's status for it, and says so."""

    output: str
    exit_code: int
    killed: bool = False


def run_to_its_end(command: str, directory: str, env: Mapping[str, str], world: World) -> Ran:
    """Run a command and read all it prints, both streams as one.

    It is done when its process is: what it left running in the background may hold the pipe as long as it
    likes. A signal or the turn's limit ends the wait and leaves the command running, as agy does.
    """
    from time import monotonic  # commands are rare

    reader, writer = os.pipe2(os.O_CLOEXEC)
    pid = start(command, directory, env, writer)
    os.close(writer)
    began = counted = monotonic()
    pieces: list[bytes] = []
    status: int | None = None
    watched = [reader]
    left = world.clock.left()
    while status is None:
        rest = None if left is None else max(0.0, began + left - monotonic())
        ready = world.interrupts.until_woken(watched, 0.05 if not watched else rest)
        now = monotonic()
        world.clock.spent(now - counted)
        counted = now
        if ready and not _take(reader, pieces):
            watched = []
        ended, found = os.waitpid(pid, os.WNOHANG)
        if ended:
            status = found
        elif left is not None and now >= began + left:
            os.close(reader)
            raise TimeUp
    while watched and world.interrupts.until_woken(watched, 0.0):
        if not _take(reader, pieces):
            watched = []
    os.close(reader)
    code = os.waitstatus_to_exitcode(status)
    return Ran(b"".join(pieces).decode(errors="replace"), code if code >= 0 else 128 - code, code < 0)


def start(command: str, directory: str, env: Mapping[str, str], output: int) -> int:
    """Start a command whose output goes to a descriptor; gives its pid, which leads a session."""
    pid = os.fork()
    if pid:
        return pid
    try:
        os.setsid()
        null = os.open(os.devnull, os.O_RDONLY)
        os.dup2(null, 0)
        os.dup2(output, 1)
        os.dup2(output, 2)
        os.chdir(directory)
        os.execve(_SHELL, ["sh", "-c", command], dict(env))
    except OSError as failed:
        os.write(2, f"sh: {directory}: {failed.strerror}\n".encode(errors="replace"))
    finally:
        os._exit(126)


def is_over(pid: int) -> bool:
    """Say whether a command that was started has ended."""
    try:
        return os.waitpid(pid, os.WNOHANG)[0] != 0
    except ChildProcessError:
        return True


def _take(reader: int, pieces: list[bytes]) -> bool:
    data = os.read(reader, 1 << 16)
    pieces.append(data)
    return bool(data)
