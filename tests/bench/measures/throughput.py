"""Bytes per second through the recording shim, into a pipe that is read at once, beside tee."""

import shlex
from collections.abc import Sequence

from tests.bench.bed import Bed
from tests.bench.command import Command, run
from tests.bench.pairs import median, paired_ratio
from tests.bench.peers import tool
from tests.bench.row import Row, at_least
from tests.bench.trouble import BenchError

SIZE = 1 << 28
LINE = b"%079d\n"
DIRECT, SHIM, TEE = "direct", "shim", "tee"


class Throughput:
    """Each round sends 256 MiB of lines of 80 bytes; shim and tee write them to the same disk."""

    def __init__(self, bed: Bed, *, rounds: int = 12) -> None:
        self.rounds = rounds
        self._bed = bed
        source = bed.made("throughput") / "lines"
        block = b"".join(LINE % number for number in range(SIZE >> 20))
        with source.open("wb") as file:
            for _ in range(SIZE // len(block)):
                file.write(block)
        self._size = source.stat().st_size
        real = bed.script("pour", f"#!/bin/sh\nexec cat {shlex.quote(str(source))}\n")
        self._recorder = bed.recorder("throughput", real)
        copy = source.with_name("copy")
        self._commands = {
            DIRECT: Command((str(real),)),
            SHIM: Command((str(self._recorder.agy),)),
            TEE: Command(
                (tool("sh"), "-c", shlex.join([str(real)]) + f" | {tool('tee')} {shlex.quote(str(copy))}")
            ),
        }
        self._seconds: dict[str, list[float]] = {name: [] for name in self._commands}

    def run(self, _number: int, /) -> None:
        """All of it once in each way; what was written is deleted, so that each way begins with nothing."""
        for name in self._bed.draw.sample(list(self._commands), len(self._commands)):
            ended = run(self._commands[name], self._bed.env)
            if ended.size != self._size:
                raise BenchError(f"{name}: {ended.size} of {self._size} bytes arrived")
            self._seconds[name].append(ended.seconds)
            self._bed.remove("throughput/copy")
        self._recorder.clear(expected=1)

    def rows(self) -> Sequence[Row]:
        """Against tee, and against no one in between."""
        shim = self._seconds[SHIM]
        return (
            Row(
                what="throughput while recording / tee",
                figure=paired_ratio(self._seconds[TEE], shim),
                unit="x",
                bound=at_least(1.3),
                detail=f"{self._speed(SHIM)} and {self._speed(TEE)}",
            ),
            Row(
                what="throughput while recording / no shim",
                figure=paired_ratio(self._seconds[DIRECT], shim),
                unit="x",
                detail=f"{self._speed(SHIM)} and {self._speed(DIRECT)}",
            ),
        )

    def _speed(self, name: str) -> str:
        return f"{self._size / median(self._seconds[name]) / 1e6:.0f} MB/s"
