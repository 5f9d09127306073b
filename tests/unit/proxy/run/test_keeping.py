"""The oldest whole records go, and the rest stays byte for byte."""

from pathlib import Path

import pytest

from agy_cassettes.cassette import Cassette
from agy_cassettes.errors import UserError
from agy_cassettes.interaction import Recorded
from agy_cassettes.verify import verify
from agy_proxy.run.keeping import Keep, Kept, drop_old, how_many_to_drop, parse_keep
from tests.support.cassettes import cassette_of
from tests.support.interactions import BY, interaction

DAY_NS = 86_400 * 10**9
MIDNIGHT_NS = 1_796_083_200 * 10**9
"""2026-12-01T00:00:00Z."""


@pytest.mark.parametrize(
    ("text", "keep"),
    [
        ("last=500", Keep(last=500)),
        ("last=500,days=14,size=100M", Keep(500, 14, 100 << 20)),
        ("size=1k", Keep(size=1024)),
        ("size=3GB, days=0.5", Keep(days=0.5, size=3 << 30)),
    ],
)
def test_limits_are_read(text: str, keep: Keep) -> None:
    assert parse_keep(text) == keep


@pytest.mark.parametrize(
    "text", ["", "last", "last=0", "last=-1", "days=x", "size=1T", "last=1,last=2", "age=3"]
)
def test_limits_that_are_not_understood_are_refused_with_an_example(text: str) -> None:
    with pytest.raises(UserError, match="write for example last=500,days=14,size=100M"):
        parse_keep(text)


RECORDS = [Kept(100, at) for at in (1000.0, 2000.0, 3000.0, 4000.0)]


@pytest.mark.parametrize(
    ("keep", "dropped"),
    [
        (Keep(), 0),
        (Keep(last=4), 0),
        (Keep(last=3), 1),
        (Keep(last=1), 3),
        (Keep(days=2500 / 86_400), 2),
        (Keep(size=1000), 0),
        (Keep(size=250), 2),
        (Keep(size=1), 3),
        (Keep(last=3, size=250), 2),
        (Keep(days=0.0001), 3),
    ],
)
def test_the_strictest_limit_counts_and_the_newest_record_stays(keep: Keep, dropped: int) -> None:
    assert how_many_to_drop(RECORDS, keep, now=5000.0) == dropped


def recorded_on(day: int) -> Recorded:
    return Recorded(at=f"2026-11-{day:02}T00:00:00Z", by=BY)


def test_dropping_keeps_the_rest_byte_for_byte(tmp_path: Path) -> None:
    records = [interaction(f"01J0-{day}", recorded=recorded_on(day)) for day in (10, 20, 30)]
    path = cassette_of(tmp_path / "a.agy.yaml", records)
    before = Cassette.open(path)
    kept = [before.raw(entry) for entry in before.entries[1:]]
    assert drop_old(path, Keep(days=12), now_ns=MIDNIGHT_NS) == 1
    after = Cassette.open(path)
    assert [after.raw(entry) for entry in after.entries] == kept
    assert verify(path).is_sound(strict=True)


def test_a_cassette_within_its_limits_is_not_written(tmp_path: Path) -> None:
    path = cassette_of(tmp_path / "a.agy.yaml", [interaction()])
    inode = path.stat().st_ino
    assert drop_old(path, Keep(last=1), now_ns=MIDNIGHT_NS) == 0
    assert path.stat().st_ino == inode


def test_bodies_beside_the_cassette_go_with_the_last_record_that_names_them(tmp_path: Path) -> None:
    big, other = b"x" * (2**20 + 1), b"y" * (2**20 + 1)
    records = [interaction(f"01J0-{at}", stdout=body) for at, body in enumerate((other, big, big))]
    path = cassette_of(tmp_path / "a.agy.yaml", records)
    folder = tmp_path / "a.agy.yaml.d"
    assert len(list(folder.iterdir())) == 2
    assert drop_old(path, Keep(last=1), now_ns=MIDNIGHT_NS) == 2
    assert [each.stat().st_size for each in folder.iterdir()] == [len(big)]
    assert verify(path).is_sound()
