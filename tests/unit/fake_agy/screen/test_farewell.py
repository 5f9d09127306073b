import pytest

from fake_agy.profile.resolve import profile_of
from fake_agy.screen.farewell import farewell


@pytest.mark.parametrize(
    ("version", "text"),
    [
        ((1, 0, 12), "Resume with: agy --conversation=ID\nResume in the same project (p): agy -c\n"),
        ((1, 0, 13), "agy --conversation=ID\n"),
        ((1, 1, 1), "Resume with -c (or command below):\nagy --conversation=ID\n"),
    ],
)
def test_a_version_has_its_own_last_words(version: tuple[int, int, int], text: str) -> None:
    assert farewell("ID", "p", profile_of(version)) == text


def test_there_is_nothing_to_go_on_with_where_nothing_was_said() -> None:
    assert farewell(None, "p", profile_of((1, 3, 3))) == ""
