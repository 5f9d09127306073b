"""The client of a run: the environment it gets, and running it to its end."""

import os
import resource
import signal
import subprocess
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import FrameType
from typing import NoReturn

from agy_cassettes.errors import UserError

AGY_VARIABLES = (
    "AGY_BIN",
    "AGY_PATH",
    "AGY_CMD",
    "AGY_BIN_PATH",
    "AGY_ACP_AGY_PATH",
    "ANTIGRAVITY_CLI_PATH",
    "HAPPY_AGY_PATH",
    "CCGRAM_ANTIGRAVITY_COMMAND",
)
"""The variables in which known clients look for agy before they look on PATH."""

FORWARDED = (signal.SIGTERM, signal.SIGHUP)
"""A terminal sends its own signals to the client too; these reach a run alone, so they are passed on."""


@dataclass(frozen=True, slots=True)
class Ended:
    """How a process ended: a code, or the number of the signal that killed it."""

    code: int | None = None
    signal: int | None = None

    @property
    def succeeded(self) -> bool:
        """Whether it ended with code 0."""
        return self.code == 0

    def as_json(self) -> dict[str, int]:
        """The form of ``client_exit`` in the summary."""
        return {"signal": self.signal} if self.signal is not None else {"code": self.code or 0}


def client_environment(
    env: Mapping[str, str], *, shim: Path, home: Path | None, cassette: Path | None
) -> dict[str, str]:
    """What the client gets: `shim` first on PATH and in every variable known clients read.

    `home` replaces HOME where it is given; `cassette` is told as AGY_PROXY_CASSETTE.
    """
    given = dict(env)
    path = env.get("PATH") or os.defpath
    given["PATH"] = f"{shim.parent}{os.pathsep}{path}"
    given.update(dict.fromkeys(AGY_VARIABLES, str(shim)))
    if home is not None:
        given["HOME"] = str(home)
    if cassette is not None:
        given["AGY_PROXY_CASSETTE"] = str(cassette)
    return given


def run_client(argv: Sequence[str], env: Mapping[str, str]) -> Ended:
    """Runs the client with our own streams, to its end; SIGTERM and SIGHUP are passed on to it.

    Raises `UserError` with status 127 where there is no such program and 126 where it can't be executed.
    """
    with _passing_on() as hand_over:
        try:
            client = subprocess.Popen(list(argv), env=dict(env))
        except FileNotFoundError:
            what = f"the client {argv[0]!r} was not found; give a path or a name that is on PATH"
            raise UserError(what, status=127) from None
        except OSError as refused:
            why = (refused.strerror or "").lower() if argv[0] else "its name is empty"
            what = f"the client {argv[0]!r} can't be executed: {why}; give a program that can"
            raise UserError(what, status=126) from None
        hand_over(client)
        status = client.wait()
    return Ended(signal=-status) if status < 0 else Ended(code=status)


def end_like(ended: Ended) -> NoReturn:
    """Ends this process as the client ended, by the same signal where it was a signal."""
    if ended.signal is not None:
        resource.setrlimit(resource.RLIMIT_CORE, (0, resource.getrlimit(resource.RLIMIT_CORE)[1]))
        if ended.signal not in (signal.SIGKILL, signal.SIGSTOP):
            signal.signal(ended.signal, signal.SIG_DFL)
        os.kill(os.getpid(), ended.signal)
        # As process 1 of a container a default action doesn't kill.
        raise SystemExit(128 + ended.signal)
    raise SystemExit(ended.code)


@contextmanager
def _passing_on() -> Iterator[Callable[[subprocess.Popen[bytes]], None]]:
    """While the client runs, signals to this process are the client's; gives what tells which that is."""
    target: list[subprocess.Popen[bytes]] = []
    early: list[int] = []

    def hand_over(client: subprocess.Popen[bytes]) -> None:
        target.append(client)
        # What came while the client was being started is the client's too.
        while early:
            client.send_signal(early.pop(0))

    def forward(number: int, _frame: FrameType | None) -> None:
        if target:
            target[0].send_signal(number)
        else:
            early.append(number)

    def keep(_number: int, _frame: FrameType | None) -> None:
        """The terminal interrupts the client itself; this process stays to save what was recorded."""

    handlers = {**dict.fromkeys(FORWARDED, forward), signal.SIGINT: keep, signal.SIGQUIT: keep}
    before = {number: signal.getsignal(number) for number in handlers}
    for number, action in handlers.items():
        if before[number] is not signal.SIG_IGN:
            signal.signal(number, action)
    try:
        yield hand_over
    finally:
        for number, was in before.items():
            signal.signal(number, was)
