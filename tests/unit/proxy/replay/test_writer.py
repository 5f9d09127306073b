import io
import marshal
from pathlib import Path

import pytest

from agy_proxy.replay.rebuilt import told
from agy_proxy.replay.writer import Writer, main, united
from fake_agy.stores.step import ToolCall, Usage


@pytest.mark.parametrize(
    ("known", "entries", "expected"),
    [
        ({}, {"b": "1", "a": "2"}, [("a", "2"), ("b", "1")]),
        ({"a": "1", "c": "2"}, {"b": "3"}, [("a", "1"), ("b", "3"), ("c", "2")]),
        ({"a": "1"}, {"a": "2"}, [("a", "2")]),
        ({"z": "1", "a": "2"}, {"b": "3"}, [("z", "1"), ("a", "2"), ("b", "3")]),
        ({"a": {"x": 1}}, {"a": {"y": 2}}, [("a", {"x": 1, "y": 2})]),
        ({"a": "text"}, {"a": {"y": 2}}, [("a", {"y": 2})]),
    ],
)
def test_entries_are_put_in_their_place(
    known: dict[str, object], entries: dict[str, object], expected: list[tuple[str, object]]
) -> None:
    assert list(united(known, entries).items()) == expected


def test_a_step_is_read_whole_and_what_is_unknown_is_passed_over() -> None:
    text = (
        b'{"facts": {"title": "t", "new": 1}}\n'
        b'{"step": {"idx": 3, "type": "PLANNER_RESPONSE", "source": "MODEL", "status": "CANCELED",'
        b' "created": 5.5, "finished": 4, "plain": "p", "content": "c", "thinking": "h", "exit_code": 1,'
        b' "tool_calls": [{"name": "n", "args": {"a": 1}, "id": "i"}, ["m", {}, ""]],'
        b' "answers": {"name": "n", "args": {}, "id": "i"},'
        b' "usage": {"input": 1, "output": 2, "thinking": 3, "cache_read": 4}, "logged": false, "new": 2}}\n'
    )

    facts, (step,) = told(text)

    assert facts == {"title": "t", "new": 1}
    assert (step.idx, step.type, step.status, step.logged) == (3, "PLANNER_RESPONSE", "CANCELED", False)
    assert (step.created, step.finished) == (5.5, 5.5)
    assert (step.plain, step.content, step.thinking, step.exit_code) == ("p", "c", "h", 1)
    assert step.tool_calls == (ToolCall("n", {"a": 1}, "i"), ToolCall("m", {}))
    assert step.answers == ToolCall("n", {}, "i")
    assert step.usage == Usage(1, 2, 3, 4)


@pytest.mark.parametrize("text", [b"{}", b"[]", b"\xff", b'{"step":{"idx":true}}', b'{"step":{"idx":1e3}}'])
def test_what_is_no_step_is_an_error(text: bytes) -> None:
    with pytest.raises(ValueError, match=r"."):
        told(text)


def framed(data: bytes) -> bytes:
    return len(data).to_bytes(4, "little") + data


def test_each_change_is_answered_and_a_bad_one_ends_nothing(tmp_path: Path) -> None:
    changes = [
        {"how": "decoded", "home": bytes(tmp_path), "parts": (b"conversations", b"a.db"), "text": b"{}"},
        {"how": "merge", "home": bytes(tmp_path), "parts": (b"cache", b"a.json"), "text": b'{"a":1}'},
    ]
    answers = io.BytesIO()

    asked = io.BytesIO(b"".join(framed(marshal.dumps(change, 2)) for change in changes))
    assert main(asked, answers) == 0

    first, second = answers.getvalue(), framed(b"")
    assert first.endswith(second)
    assert b"neither facts nor a step" in first
    assert (tmp_path / ".gemini/antigravity-cli/cache/a.json").read_text() == '{"a":1}'


def test_nothing_but_the_store_is_written_in_a_home(tmp_path: Path) -> None:
    writer = Writer(bytes(tmp_path), now=1.0)

    writer.write("decoded", (b"conversations", b"a.db"), b'{"step":{"idx":0,"type":"USER_INPUT"}}\n')
    writer.write("merge", (b"cache", b"last_conversations.json"), b'{"/a":"b"}')
    writer.close()

    assert [path.name for path in tmp_path.iterdir()] == [".gemini"]
    assert {path.stat().st_mode & 0o777 for path in tmp_path.rglob("*") if path.is_file()} == {0o600}
