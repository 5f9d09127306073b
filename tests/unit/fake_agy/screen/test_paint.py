from hypothesis import given
from hypothesis import strategies as st

from fake_agy.screen.paint import paint, repaint
from tests.support.screen_reader import ScreenReader

DRAWINGS = st.lists(
    st.lists(st.sampled_from(["one", "two", "three", ""]), min_size=1, max_size=12).map(tuple),
    min_size=1,
    max_size=6,
)


@given(DRAWINGS, st.integers(2, 8))
def test_after_each_painting_the_end_of_the_drawing_stands_on_the_screen(
    drawings: list[tuple[str, ...]], height: int
) -> None:
    reader = ScreenReader(20, height)
    before: tuple[str, ...] = ()
    for after in drawings:
        reader.feed(paint(before, after, height).encode())
        kept = reader.lines()[-min(len(after), height) :]
        assert kept == list(after[-height:])
        before = after


def test_a_drawing_that_grows_pushes_its_beginning_off_the_screen() -> None:
    reader = ScreenReader(20, 2)
    reader.feed(paint((), ("a", "b"), 2).encode())
    reader.feed(paint(("a", "b"), ("a", "b", "c"), 2).encode())

    assert reader.lines() == ["b", "c"]


def test_what_stays_the_same_is_not_written_again() -> None:
    assert paint(("a", "b"), ("a", "b"), 5) == ""
    assert "a" not in paint(("a", "b"), ("a", "c"), 5)


def test_a_repainting_clears_the_screen_first() -> None:
    reader = ScreenReader(20, 3)
    reader.feed(b"rest\r\nof another")
    reader.feed(repaint(("1", "2", "3", "4"), 3).encode())

    assert reader.lines() == ["2", "3", "4"]
