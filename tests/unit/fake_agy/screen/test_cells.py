import pytest
from hypothesis import given
from hypothesis import strategies as st

from fake_agy.screen.cells import cut, plain, width_of, wrapped


@pytest.mark.parametrize(
    ("text", "width"), [("", 0), ("abc", 3), ("漢字", 4), ("e\u0301", 1), ("🙂", 2), ("a\u200b", 1)]
)
def test_a_text_is_as_wide_as_its_cells(text: str, width: int) -> None:
    assert width_of(text) == width


@pytest.mark.parametrize(
    ("text", "width", "lines"),
    [
        ("one two three", 7, ["one two", "three"]),
        ("one two three", 20, ["one two three"]),
        ("abcdefgh", 3, ["abc", "def", "gh"]),
        ("漢字漢", 4, ["漢字", "漢"]),
        ("a\n\nb", 5, ["a", "", "b"]),
        ("", 5, [""]),
    ],
)
def test_a_text_breaks_at_blanks_or_where_it_must(text: str, width: int, lines: list[str]) -> None:
    assert wrapped(text, width) == lines


def test_the_first_line_and_the_others_have_their_margins() -> None:
    assert wrapped("one two", 6, "> ", "  ") == ["> one", "  two"]


def test_control_characters_do_not_reach_the_terminal() -> None:
    assert plain("a\x1b[2Jb\tc\r\n") == "a\ufffd[2Jb    c\n"


@given(st.text(), st.integers(0, 20))
def test_what_is_cut_fits(text: str, width: int) -> None:
    assert text.startswith(cut(text, width))
    assert width_of(cut(text, width)) <= width
