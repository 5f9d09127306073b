import os
from pathlib import Path

import pytest

from fake_agy.screen.past import conversations, turns_shown
from fake_agy.screen.state import Block
from fake_agy.stores.database import Told
from fake_agy.stores.layout import Layout, generated, layout_of, logs
from fake_agy.stores.step import Usage

ROW = '{"content":"<USER_REQUEST>\\n%s\\n</USER_REQUEST>\\n<ADDITIONAL_METADATA>"}\n'


@pytest.fixture
def place(tmp_path: Path) -> Layout:
    return layout_of(str(tmp_path))


def keep(place: Layout, conversation: str, first: str, age: int) -> None:
    """Keep a conversation that was touched so many seconds ago."""
    path = Path(logs(place, conversation), "transcript.jsonl")
    path.parent.mkdir(parents=True)
    path.write_text(first)
    os.utime(path, (1_000_000 - age, 1_000_000 - age))


def test_turns_are_shown_with_the_answers_they_had() -> None:
    told = (Told("one", "first\n", Usage()), Told("two", None, Usage()))

    assert turns_shown(told) == (Block("prompt", "one"), Block("answer", "first\n"), Block("prompt", "two"))


def test_where_nothing_was_said_there_is_nothing_to_choose(place: Layout) -> None:
    assert conversations(place) == ()


def test_conversations_are_listed_newest_first_by_what_was_asked(place: Layout) -> None:
    keep(place, "old", ROW % "my  cat", 20)
    keep(place, "new", ROW % "my dog", 10)
    keep(place, "odd", "no json\n", 30)
    keep(place, "list", "[]\n", 40)
    keep(place, "child", ROW % "look", 5)
    Path(generated(place, "empty")).mkdir(parents=True)
    children = Path(generated(place, "old"), "subagents")
    children.mkdir()
    (children / "child.json").write_text("{}")

    assert conversations(place) == (("new", "my dog"), ("old", "my cat"), ("odd", "odd"), ("list", "list"))


def test_no_more_than_the_digits_can_choose_are_listed(place: Layout) -> None:
    for number in range(12):
        keep(place, f"c{number}", ROW % number, number)

    assert [identity for identity, _ in conversations(place)] == [f"c{number}" for number in range(9)]
