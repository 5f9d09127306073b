"""The benchmark's arithmetic: what is compared with what, which bounds hold, and what exit status follows."""

import os
import sys
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from tests.bench import __main__ as bench
from tests.bench.command import Command, Started, run, within
from tests.bench.pairs import paired_ratio
from tests.bench.peers import PEERS, Peer, installed
from tests.bench.row import Bound, Row, at_least, at_most, missed
from tests.bench.schedule import interleaved
from tests.bench.table import table, verdict
from tests.bench.trouble import BenchError


@dataclass
class Counted:
    """A measure that measures nothing; it keeps the numbers of its rounds."""

    rounds: int
    row: Row
    seen: list[int] = field(default_factory=list)

    def run(self, number: int, /) -> None:
        self.seen.append(number)

    def rows(self) -> Sequence[Row]:
        return (self.row,)


def row(figure: float, bound: Bound | None = None, what: str = "a / b") -> Row:
    return Row(what=what, figure=figure, unit="x", bound=bound)


def test_rounds_are_compared_with_their_own_and_the_median_counts() -> None:
    # The ratio of the medians would be 4 / 2; round by round it is 1, 2, 8.
    assert paired_ratio([4, 4, 8], [4, 2, 1]) == 2


def test_one_slow_moment_does_not_move_a_ratio() -> None:
    assert paired_ratio([3, 3, 300, 3, 3], [2, 2, 200, 2, 2]) == 1.5


@pytest.mark.parametrize(("ours", "theirs"), [([], []), ([1.0], [1.0, 2.0])])
def test_rounds_without_a_pair_are_refused(ours: list[float], theirs: list[float]) -> None:
    with pytest.raises(ValueError, match="can't be paired"):
        paired_ratio(ours, theirs)


@pytest.mark.parametrize(
    ("figure", "bound", "holds"),
    [
        (1.25, at_most(1.25), True),
        (1.2501, at_most(1.25), False),
        (1.3, at_least(1.3), True),
        (1.2999, at_least(1.3), False),
        (0, at_most(0), True),
        (1, at_most(0), False),
        (float("nan"), at_most(1), False),
        (float("nan"), at_least(1), False),
        (99, None, True),
    ],
)
def test_a_bound_holds_up_to_its_limit(figure: float, bound: Bound | None, holds: bool) -> None:
    assert row(figure, bound).ok is holds


def test_the_missed_are_those_that_do_not_hold() -> None:
    rows = [row(1, at_most(2)), row(3, at_most(2)), row(3)]

    assert missed(rows) == (rows[1],)


def test_all_bounds_held_is_status_0() -> None:
    assert verdict([row(1, at_most(2)), row(9)]) == (0, "all 1 bounds hold")


def test_a_missed_bound_is_status_1_and_named() -> None:
    status, line = verdict([row(1, at_most(2)), row(1.1, at_least(1.3), what="ours / tee")])

    assert status == 1
    assert line == "1 of 2 bounds missed: ours / tee: 1.100x, >= 1.3x"


def test_the_table_says_which_row_was_missed() -> None:
    lines = table([row(1, at_most(2), what="good"), row(3, at_most(2), what="bad"), row(5)]).splitlines()

    assert [line.split()[0] for line in lines] == ["what", "good", "bad", "a"]
    assert [word for line in lines for word in ("ok", "MISSED") if word in line] == ["ok", "MISSED"]


def test_rounds_of_all_measures_are_spread_over_the_run() -> None:
    many, few = Counted(4, row(1)), Counted(2, row(1))

    order = [("many" if measure is many else "few", number) for measure, number in interleaved([many, few])]

    assert order == [("many", 0), ("few", 0), ("many", 1), ("many", 2), ("few", 1), ("many", 3)]


@pytest.mark.parametrize(("figure", "status"), [(1.25, 0), (1.26, 1)])
def test_make_bench_ends_with_the_verdict(
    figure: float, status: int, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    measure = Counted(3, row(figure, at_most(1.25), what="ours / floor"))
    monkeypatch.setattr(bench, "installed", lambda _: {})
    monkeypatch.setattr(bench, "measures_of", lambda *_: (measure,))

    assert bench.main() == status
    assert measure.seen == [0, 1, 2]
    assert "ours / floor" in capsys.readouterr().out


def test_a_peer_without_a_python_to_run_on_is_an_error(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    peer = Peer("far-ahead", "1.0", 99)
    monkeypatch.setattr("tests.bench.peers.PEERS", (peer,))
    with pytest.raises(BenchError, match=r"far-ahead 1\.0 needs Python 3\.99 or newer"):
        installed(tmp_path)

    assert bench.main() == 2
    assert "far-ahead" in capsys.readouterr().err


def test_every_peer_has_a_driver() -> None:
    assert [peer.name for peer in PEERS if not peer.driver.is_file()] == []


def python(code: str, expected: bytes | None = None) -> Command:
    return Command((sys.executable, "-IS", "-c", code), expected)


def test_a_command_counts_when_it_says_what_it_should() -> None:
    said = b"x" * 9999 + b"y"

    ended = run(python("print(end='x' * 9999 + 'y')", said), os.environ)

    assert (ended.size, ended.tail[-2:]) == (10_000, b"xy")


@pytest.mark.parametrize(
    "command",
    [
        python("print('other')", b"this\n"),
        python("print('xy')", b"xxy\n"),
        python("print('said'); raise SystemExit(3)", b"said\n"),
        python("pass"),
        Command(("/nowhere/agy",)),
    ],
    ids=["other output", "a part", "another status", "no output", "no such file"],
)
def test_a_command_that_fails_is_never_a_figure(command: Command) -> None:
    with pytest.raises(BenchError):
        run(command, os.environ)


def test_what_hangs_is_told_and_killed() -> None:
    hangs = python("import signal; signal.pause()").argv
    process = Started(hangs, os.environ)
    with pytest.raises(BenchError, match="the call did not end within 1 s"), within(1, "the call"), process:
        process.wait()

    with pytest.raises(ProcessLookupError):
        os.kill(process.pid, 0)
