import pytest

from fake_agy.profile import resolve
from fake_agy.profile.resolve import NEWEST_KNOWN, profile_of, read_switch
from fake_agy.profile.row import Behaviour, Row

TABLE = (
    Behaviour(
        "greeting",
        "what it says first",
        (
            Row((1, 0, 0), "hello", "captured", "contract.md 1"),
            Row((1, 1, 12), "good day", "inferred", "contract.md 1"),
        ),
        others=("nothing",),
    ),
    Behaviour("loud", "whether it shouts", (Row((1, 0, 0), False, "captured", "x"),), others=(True,)),
    Behaviour("exit", "its status", (Row((1, 0, 0), 0, "captured", "x"), Row((1, 2, 0), 1, "captured", "x"))),
)


@pytest.fixture(autouse=True)
def small_table(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(resolve, "BEHAVIOURS", TABLE)


@pytest.mark.parametrize(
    ("version", "greeting", "status"),
    [
        ((1, 0, 0), "hello", 0),
        ((1, 1, 11), "hello", 0),
        ((1, 1, 12), "good day", 0),
        ((1, 2, 0), "good day", 1),
        ((9, 0, 0), "good day", 1),
    ],
)
def test_a_version_has_the_last_row_that_began_by_then(
    version: tuple[int, int, int], greeting: str, status: int
) -> None:
    profile = profile_of(version)

    assert (profile["greeting"], profile["exit"], profile["loud"]) == (greeting, status, False)


def test_a_version_after_the_newest_known_is_assumed_to_be_as_that() -> None:
    assert profile_of((1, 3, 4)).assumed
    assert not profile_of(NEWEST_KNOWN).assumed
    assert profile_of((1, 3, 4)).values == profile_of(NEWEST_KNOWN).values


def test_a_switch_takes_the_place_of_the_versions_own() -> None:
    assert profile_of((1, 0, 0), [("greeting", "nothing")])["greeting"] == "nothing"


@pytest.mark.parametrize(
    ("typed", "switch"),
    [
        ("greeting=good day", ("greeting", "good day")),
        ("greeting=nothing", ("greeting", "nothing")),
        ("loud=true", ("loud", True)),
        ("exit=1", ("exit", 1)),
    ],
)
def test_a_switch_is_read_as_it_is_typed(typed: str, switch: tuple[str, object]) -> None:
    assert read_switch(typed) == switch


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ("greeting", "'greeting' is not NAME=VALUE"),
        ("greting=hello", "no behaviour is named greting"),
        ("greeting=bye", "greeting can't be 'bye'; it is one of hello, good day, nothing"),
        ("loud=True", "it is one of false, true"),
        ("exit=true", "it is one of 0, 1"),
    ],
)
def test_a_switch_that_nothing_is_named_by_says_what_there_is(typed: str, said: str) -> None:
    with pytest.raises(ValueError, match=said):
        read_switch(typed)


@pytest.mark.parametrize("pair", [("loud", 1), ("exit", True), ("loud", "true")])
def test_a_value_of_another_type_is_no_choice(pair: tuple[str, object]) -> None:
    with pytest.raises(ValueError, match="can't be"):
        profile_of((1, 0, 0), [pair])  # type: ignore[list-item]  # what a type checker would catch
