"""One call: what the shim adds to it, recording and replaying, beside the peers that do one or the other."""

import shlex
from collections.abc import Mapping, Sequence
from pathlib import Path

from tests.bench.bed import FEW, MANY, Bed
from tests.bench.command import Command, run
from tests.bench.corpus import Turn, prompt_lines, stored_answer
from tests.bench.pairs import median, paired_ratio
from tests.bench.peers import PYTEST_PVCR, SUBPROCESS_VCR, Peer, tool
from tests.bench.row import Bound, Row, at_most

BARE, DIRECT, RECORD = "python -IS -c pass", "no shim", "recording shim"
REPLAY_FEW, REPLAY_MANY = f"replay, {FEW} interactions", f"replay, {MANY:,} interactions"
SCRIPT, TEE = "script -q -e -c", "sh -c '... | tee'"
VCR_RECORD, VCR_REPLAY = "subprocess-vcr record", "subprocess-vcr replay"
PVCR_RECORD, PVCR_REPLAY = "pytest-pvcr record", "pytest-pvcr replay"


class Starts:
    """Each round makes one call in every way, in a drawn order; the call prints its prompt of 20 lines."""

    def __init__(self, bed: Bed, peers: Mapping[Peer, Path], *, rounds: int = 100) -> None:
        self.rounds = rounds
        self._bed = bed
        self._folder = bed.made("starts")
        self._seconds: dict[str, list[float]] = {}
        prompt = prompt_lines(20, bed.seed)
        said = f"-p {prompt}\n".encode()
        self._recorder = bed.recorder("starts", Path(tool("echo")))
        real = (str(self._recorder.real), "-p", prompt)
        line = shlex.join(real)
        copy = shlex.quote(str(self._folder / "tee"))
        self._players = {REPLAY_FEW: bed.player(FEW), REPLAY_MANY: bed.player(MANY)}
        self._asked = {
            REPLAY_FEW: bed.draw.sample(bed.turns[:FEW], min(rounds, FEW)),
            REPLAY_MANY: bed.draw.sample(bed.turns, rounds),
        }
        self._commands = {
            BARE: bed.bare,
            DIRECT: Command(real, said),
            RECORD: Command((str(self._recorder.agy), "-p", prompt), said),
            TEE: Command((tool("sh"), "-c", f"{line} | {tool('tee')} {copy}"), said),
            SCRIPT: Command((tool("script"), "-q", "-e", "-c", line, str(self._folder / "typescript"))),
        }
        for peer, record, replay in (
            (SUBPROCESS_VCR, VCR_RECORD, VCR_REPLAY),
            (PYTEST_PVCR, PVCR_RECORD, PVCR_REPLAY),
        ):
            cassette = self._folder / f"{peer.name}.yaml"
            for name, verb in ((record, "record"), (replay, "replay")):
                self._commands[name] = Command(peer.command(peers[peer], verb, cassette, *real), said)

    def run(self, number: int, /) -> None:
        """One call in every way; a peer's replay comes after its record, whose cassette it needs."""
        commands = {**self._commands, **{name: self._replay(name, number) for name in self._players}}
        for name in (VCR_RECORD, PVCR_RECORD):
            (self._folder / f"{name.split(maxsplit=1)[0]}.yaml").unlink(missing_ok=True)
        order = [name for name in commands if name not in (VCR_REPLAY, PVCR_REPLAY)]
        self._bed.draw.shuffle(order)
        for name in (*order, VCR_REPLAY, PVCR_REPLAY):
            self._seconds.setdefault(name, []).append(run(commands[name], self._bed.env).seconds)
        self._recorder.clear(expected=1)

    def rows(self) -> Sequence[Row]:
        """Ours against the floor, against peers, and against ours with a small cassette."""
        return (
            self._ratio(RECORD, BARE, at_most(1.25)),
            self._ratio(RECORD, VCR_RECORD, at_most(0.2)),
            self._ratio(REPLAY_MANY, BARE, at_most(1.4)),
            self._ratio(REPLAY_MANY, REPLAY_FEW, at_most(1.25)),
            self._ratio(RECORD, SCRIPT),
            self._ratio(RECORD, TEE),
            self._ratio(RECORD, PVCR_RECORD),
            self._ratio(REPLAY_MANY, VCR_REPLAY, also="replays 1"),
            self._ratio(REPLAY_MANY, PVCR_REPLAY, also="replays 1"),
            self._ratio(RECORD, DIRECT),
        )

    def _replay(self, name: str, number: int) -> Command:
        turn: Turn = self._asked[name][number]
        return Command((str(self._players[name]), "-p", turn.prompt), stored_answer(turn))

    def _ratio(self, ours: str, theirs: str, bound: Bound | None = None, *, also: str = "") -> Row:
        one, other = self._seconds[ours], self._seconds[theirs]
        detail = f"{median(one) * 1e3:.1f} and {median(other) * 1e3:.1f} ms"
        return Row(
            what=f"{ours} / {theirs}",
            figure=paired_ratio(one, other),
            unit="x",
            bound=bound,
            detail=f"{detail}, {also}" if also else detail,
        )
