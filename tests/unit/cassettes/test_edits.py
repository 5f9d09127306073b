from hypothesis import given
from hypothesis import strategies as st

from agy_cassettes.edits import Edit, apply, moved


@st.composite
def streams(draw: st.DrawFn) -> tuple[bytes, list[int], list[Edit]]:
    counts = draw(st.lists(st.integers(0, 6), min_size=1, max_size=8))
    size = sum(counts)
    data = draw(st.binary(min_size=size, max_size=size))
    cuts = sorted(draw(st.lists(st.integers(0, size), max_size=8)))
    spans = list(zip(cuts[::2], cuts[1::2], strict=False))
    return data, counts, [(start, end, draw(st.binary(max_size=4))) for start, end in spans]


def test_an_edit_replaces_its_span() -> None:
    assert apply(b"hello world", [(0, 5, b"bye"), (6, 11, b"")]) == b"bye "


def test_an_empty_span_is_an_insertion() -> None:
    assert apply(b"ac", [(1, 1, b"b"), (2, 2, b"d")]) == b"abcd"


def test_a_replacement_belongs_to_the_chunk_where_the_span_began() -> None:
    assert moved([4, 4, 4], [(3, 9, b"NEW")]) == [6, 0, 3]


def test_an_insertion_between_two_chunks_belongs_to_the_later_one() -> None:
    assert moved([2, 2], [(2, 2, b"xx")]) == [2, 4]


def test_an_insertion_at_the_end_belongs_to_the_last_chunk() -> None:
    assert moved([2, 2], [(4, 4, b"x")]) == [2, 3]


def test_an_empty_chunk_takes_no_part() -> None:
    assert moved([2, 0, 2], [(2, 3, b"abc")]) == [2, 0, 4]


def test_an_edit_beyond_the_counted_chunks_changes_no_count() -> None:
    assert moved([2], [(5, 7, b"x")]) == [2]


def test_no_chunks_stay_no_chunks() -> None:
    assert moved([], [(0, 0, b"x")]) == []


@given(streams())
def test_the_counts_after_the_edits_cover_the_new_stream(stream: tuple[bytes, list[int], list[Edit]]) -> None:
    data, counts, edits = stream
    after = moved(counts, edits)
    assert sum(after) == len(apply(data, edits))
    assert len(after) == len(counts)
    assert min(after) >= 0


@given(streams())
def test_bytes_before_the_first_edit_stay_in_their_chunks(
    stream: tuple[bytes, list[int], list[Edit]],
) -> None:
    _, counts, edits = stream
    first = min((start for start, _, _ in edits), default=sum(counts))
    whole = [index for index in range(len(counts)) if sum(counts[: index + 1]) < first]
    after = moved(counts, edits)
    assert [after[index] for index in whole] == [counts[index] for index in whole]
