import json
from pathlib import Path
from typing import Any

import pytest

from fake_agy.command.agentapi import agentapi
from fake_agy.command.place import Place
from fake_agy.profile.resolve import profile_of
from fake_agy.stores.conversations import is_known
from fake_agy.stores.layout import layout_of

NOW = profile_of((1, 3, 3))


def call(home: Path, *words: str) -> Any:
    ending = agentapi(words, NOW, Place(str(home), "/w", "signed-in", {}))
    assert ending.exit == 0, ending.err
    return json.loads(ending.out)


def test_a_new_conversation_can_be_gone_on_with_and_told_of_and_written_to(tmp_path: Path) -> None:
    begun = call(tmp_path, "new-conversation", "--model=flash", "--title=T", "do this")["conversationId"]
    assert is_known(layout_of(str(tmp_path)), begun, NOW)
    assert call(tmp_path, "get-conversation-metadata", begun) == {
        "conversationId": begun,
        "workspaceUris": ["file:///w"],
    }
    assert call(tmp_path, "send-message", "--title=T", begun, "hello")["recipient"] == begun
    assert call(tmp_path, "new-conversation", "do that")["conversationId"] != begun


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ([], 'unknown agentapi command ""'),
        (["bogus"], 'unknown agentapi command "bogus"'),
        (["get-conversation-metadata"], "wrong number of arguments"),
        (["get-conversation-metadata", "none"], 'conversation "none" not found'),
        (["send-message", "none", "hello"], 'conversation "none" not found'),
        (["new-conversation", "--model=huge", "x"], 'unknown model "huge"'),
        (["new-conversation", "--bogus", "x"], "flags provided but not defined: -bogus"),
    ],
)
def test_what_can_not_be_done_ends_with_1(words: list[str], said: str, tmp_path: Path) -> None:
    ending = agentapi(words, NOW, Place(str(tmp_path), "/w", "signed-in", {}))
    assert (ending.exit, ending.out) == (1, "")
    assert said in ending.err
