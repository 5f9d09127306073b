import re
from pathlib import Path

import pytest

from fake_agy.store import (
    Rows,
    append_rows,
    is_known,
    last_conversation,
    new_conversation_id,
    remember_last,
    replace_private,
    rows_of,
    store_of,
)
from fake_agy.transcript import Row, next_index

AT = "2026-06-20T10:33:40Z"


@pytest.fixture
def place(tmp_path: Path) -> Path:
    (tmp_path / ".fake-agy").mkdir()
    return tmp_path


def one_row(before: Rows) -> list[Row]:
    return [Row(next_index(before), "MODEL", "PLANNER_RESPONSE", AT, "x")]


def test_ids_are_drawn_from_the_seed_and_shaped_as_uuid4(place: Path) -> None:
    store = store_of(place)
    drawn = [new_conversation_id(store, 1) for _ in range(20)]
    assert len(set(drawn)) == 20
    assert all(
        re.fullmatch(r"[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}", i) for i in drawn
    )
    (store.own / "conversations").unlink()
    assert [new_conversation_id(store, 1) for _ in range(20)] == drawn
    (store.own / "conversations").unlink()
    assert new_conversation_id(store, 2) not in drawn


def test_an_id_in_use_is_passed_over_when_the_counter_is_lost(place: Path) -> None:
    store = store_of(place)
    first = new_conversation_id(store, 1)
    append_rows(store, first, one_row)
    (store.own / "conversations").unlink()
    assert new_conversation_id(store, 1) != first


@pytest.mark.parametrize(
    "asked", ["../../etc", "", "not-a-uuid", "6a459081-19d6-465b-a339-76a50db44af6", "a" * 9000]
)
def test_an_id_that_was_never_given_is_unknown(asked: str, place: Path) -> None:
    assert not is_known(store_of(place), asked)


def test_rows_follow_a_torn_line_on_a_line_of_their_own(place: Path) -> None:
    store = store_of(place)
    conversation = new_conversation_id(store, 1)
    append_rows(store, conversation, one_row)
    full = store.root / "brain" / conversation / ".system_generated" / "logs" / "transcript_full.jsonl"
    with full.open("ab") as file:
        file.write(b'{"step_index":1,"sour')
    append_rows(store, conversation, one_row)
    assert [row["step_index"] for row in rows_of(store, conversation)] == [0, 1]


def test_continue_finds_only_a_conversation_that_still_exists(place: Path) -> None:
    store = store_of(place)
    conversation = new_conversation_id(store, 1)
    remember_last(store, "/work/<a>", conversation)
    assert last_conversation(store, "/work/<a>") is None
    append_rows(store, conversation, one_row)
    assert last_conversation(store, "/work/<a>") == conversation
    assert last_conversation(store, "/work/b") is None


@pytest.mark.parametrize("text", ["", "[]", "{", '{"/w": 3}'])
def test_a_broken_cache_counts_as_empty(text: str, place: Path) -> None:
    store = store_of(place)
    replace_private(store.root / "cache" / "last_conversations.json", text)
    assert last_conversation(store, "/w") is None
