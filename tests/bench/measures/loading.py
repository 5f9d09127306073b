"""Loading a cassette whole, beside vcrpy's of the same prompts and answers."""

import json
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from tests.bench.bed import Bed
from tests.bench.command import Command, run
from tests.bench.pairs import median, paired_ratio
from tests.bench.peers import VCRPY, Peer
from tests.bench.row import Row, at_most
from tests.bench.trouble import BenchError

COUNT = 300
LOADER = Path(__file__).parents[1] / "drivers" / "load_cassette.py"


class Loading:
    """Each round loads both, each in a process of its own that counts its CPU time."""

    def __init__(self, bed: Bed, peers: Mapping[Peer, Path], *, rounds: int = 12) -> None:
        self.rounds = rounds
        self._bed = bed
        ours = bed.cassette(bed.made("loading"), COUNT)
        theirs = ours.with_name("vcrpy.yaml")
        fill = VCRPY.command(peers[VCRPY], "fill", theirs, bed.turns_as_json(COUNT), str(COUNT))
        run(Command(fill, f"{COUNT}\n".encode()), bed.env)
        self._commands = {
            ours: Command((sys.executable, str(LOADER), str(ours))),
            theirs: Command(VCRPY.command(peers[VCRPY], "load", theirs)),
        }
        self._size = {path: path.stat().st_size / 1e6 for path in self._commands}
        self._seconds: dict[Path, list[float]] = {path: [] for path in self._commands}

    def run(self, _number: int, /) -> None:
        """Both once."""
        for path in self._bed.draw.sample(list(self._commands), len(self._commands)):
            seconds, count = json.loads(run(self._commands[path], self._bed.env).tail)
            if count != COUNT:
                raise BenchError(f"{path.name}: {count} of {COUNT} interactions were loaded")
            self._seconds[path].append(seconds)

    def rows(self) -> Sequence[Row]:
        """CPU time for each MB of file."""
        ours, theirs = (
            [second / self._size[path] for second in self._seconds[path]] for path in self._commands
        )
        sizes = " and ".join(f"{size:.2f}" for size in self._size.values())
        return (
            Row(
                what="loading a cassette, per MB / vcrpy",
                figure=paired_ratio(ours, theirs),
                unit="x",
                bound=at_most(1.2),
                detail=f"{median(ours) * 1e3:.0f} and {median(theirs) * 1e3:.0f} ms/MB, {sizes} MB",
            ),
        )
