import pytest
from hypothesis import given
from hypothesis import strategies as st

from agy_cassettes.interaction import Tick
from agy_cassettes.limits import Limits
from agy_cassettes.timing import format_timing, parse_timing
from tests.support.records import ticks

TEXT = "2104o61 0f1 350o118 12e34 900x"
TICKS = (Tick(2104, "o", 61), Tick(0, "f"), Tick(350, "o", 118), Tick(12, "e", 34), Tick(900, "x"))


def test_timing_is_one_scalar_of_entries() -> None:
    assert format_timing(TICKS) == TEXT
    assert parse_timing(TEXT) == TICKS


@given(st.lists(ticks).map(tuple))
def test_any_timing_reads_back(some: tuple[Tick, ...]) -> None:
    assert parse_timing(format_timing(some)) == some


@pytest.mark.parametrize(
    "text",
    [
        "x",
        "1",
        "1q2",
        "1o",
        "-1o2",
        "1o-2",
        "1.5o2",
        "1o2,2o3",
        "\u0661o2",
        f"{10**11}o1",
        f"1o{10**13}",
        "9" * 30 + "x",
    ],
)
def test_an_entry_that_makes_no_sense_is_named(text: str) -> None:
    with pytest.raises(ValueError, match="timing holds"):
        parse_timing(text)


def test_more_entries_than_the_limit_are_refused() -> None:
    assert len(parse_timing("1x " * 3, Limits(ticks=3))) == 3
    with pytest.raises(ValueError, match="more than 3"):
        parse_timing("1x " * 4, Limits(ticks=3))
