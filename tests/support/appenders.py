"""Real processes that append to one cassette, and die while they do.

Run as ``python -m tests.support.appenders all PATH COUNT`` or ``... killed PATH COUNT SEED``: it forks, which
the test runner with its threads had better not.
"""

import json
import os
import random
import signal
import sys
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import NoReturn

from agy_cassettes.appender import open_for_append
from agy_cassettes.interaction import Interaction
from agy_cassettes.layout import END_LINE
from agy_cassettes.verify import verify
from tests.support.interactions import interaction

PHASES = ("before the write", "in the write", "after the write", "any time")


def numbered(number: int, size: int = 20_000) -> Interaction:
    """An interaction whose bodies follow from its number."""
    line = f"{number}: word\n".encode()
    return interaction(
        f"01J0-{number}",
        prompt=f"Prompt {number}",
        stdout=line * (size // len(line)),
        stderr=b"\x1b[0m" + line,
    )


def append(path: Path, record: Interaction) -> None:
    """Append as a recorder does."""
    with open_for_append(path, clock=time.time_ns) as tail:
        tail.append(record)


def start(work: Callable[[], None]) -> int:
    """Fork a process that does the work and gives its pid."""
    pid = os.fork()
    if pid == 0:
        _finish(work)
    return pid


def _finish(work: Callable[[], None]) -> NoReturn:
    status = 1
    try:
        work()
        status = 0
    finally:
        os._exit(status)


def all_at_once(path: Path, count: int) -> int:
    """Append one record from each of many processes that start together; gives how many failed."""
    gate_in, gate_out = os.pipe()

    def work(number: int) -> None:
        os.close(gate_out)
        os.read(gate_in, 1)
        append(path, numbered(number, 1000 + 4000 * number))

    pids = [start(partial(work, number)) for number in range(count)]
    os.close(gate_out)
    return sum(os.waitpid(pid, 0)[1] != 0 for pid in pids)


def kill_many(path: Path, count: int, draw: random.Random) -> dict[str, object]:
    """Kill appenders, two at a time; gives the ids they reported, the phases, and what `verify` missed."""
    append(path, numbered(10**6, 200_000))
    saved: list[str] = []
    phases: list[str] = []
    torn = 0
    wrong: list[str] = []
    for first in range(0, count, 2):
        readers = []
        pids = []
        for number in (first, first + 1):
            reader, writer = os.pipe()
            phase = PHASES[number % len(PHASES)]
            phases.append(phase)
            pids.append(start(partial(_append_until_killed, path, number, writer, phase, draw.random())))
            os.close(writer)
            readers.append(reader)
        for pid in draw.sample(pids, 2):
            # A fault at a time drawn at random, not a wait for anything.
            time.sleep(draw.uniform(0.002, 0.03))
            os.kill(pid, signal.SIGKILL)
            os.waitpid(pid, 0)
        for reader in readers:
            with os.fdopen(reader) as file:
                saved += file.read().split()
        if path.exists() and path.stat().st_size:
            wrong += _verdict(path)
            torn += verify(path).torn is not None
    return {"saved": saved, "phases": phases, "torn": torn, "wrong": wrong}


def _append_until_killed(path: Path, number: int, report: int, phase: str, seed: float) -> None:
    draw = random.Random(seed)
    write = os.write
    fatal = draw.randrange(3)

    def dying_write(fd: int, data: bytes) -> int:
        if phase != "before the write":
            write(fd, data if phase == "after the write" else data[: draw.randrange(1, len(data))])
        os.kill(os.getpid(), signal.SIGKILL)
        raise AssertionError

    for turn in range(1000):
        record = numbered(number * 1000 + turn, 200_000)
        os.write = dying_write if turn == fatal and phase != "any time" else write  # type: ignore[assignment]  # only in this fork
        append(path, record)
        write(report, f"{record.id}\n".encode())


def _verdict(path: Path) -> list[str]:
    """What `verify` says that isn't so: a file is torn exactly when its last line is no end mark."""
    report = verify(path)
    last = path.read_bytes().splitlines(keepends=True)[-1]
    ends = END_LINE.fullmatch(last) is not None or len(report.errors) == 0
    named = report.torn is not None and any("is torn" in error.what for error in report.errors)
    others = [error.what for error in report.errors if "is torn" not in error.what]
    return others + ([] if ends != named else [f"torn: {named}, but the last line is {last[:80]!r}"])


def main(kind: str, path: str, count: str, seed: str = "0") -> None:
    """Do what the command line says and print the outcome as JSON."""
    if kind == "all":
        outcome: dict[str, object] = {"failed": all_at_once(Path(path), int(count))}
    else:
        outcome = kill_many(Path(path), int(count), random.Random(int(seed)))
    print(json.dumps(outcome))


if __name__ == "__main__":
    main(*sys.argv[1:])
