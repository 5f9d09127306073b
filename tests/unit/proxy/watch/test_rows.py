import json

import pytest

from agy_proxy.watch.rows import (
    asks,
    conversation_in_log,
    conversation_in_output,
    conversation_of_path,
    created_ns,
    is_conversation_id,
    own_rows,
    rows,
    turn_offset,
)
from tests.support.recorded_call import row

ID = "9b1d8d5e-0000-4000-8000-000000000001"


@pytest.mark.parametrize(
    ("content", "prompt", "fits"),
    [
        ("<USER_REQUEST>\nhi\n</USER_REQUEST>\n<ADDITIONAL_METADATA>", b"hi", True),
        ("<USER_REQUEST>\nhi\n</USER_REQUEST>", b"hi\n", True),
        ("<USER_REQUEST>\nhi you\n</USER_REQUEST>", b"hi", False),
        ("hi", b"hi", True),
        ("", b"", True),
    ],
)
def test_a_turn_is_known_by_its_prompt(content: str, prompt: bytes, fits: bool) -> None:
    assert asks({"type": "USER_INPUT", "content": content}, prompt) is fits
    assert not asks({"type": "PLANNER_RESPONSE", "content": content}, prompt)


def test_an_elided_prompt_is_known_by_its_beginning() -> None:
    prompt = "é" * 4000
    whole = f"<USER_REQUEST>\n{prompt}\n</USER_REQUEST>".encode()
    kept = whole[:2048].decode("utf-8", "replace")
    elided = {
        "type": "USER_INPUT",
        "content": f"{kept}\n<truncated {len(whole) - 4096} bytes>\nrest",
        "truncated_fields": ["content"],
    }
    assert asks(elided, prompt.encode())
    assert not asks(elided, b"another")
    assert not asks(elided, b"")


def test_lines_that_are_no_objects_are_kept_as_lines() -> None:
    data = b'{"a":1}\nnot json\n[1]\n{"torn":'
    assert [line for line, _ in rows(data)] == data.splitlines(keepends=True)
    assert [found for _, found in rows(data)] == [{"a": 1}, {}, {}, {}]


def test_the_conversation_is_found_in_log_output_and_paths() -> None:
    log = b"I0921 1 a.go:1] Created conversation old\nI Print mode: conversation=%s, sending message\n"
    assert conversation_in_log(log % ID.encode()) == ID
    assert (
        conversation_in_log(b"a.go:1] Created conversation mine\na.go:1] Created conversation childs\n")
        == "mine"
    )
    assert conversation_in_log(log % ID.encode() + b"Created conversation childs\n") == ID
    assert conversation_in_log(b"conversation stories") is None
    assert (
        conversation_in_output(json.dumps({"conversation_id": ID, "x": {"conversation_id": "b"}}).encode())
        == ID
    )
    assert conversation_in_output(b'{"conversation_id":""}') is None
    for path in (f"/h/brain/{ID}/x", f"/h/conversations/{ID}.db-wal", f"/h/presence/{ID}.lock"):
        assert conversation_of_path(path.encode()) == ID
    assert conversation_of_path(b"/h/settings.json") is None


@pytest.mark.parametrize("name", ["..", ".", "", "a/b", "a\0", "-x", "a" * 65, "a.b"])
def test_what_could_lead_elsewhere_is_no_conversation(name: str) -> None:
    assert not is_conversation_id(name)
    assert is_conversation_id(ID)


def test_a_later_calls_turn_is_cut_off() -> None:
    mine, later = row("USER_INPUT", "a") + row("PLANNER_RESPONSE", "b"), row("USER_INPUT", "c", 5)
    assert own_rows(mine + later, several=False, ended_ns=None) == mine
    began = created_ns(json.loads(later))
    assert began is not None
    assert own_rows(mine + later, several=True, ended_ns=began) == mine + later
    assert own_rows(mine + later, several=True, ended_ns=began - 1) == b""


def test_a_turn_is_found_where_it_began() -> None:
    first, second = row("USER_INPUT", "again"), row("USER_INPUT", "again", 3)
    began = created_ns(json.loads(first))
    assert began is not None
    both = first + second
    assert turn_offset(both, b"again", since_ns=began, first=True) == 0
    assert turn_offset(both, b"again", since_ns=began, first=False) == len(first)
    assert turn_offset(both, b"again", since_ns=began + 10**10, first=False) is None
    assert turn_offset(both, b"other", since_ns=began, first=True) is None
