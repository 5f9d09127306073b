import pytest
from hypothesis import given
from hypothesis import strategies as st

from agy_cassettes.difference import argv_difference, common, common_tail, first_difference, quoted

texts = st.text(st.sampled_from("ab \n…"), max_size=200) | st.text(max_size=20)


def test_argv_is_aligned_word_by_word() -> None:
    lines = argv_difference(
        ["--conversation", "a", "-p", "${PROMPT}"], ["-c", "-p", "${PROMPT}", "--model", "m"]
    )
    assert [line.sign + line.word for line in lines] == [
        *("--c", "+--conversation", "+a", "=-p", "=${PROMPT}", "---model", "-m"),
    ]


def test_a_placeholder_with_another_number_is_no_difference() -> None:
    assert [line.sign for line in argv_difference(["REDACTED-key-0"], ["REDACTED-key-3"])] == ["="]


@given(st.lists(st.sampled_from("abc"), max_size=6), st.lists(st.sampled_from("abc"), max_size=6))
def test_both_argvs_can_be_read_from_their_difference(asked: list[str], recorded: list[str]) -> None:
    lines = argv_difference(asked, recorded)
    assert [line.word for line in lines if line.sign in "=+"] == asked
    assert [line.word for line in lines if line.sign in "=-"] == recorded


def test_the_first_differing_span_is_shown_with_what_stands_around_it() -> None:
    asked = "x" * 100 + "\nread the red file, please" + "y" * 100
    found = first_difference(asked, asked.replace("red", "blue"))
    assert found is not None
    assert (found.offset, found.line) == (110, 2)
    assert found.asked == "…" + "x" * 20 + r"\nread the " + "[red] file, please" + "y" * 17 + "…"
    assert found.recorded == found.asked.replace("red", "blue")


def test_one_text_longer_than_the_other_differs_where_it_goes_on() -> None:
    found = first_difference("abc", "abcdef")
    assert found is not None
    assert (found.offset, found.asked, found.recorded) == (3, "abc[]", "abc[def]")


def test_a_long_span_is_cut() -> None:
    found = first_difference("a" * 1000 + "b" * 100_000, "a" * 1000)
    assert found is not None
    assert len(found.asked) < 120
    assert found.asked.endswith("b…]")


def test_equal_texts_have_no_difference() -> None:
    assert first_difference("a", "a") is None


@given(texts, texts)
def test_a_difference_is_found_where_the_texts_part(asked: str, recorded: str) -> None:
    found = first_difference(asked, recorded)
    if found is None:
        assert asked == recorded
    else:
        assert asked[: found.offset] == recorded[: found.offset]
        assert asked[found.offset : found.offset + 1] != recorded[found.offset : found.offset + 1]
        for shown in (found.asked, found.recorded):
            assert shown.isprintable()
            assert len(shown) < 1500


@given(texts, texts)
def test_what_texts_have_in_common_is_counted_by_characters(one: str, other: str) -> None:
    start, tail = common(one, other), common_tail(one, other)
    assert one[:start] == other[:start]
    assert one[start : start + 1] != other[start : start + 1] or start == len(one) == len(other)
    assert tail == common(one[::-1], other[::-1])


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain", "plain"),
        ("", '""'),
        ("two words", '"two words"'),
        ("a\nb\x1b[0m", r"a\nb\x1b[0m"),
        ("\udcff", r"\xff"),
        ("é…", "é…"),
        ("x" * 300, "x" * 49 + "…" + "x" * 49),
    ],
)
def test_a_word_is_shown_on_one_line(text: str, shown: str) -> None:
    assert quoted(text) == shown
