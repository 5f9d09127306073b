import os
from contextlib import closing
from pathlib import Path

from agy_proxy.replay.compile import compile_play_file
from agy_proxy.replay.counts import Play, read_counts, rewind, unplayed
from agy_proxy.shim.isolated.play_counts import Claim, claim
from agy_proxy.shim.isolated.play_file import open_play_file
from agy_proxy.shim.isolated.play_key import key_of
from tests.support.interactions import interaction
from tests.support.players import InMemory

RECORDS = [
    interaction("first", prompt="one"),
    interaction("version", argv=("agy", "--version"), prompt=None),
    interaction("second", prompt="one"),
    interaction("refused", argv=("agy", "-p", "${PROMPT}"), prompt="-x", code=2),
]
ONE = key_of(b"one", [b"-p", b"${PROMPT}"])


def claimed(folder: Path, key: bytes, *, now: int = 5, repeats: bool = False, turn: bool = True) -> Claim:
    with closing(open_play_file(os.fspath(folder / "play"))) as play:
        group = play.find(key)
        return claim(play, os.fspath(folder / "counts"), group, now, turn=turn, repeats=repeats)


def compiled(folder: Path) -> None:
    compile_play_file(InMemory(RECORDS), folder / "play")


def test_nothing_is_played_before_the_first_call(tmp_path: Path) -> None:
    compiled(tmp_path)

    played = read_counts(tmp_path / "play", tmp_path / "counts")

    assert (played.calls, played.turns) == (0, 0)
    assert [play.count for play in played.plays] == [0, 0, 0, 0]
    assert not (tmp_path / "counts").exists()


def test_a_claim_says_who_plays_when_and_as_which_call(tmp_path: Path) -> None:
    compiled(tmp_path)
    claimed(tmp_path, key_of(None, [b"--version"]), turn=False)
    claimed(tmp_path, ONE, now=77)

    played = read_counts(tmp_path / "play", tmp_path / "counts")

    assert (played.calls, played.turns) == (2, 1)
    assert played.plays[0] == Play("first", turn=True, count=1, pid=os.getpid(), at=77, call=2)
    assert (tmp_path / "counts").stat().st_mode & 0o777 == 0o600


def test_claims_go_in_order_and_end(tmp_path: Path) -> None:
    compiled(tmp_path)

    got = [claimed(tmp_path, ONE) for _ in range(3)]

    assert [each.index for each in got] == [0, 2, None]
    assert [(each.call, each.turn) for each in got] == [(1, 1), (2, 2), (3, 3)]
    assert claimed(tmp_path, ONE, repeats=True).index == 2


def test_probes_and_refused_calls_never_count_as_unplayed(tmp_path: Path) -> None:
    compiled(tmp_path)
    assert unplayed(tmp_path / "play", tmp_path / "counts") == ("first", "second")

    claimed(tmp_path, ONE)

    assert unplayed(tmp_path / "play", tmp_path / "counts") == ("second",)


def test_a_rewound_cassette_starts_again(tmp_path: Path) -> None:
    compiled(tmp_path)
    assert not rewind(tmp_path / "counts")
    claimed(tmp_path, ONE)

    assert rewind(tmp_path / "counts")

    assert not rewind(tmp_path / "counts")
    assert read_counts(tmp_path / "play", tmp_path / "counts").calls == 0
    assert claimed(tmp_path, ONE).index == 0


def test_counts_of_another_cassette_are_told_from_ones_own(tmp_path: Path) -> None:
    compiled(tmp_path)
    claimed(tmp_path, ONE)

    compile_play_file(InMemory(RECORDS[:1]), tmp_path / "play")

    assert claimed(tmp_path, ONE).stale
    assert read_counts(tmp_path / "play", tmp_path / "counts").calls == 0


def test_a_cursor_that_lags_behind_the_slots_is_no_harm(tmp_path: Path) -> None:
    compiled(tmp_path)
    claimed(tmp_path, ONE)
    with closing(open_play_file(os.fspath(tmp_path / "play"))) as play:
        group = play.find(ONE)
        assert group is not None
        from agy_proxy.shim.isolated.play_counts import Counts

        with closing(Counts(os.fspath(tmp_path / "counts"), 4)) as counts:
            counts.advance(group.number, 0)

    assert claimed(tmp_path, ONE).index == 2
