"""Of files that all conversations share only what is this call's is taken."""

import json
import os
from pathlib import Path

import pytest

from agy_proxy.record.own_entries import OwnEntries

MINE, OTHER = "conversation-1", "conversation-2"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    (tmp_path / "cache").mkdir()
    return tmp_path


def entries(root: Path, *, fresh: bool = False) -> OwnEntries:
    return OwnEntries(bytes(root), MINE, "/work", fresh=fresh)


def merged(own: OwnEntries) -> dict[str, object]:
    return {Path(os.fsdecode(path)).name: json.loads(change.data) for path, change in own.merged()}


def put(root: Path, name: str, value: object) -> None:
    (root / "cache" / f"{name}.json").write_text(json.dumps(value))


def test_only_the_entries_of_the_call_are_taken_and_once(root: Path) -> None:
    own = entries(root)
    assert merged(own) == {}
    put(root, "last_conversations", {"/work": MINE, "/elsewhere": OTHER})
    put(root, "projects", {"/work": "project", "/elsewhere": "secret"})
    put(root, "conversation_metadata", {"conversations": {MINE: {"summary": {}}, OTHER: {}}})
    assert merged(own) == {
        "last_conversations.json": {"/work": MINE},
        "projects.json": {"/work": "project"},
        "conversation_metadata.json": {"conversations": {MINE: {"summary": {}}}},
    }
    assert merged(own) == {}
    put(root, "last_conversations", {"/work": MINE, "/third": OTHER})
    assert merged(own) == {}


def test_an_entry_that_names_another_conversation_is_not_the_calls(root: Path) -> None:
    own = entries(root)
    put(root, "last_conversations", {"/work": OTHER})
    assert merged(own) == {}


def test_what_was_there_is_old_unless_the_conversation_is_fresh(root: Path) -> None:
    put(root, "last_conversations", {"/work": MINE})
    (root / "history.jsonl").write_text(json.dumps({"display": "a", "conversationId": MINE}) + "\n")
    assert merged(entries(root)) == {}
    assert entries(root).history(rest=True) == []
    assert merged(entries(root, fresh=True)) == {"last_conversations.json": {"/work": MINE}}
    assert len(entries(root, fresh=True).history(rest=True)) == 1


def test_history_lines_of_others_are_left_out(root: Path) -> None:
    own = entries(root)
    lines = [json.dumps({"display": name, "conversationId": name}) + "\n" for name in (OTHER, MINE, OTHER)]
    (root / "history.jsonl").write_text("".join(lines))
    ((path, change),) = own.history(rest=False)
    assert (path, change.op, change.data) == (bytes(root / "history.jsonl"), "append", lines[1].encode())


@pytest.mark.parametrize("damage", ["", "[", "[1]", "null", '{"/work": 3}'])
def test_a_damaged_cache_says_nothing(root: Path, damage: str) -> None:
    own = entries(root, fresh=True)
    for name in ("last_conversations", "projects", "conversation_metadata"):
        (root / "cache" / f"{name}.json").write_text(damage)
    assert merged(own) == {}
