"""Many recorders at once on one cassette: what is lost and what is torn."""

import os
import sys
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path

import yaml

from agy_cassettes.cassette import Cassette
from agy_cassettes.verify import verify
from tests.bench.bed import Bed
from tests.bench.command import CHUNK, Started
from tests.bench.corpus import prompt_lines
from tests.bench.peers import DRIVERS, SUBPROCESS_VCR, Peer, tool
from tests.bench.row import Row, at_most
from tests.bench.trouble import BenchError

COUNT, FINISHERS, PEERS_COUNT = 64, 8, 8


class Recorders:
    """Each round starts 64 shims at once, while 8 processes save what is over; then 8 of a peer."""

    def __init__(self, bed: Bed, peers: Mapping[Peer, Path], *, rounds: int = 3) -> None:
        self.rounds = rounds
        self._bed = bed
        self._peer = peers[SUBPROCESS_VCR]
        self._recorder = bed.recorder("recorders", Path(tool("echo")))
        self._lost = self._torn = self._peers_lost = 0

    def run(self, number: int, /) -> None:
        """Both once."""
        folder = self._bed.made(f"recorders-{number}")
        prompts = [f"Recorder {at}\n{prompt_lines(40, self._bed.seed + at)}" for at in range(COUNT)]
        self._ours(folder, prompts)
        self._theirs(folder / "subprocess-vcr.yaml", prompts[:PEERS_COUNT])

    def rows(self) -> Sequence[Row]:
        """Sums over all rounds."""
        return (
            Row(what=f"{COUNT} recorders at once: lost", figure=self._lost, unit="calls", bound=at_most(0)),
            Row(what=f"{COUNT} recorders at once: torn", figure=self._torn, unit="records", bound=at_most(0)),
            Row(
                what=f"{PEERS_COUNT} of subprocess-vcr at once: lost",
                figure=self._peers_lost,
                unit="calls",
                detail=f"in {self.rounds} rounds",
            ),
        )

    def _start(self, stack: ExitStack, argv: Sequence[str]) -> Started:
        return stack.enter_context(Started(argv, self._bed.env))

    def _ours(self, folder: Path, prompts: Sequence[str]) -> None:
        cassette, state, over = (folder / name for name in ("all.agy.yaml", "state", "over"))
        state.mkdir(mode=0o700)
        finish = (sys.executable, str(DRIVERS / "finish_journals.py"))
        paths = (self._recorder.journals, cassette, state, over)
        with ExitStack() as stack:
            finishers = [self._start(stack, (*finish, *map(str, paths))) for _ in range(FINISHERS)]
            for finisher in finishers:
                os.read(finisher.stdout, CHUNK)
            shims = [self._start(stack, (str(self._recorder.agy), "-p", prompt)) for prompt in prompts]
            for shim, prompt in zip(shims, prompts, strict=True):
                status, said = _ended(shim)
                if status != 0 or said != f"-p {prompt}\n".encode():
                    raise BenchError(f"a recorder ended with {status} and delivered {len(said)} bytes")
            over.touch()
            errors = b"".join(_ended(finisher)[1] for finisher in finishers)
        if errors:
            raise BenchError(f"recording failed: {errors.decode(errors='replace')}")
        report = verify(cassette)
        kept = [interaction.request.prompt for interaction in Cassette.open(cassette).interactions()]
        self._lost += len(set(prompts) - set(kept)) + abs(len(kept) - len(set(kept)))
        self._torn += len(report.errors) + len(report.edited)
        self._recorder.clear(expected=0)

    def _theirs(self, cassette: Path, prompts: Sequence[str]) -> None:
        echo = str(self._recorder.real)
        commands = [SUBPROCESS_VCR.command(self._peer, "record", cassette, echo, each) for each in prompts]
        with ExitStack() as stack:
            for process in [self._start(stack, command) for command in commands]:
                _ended(process)
        try:
            held = yaml.load(cassette.read_bytes(), Loader=yaml.CSafeLoader)["interactions"]
            kept = len({interaction["args"][-1] for interaction in held} & set(prompts))
        except (yaml.YAMLError, TypeError, KeyError, OSError):
            # It can't be read any more.
            kept = 0
        self._peers_lost += len(prompts) - kept


def _ended(process: Started) -> tuple[int, bytes]:
    """The status of a process and what it said."""
    parts = []
    while part := os.read(process.stdout, CHUNK):
        parts.append(part)
    process.rest()
    return process.wait(), b"".join(parts)
