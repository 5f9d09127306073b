"""What recording costs as a cassette grows: from a call's journal to its record, redacted and read back."""

import json
import shlex
import shutil
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

from agy_cassettes.redact.records import redact_interaction
from agy_cassettes.redact.redactor import Redactor
from agy_proxy.record.finish import Target, finish_run
from tests.bench.bed import MANY, Bed
from tests.bench.command import Command, run
from tests.bench.corpus import Turn
from tests.bench.pairs import median, paired_ratio
from tests.bench.peers import PYTEST_PVCR, SUBPROCESS_VCR, VCRPY, Peer
from tests.bench.row import Row, at_most
from tests.bench.trouble import BenchError

FEW = 10
WARM_UP = 1
"""A run looks once at what a cassette holds already; what is measured is every recording after that."""


class Appending:
    """Each round records one call twice: as the 10th interaction or soon after, and as the 10,000th."""

    def __init__(self, bed: Bed, *, rounds: int = 60) -> None:
        self.rounds = rounds
        self._bed = bed
        self._answer = bed.made("appending") / "answer"
        real = bed.script("answer", f"#!/bin/sh\nexec cat {shlex.quote(str(self._answer))}\n")
        self._recorder = bed.recorder("appending", real)
        redactor = Redactor()
        self._targets = {count: self._target(count, redactor) for count in (FEW, MANY)}
        self._seconds: dict[int, list[float]] = {count: [] for count in self._targets}
        for turn in bed.turns[:WARM_UP]:
            self._record(turn)

    def run(self, number: int, /) -> None:
        """The same call into both cassettes."""
        for count, seconds in self._record(self._bed.turns[WARM_UP + number]).items():
            self._seconds[count].append(seconds)

    def rows(self) -> Sequence[Row]:
        """The large cassette against the small one."""
        few, many = self._seconds[FEW], self._seconds[MANY]
        return (
            Row(
                what=f"recording interaction {MANY:,} / interaction {FEW}",
                figure=paired_ratio(many, few),
                unit="x",
                bound=at_most(1.2),
                detail=f"{median(many) * 1e3:.2f} and {median(few) * 1e3:.2f} ms",
            ),
        )

    def _target(self, count: int, redactor: Redactor) -> Target:
        folder = self._bed.made(f"appending/{count}")
        for name in ("journals", "state"):
            (folder / name).mkdir(mode=0o700)
        return Target(
            cassette=self._bed.cassette(folder, count - 1 - WARM_UP),
            state=folder / "state",
            redact=lambda interaction, placeholders: redact_interaction(interaction, redactor, placeholders),
            ask_version=lambda _: "1.2.10",
        )

    def _record(self, turn: Turn) -> Mapping[int, float]:
        """Seconds for each cassette, which get the same journal."""
        said = turn.answer.encode()
        self._answer.write_bytes(said)
        run(Command((str(self._recorder.agy), "-p", turn.prompt), said), self._bed.env)
        (journal,) = self._recorder.journals.iterdir()
        seconds = {}
        for count in self._bed.draw.sample(list(self._targets), len(self._targets)):
            target = self._targets[count]
            journals = target.state.parent / "journals"
            shutil.copy(journal, journals / journal.name)
            began = time.perf_counter()
            report = finish_run(journals, target)
            seconds[count] = time.perf_counter() - began
            if len(report.saved) != 1 or report.errors:
                raise BenchError(f"{target.cassette.name}: not recorded: {report}")
        self._recorder.clear(expected=1)
        return seconds


class PeersAppending:
    """Each round records many turns into a new cassette of each peer, a session for each turn."""

    COUNTS: Mapping[Peer, int] = {SUBPROCESS_VCR: 20, PYTEST_PVCR: 40, VCRPY: 40}
    EARLY = 5

    def __init__(self, bed: Bed, peers: Mapping[Peer, Path], *, rounds: int = 2) -> None:
        self.rounds = rounds
        self._bed = bed
        self._peers = peers
        self._source = bed.turns_as_json(max(self.COUNTS.values()))
        self._early: dict[Peer, list[float]] = {peer: [] for peer in self.COUNTS}
        self._late: dict[Peer, list[float]] = {peer: [] for peer in self.COUNTS}

    def run(self, number: int, /) -> None:
        """The means of two turns around each place: a single one is too short to be sure of."""
        for peer, count in self.COUNTS.items():
            cassette = self._bed.made("peers-appending") / f"{peer.name}-{number}.yaml"
            words = peer.command(self._peers[peer], "grow", cassette, self._source, str(count))
            ended = run(Command(words), self._bed.env)
            times = json.loads(ended.tail)
            self._early[peer].append(sum(times[self.EARLY - 2 : self.EARLY]) / 2)
            self._late[peer].append(sum(times[-2:]) / 2)

    def rows(self) -> Sequence[Row]:
        """How each peer's cost grows."""
        return tuple(
            Row(
                what=f"{peer.name}: recording interaction {count} / interaction {self.EARLY}",
                figure=paired_ratio(self._late[peer], self._early[peer]),
                unit="x",
                detail=f"{median(self._late[peer]) * 1e3:.1f} and {median(self._early[peer]) * 1e3:.1f} ms",
            )
            for peer, count in self.COUNTS.items()
        )
