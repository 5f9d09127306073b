from itertools import accumulate, pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agy_cassettes.edits import apply, moved
from agy_proxy.shim.isolated.play_text import SECOND, Clock, Text, scaled, written_time


@st.composite
def edited(draw: st.DrawFn) -> tuple[bytes, list[tuple[int, int, bytes]], list[int]]:
    data = draw(st.binary(max_size=40))
    cuts = sorted(draw(st.lists(st.integers(0, len(data)), max_size=8)))
    edits = [(low, high, draw(st.binary(max_size=5))) for low, high in list(pairwise(cuts))[::2]]
    edges = sorted({0, len(data), *draw(st.lists(st.integers(0, len(data)), max_size=5))})
    return data, edits, [high - low for low, high in pairwise(edges)]


@given(edited(), st.integers(1, 7))
def test_a_text_taken_by_its_moved_counts_is_the_edited_text(
    case: tuple[bytes, list[tuple[int, int, bytes]], list[int]], step: int
) -> None:
    data, edits, counts = case
    text = Text(lambda offset, count: data[offset : offset + min(count, step)], 0, len(data), edits)
    expected = apply(data, edits)
    ends = list(accumulate(moved(counts, edits)))

    assert text.length == len(expected)
    for low, high in pairwise([0, *ends]):
        assert b"".join(text.take(high - low)) == expected[low:high]
    assert b"".join(text.take(len(expected) + 1)) == expected[ends[-1] if ends else 0 :]


@pytest.mark.parametrize(
    ("wait", "speed", "expected"), [(100, 1, 100), (100, 10, 10), (100, 0.5, 200), (100, "max", 0)]
)
def test_waits_are_scaled_by_the_speed(wait: int, speed: float | str, expected: int) -> None:
    assert scaled(wait, speed) == expected


RECORDED, LIVE = 1_000 * SECOND + SECOND // 2, 9_000 * SECOND + SECOND // 4


@pytest.mark.parametrize(
    ("at", "speed", "expected"),
    [
        (RECORDED + 3 * SECOND, 1, LIVE + 3 * SECOND),
        (RECORDED + 3 * SECOND, 10, LIVE + SECOND * 3 // 10),
        (RECORDED + 3 * SECOND, "max", LIVE),
        (RECORDED - 40 * SECOND, 10, LIVE - 40 * SECOND),
        (1_000 * SECOND, 1, LIVE),
    ],
    ids=[
        "as long after the start",
        "sooner at a higher speed",
        "at once",
        "as long before the start",
        "cut off to the second of the start",
    ],
)
def test_times_are_moved_to_the_present(at: int, speed: float | str, expected: int) -> None:
    assert Clock(RECORDED, LIVE, speed).moved(at, SECOND) == expected


@pytest.mark.parametrize(
    ("kind", "digits", "expected"),
    [
        ("T", 0, b"2026-06-20T10:33:40Z"),
        ("T", 3, b"2026-06-20T10:33:40.000Z"),
        ("T", 9, b"2026-06-20T10:33:40.000250000Z"),
        ("L", 6, b"0620 10:33:40.000250"),
        ("F", 0, b"20260620_103340"),
        ("U", 0, b"1781951620"),
        ("U", 3, b"1781951620000"),
        ("U", 9, b"1781951620000250000"),
        ("S", 6, b"1781951620.000250"),
    ],
)
def test_times_are_written_as_agy_writes_them(
    kind: str, digits: int, expected: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TZ", "UTC")

    assert written_time(kind, 1_781_951_620 * SECOND + 250_000, digits) == expected
