"""How well a replay keeps the gaps between rows and lines of output, over twelve recorded turns."""

import os
from collections.abc import Sequence

from agy_cassettes.cassette import Cassette
from fake_agy.double import write_double
from tests.bench.bed import Bed
from tests.bench.pairs import median
from tests.bench.row import Row, at_most
from tests.bench.trouble import BenchError
from tests.support.rhythm import SETTINGS, calls, gap_errors, recorded, reordered, watched
from tests.support.tool import agy_proxy


class Rhythms:
    """Each round replays one of the turns, all of which are recorded at first."""

    def __init__(self, bed: Bed) -> None:
        self._folder = bed.made("rhythms")
        self._errors: list[float] = []
        self._reordered = 0
        self._cassette = self._folder / "t.agy.yaml"
        self._env = {**bed.env, "XDG_STATE_HOME": str(self._folder / "state")}
        lived = self._folder / "lived"
        lived.mkdir()
        agy = write_double(self._folder / "real", SETTINGS)
        script = "\n".join(f"agy {' '.join(map(repr, argv))}" for argv in calls())
        record = ("record", self._cassette, "--real", agy, "--home", lived, "--", "sh", "-c", script)
        play = ("install", self._folder / "bin", "--replay", self._cassette, "--write-store")
        for words in (record, play):
            ended = agy_proxy(*words, cwd=self._folder, env=self._env)
            if ended.status != 0:
                raise BenchError(f"{words[0]} ended with {ended.status}: {ended.stderr}")
        opened = Cassette.open(self._cassette)
        self._expected = [recorded(interaction, opened.read) for interaction in opened.interactions()]
        self.rounds = len(self._expected)

    def run(self, number: int, /) -> None:
        """Replay one turn in a HOME of its own."""
        home = self._folder / f"home{number}"
        home.mkdir()
        found = watched(
            [self._folder / "bin" / "agy", *calls()[number]],
            cwd=self._folder,
            env={**os.environ, **self._env, "HOME": str(home)},
            transcripts=home / ".gemini" / "antigravity-cli" / "brain",
        )
        expected = self._expected[number]
        self._errors += gap_errors(expected, found)
        self._reordered += len(reordered(expected, found))

    def rows(self) -> Sequence[Row]:
        """The median error of a gap, and what came the other way round."""
        most = max(self._errors) * 1e3
        return (
            Row(
                what="replayed rows and lines: median error of a gap",
                figure=median(self._errors) * 1e3,
                unit="ms",
                bound=at_most(5),
                detail=f"{len(self._errors)} gaps of {self.rounds} turns, at most {most:.1f} ms",
            ),
            Row(
                what="replayed rows and lines: reordered",
                figure=self._reordered,
                unit="pairs",
                bound=at_most(0),
            ),
        )
