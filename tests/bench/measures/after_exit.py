"""Time after the child's exit: what the caller still waits for, however much was recorded."""

from collections.abc import Sequence

from tests.bench.bed import Bed
from tests.bench.command import Command, run
from tests.bench.pairs import median
from tests.bench.peers import tool
from tests.bench.row import Row, at_most

SIZES = {"1 KiB": 1 << 10, "1 MiB": 1 << 20, "64 MiB": 1 << 26}
REAL = """\
#!/bin/sh
head -c "$1" /dev/zero
exec date +%s%N
"""


class AfterExit:
    """Each round records each size; the last that the child does is to say what time it is."""

    def __init__(self, bed: Bed, *, rounds: int = 30) -> None:
        self.rounds = rounds
        tool("date")
        self._bed = bed
        self._recorder = bed.recorder("after-exit", bed.script("late", REAL))
        self._shim: dict[str, list[float]] = {name: [] for name in SIZES}
        self._direct: list[float] = []

    def run(self, _number: int, /) -> None:
        """Every size through the shim, and the smallest without it."""
        self._direct.append(self._waited(str(self._recorder.real), SIZES["1 KiB"]))
        for name in self._bed.draw.sample(list(SIZES), len(SIZES)):
            self._shim[name].append(self._waited(str(self._recorder.agy), SIZES[name]))
            self._recorder.clear(expected=1)

    def rows(self) -> Sequence[Row]:
        """The median of each size."""
        return tuple(
            Row(
                what=f"time after the child's exit, {name} recorded",
                figure=median(waited),
                unit="ms",
                bound=at_most(3),
                detail=f"no shim {median(self._direct):.2f} ms",
            )
            for name, waited in self._shim.items()
        )

    def _waited(self, agy: str, size: int) -> float:
        """Milliseconds from the child's last look at the clock to its being reaped by the caller."""
        ended = run(Command((agy, str(size))), self._bed.env)
        said = int(ended.tail.rstrip()[-19:])
        return (ended.at - said) / 1e6
