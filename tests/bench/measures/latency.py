"""How late a line comes: from the child's look at the clock to the reader's, one line each millisecond."""

import os
import shlex
import time
from collections.abc import Sequence

from tests.bench.bed import Bed
from tests.bench.command import CHUNK, Started
from tests.bench.pairs import median, paired_ratio
from tests.bench.peers import tool
from tests.bench.row import Row, at_most
from tests.bench.trouble import BenchError

LINES = 400
DIRECT, SHIM, TEE = "direct", "shim", "tee"


class Latency:
    """Each round sends 400 lines in each way; a round's figure is its median line's."""

    def __init__(self, bed: Bed, *, rounds: int = 10) -> None:
        self.rounds = rounds
        self._bed = bed
        real = bed.python_script("say_lines")
        self._recorder = bed.recorder("latency", real)
        copy = shlex.quote(str(bed.made("latency") / "copy"))
        piped = shlex.join([str(real), str(LINES)])
        self._commands = {
            DIRECT: (str(real), str(LINES)),
            SHIM: (str(self._recorder.agy), str(LINES)),
            TEE: (tool("sh"), "-c", f"{piped} | {tool('tee')} {copy}"),
        }
        self._late: dict[str, list[float]] = {name: [] for name in self._commands}

    def run(self, _number: int, /) -> None:
        """All lines once in each way."""
        for name in self._bed.draw.sample(list(self._commands), len(self._commands)):
            self._late[name].append(median(self._lateness(self._commands[name])))
        self._recorder.clear(expected=1)

    def rows(self) -> Sequence[Row]:
        """The shim's median against tee's."""
        direct, shim, tee = (median(self._late[name]) for name in (DIRECT, SHIM, TEE))
        return (
            Row(
                what="latency of a line, p50, recording shim / tee",
                figure=paired_ratio(self._late[SHIM], self._late[TEE]),
                unit="x",
                bound=at_most(2),
                detail=f"{shim:.0f} and {tee:.0f} us, no shim {direct:.0f} us",
            ),
        )

    def _lateness(self, argv: Sequence[str]) -> list[float]:
        """Microseconds of each line."""
        came = []
        with Started(argv, self._bed.env) as process:
            while data := os.read(process.stdout, CHUNK):
                came.append((time.monotonic_ns(), data))
            process.rest()
            status = process.wait()
        late = [
            (at - int(line[:19])) / 1e3 for at, data in came for line in data.split(b"\n") if len(line) == 79
        ]
        if status != 0 or len(late) != LINES:
            raise BenchError(f"{argv[0]}: {len(late)} of {LINES} lines came whole")
        return late
