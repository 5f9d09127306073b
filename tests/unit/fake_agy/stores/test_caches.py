"""The cache folder: newest conversations by directory, projects, what is known of conversations."""

import json
from pathlib import Path
from typing import Any

import pytest

from fake_agy.stores.caches import (
    METADATA_MAX,
    last_conversation,
    remember_last,
    remember_metadata,
    remember_project,
)
from fake_agy.stores.files import replace_private
from fake_agy.stores.layout import Layout, layout_of
from fake_agy.stores.summaries import Summary

AT = "2026-07-01T10:00:00Z"


@pytest.fixture
def place(tmp_path: Path) -> Layout:
    return layout_of(str(tmp_path))


def summary(conversation: str) -> Summary:
    return Summary(conversation, "Title", "last <prompt>", 4, 0.0, ("/w",), "default-cli-project", 0.0, 2)


def kept(place: Layout, name: str) -> Any:
    return json.loads((Path(place.root) / "cache" / name).read_text())


def test_a_directory_keeps_its_newest_conversation(place: Layout) -> None:
    remember_last(place, "/work/<a>", "one")
    remember_last(place, "/work/b", "two")
    remember_last(place, "/work/<a>", "three")

    assert (last_conversation(place, "/work/<a>"), last_conversation(place, "/work/b")) == ("three", "two")
    assert last_conversation(place, "/work/c") is None


@pytest.mark.parametrize("text", ["", "[]", "{", '{"/w": 3}', "\x00", "[" * 100_000])
def test_a_broken_cache_counts_as_empty(text: str, place: Layout) -> None:
    replace_private(f"{place.root}/cache/last_conversations.json", text.encode())

    assert last_conversation(place, "/w") is None
    remember_last(place, "/w", "one")
    assert last_conversation(place, "/w") == "one"


def test_what_is_known_of_a_conversation_has_agys_keys_in_agys_order(place: Layout) -> None:
    remember_metadata(place, summary("one"), AT)
    remember_metadata(place, summary("two"), AT)
    entries = kept(place, "conversation_metadata.json")["conversations"]

    assert list(entries) == ["one", "two"]
    assert list(entries["one"]) == ["summary", "is_internal", "last_modified_time"]
    assert entries["one"]["summary"] == {
        "ID": "one",
        "Title": "Title",
        "Preview": "last <prompt>",
        "NumSteps": 4,
        "UpdatedAt": AT,
        "WorkspaceURIs": ["file:///w"],
        "ProjectID": "default-cli-project",
        "AgentName": "",
    }
    assert list(entries["one"]["summary"])[:3] == ["ID", "Title", "Preview"]


def test_a_large_list_is_left_as_it_is(place: Layout) -> None:
    large = b'{"conversations":{}}' + b" " * METADATA_MAX
    path = Path(place.root) / "cache" / "conversation_metadata.json"
    replace_private(str(path), large)
    remember_metadata(place, summary("one"), AT)

    assert path.read_bytes() == large


def test_directories_keep_their_projects(place: Layout) -> None:
    remember_project(place, "/b", "one")
    remember_project(place, "/a", "two")

    assert kept(place, "projects.json") == {"/a": "two", "/b": "one"}
