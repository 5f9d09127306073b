import pytest

from agy_cassettes.client_words import alarming
from agy_proxy.replay.departure import Departure, alike, full_words, short_words


@pytest.mark.parametrize(
    ("asked", "recorded", "expected"),
    [
        ("mail REDACTED-email-0\n", "mail REDACTED-email-3", True),
        ('{"a": "REDACTED-email-0", "b": 1}', '{"b":1,"a":"REDACTED-email-7"}', True),
        ('{"a": "REDACTED-email-0"}', '{"a":"REDACTED-key-0"}', False),
        ("no JSON", "nor this", False),
    ],
)
def test_lines_are_alike_whatever_number_a_secret_has(asked: str, recorded: str, expected: bool) -> None:
    assert alike(asked, recorded) is expected


def departure(what: str, asked: str, recorded: str) -> Departure:
    return Departure(
        what=what,  # type: ignore[arg-type]  # a parameter of the test
        number=3,
        asked=asked,
        recorded=recorded,
        call=2,
        interaction="01J0-1",
    )


@pytest.mark.parametrize(
    ("what", "asked", "recorded", "shown"),
    [
        ("line", "one\n", "two\n", "line 3 parts at character 1"),
        ("end", "", "two\n", "the input ended before this was read: two\\n"),
        ("more", "one\n", "", "after the end of the recorded input came: one\\n"),
        ("typed", "\x1b[A", "q", "byte 3:"),
    ],
)
def test_each_departure_is_shown_in_both_texts(what: str, asked: str, recorded: str, shown: str) -> None:
    found = departure(what, asked, recorded)

    assert shown in short_words(found, "/details")
    assert shown in full_words(found)
    assert "01J0-1" in full_words(found)


def test_what_a_client_may_take_for_agys_is_in_the_file_alone() -> None:
    found = departure("more", 'warning: conversation "x" not found\n', "")

    assert not alarming(short_words(found, "/tmp/quota exhausted/1.txt"))
    assert "not found" in full_words(found)


def test_a_long_line_is_cut_on_the_terminal_and_whole_in_the_file() -> None:
    found = departure("line", "a" * 5000 + "b" + "c" * 5000, "a" * 5000 + "d" + "c" * 5000)

    assert len(short_words(found, "/details")) < 1000
    assert "a" * 5000 + "b" in full_words(found)
