"""A step that was read back is written as the same bytes again."""

import _sqlite3
import sqlite3
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fake_agy.stores.database import Broken, Facts, open_database
from fake_agy.stores.decoding import read_facts, read_steps, step_of
from fake_agy.stores.payload import SOURCES, STATUSES, STEP_TYPES, Trail, columns
from fake_agy.stores.protobuf import encode
from fake_agy.stores.step import Step, ToolCall, Usage

TRAIL = Trail("11111111-2222-4333-8444-555555555555", "trajectory", "/h/transcript.jsonl", "first")
texts = st.text(st.characters(codec="utf-8"), max_size=20)
calls = st.builds(
    ToolCall, texts.filter(bool), st.dictionaries(texts, st.integers() | texts, max_size=2), texts
)
steps = st.builds(
    Step,
    idx=st.integers(0, 10_000),
    source=st.sampled_from(sorted(SOURCES)),
    type=st.sampled_from(sorted(STEP_TYPES)),
    created=st.integers(0, 2_000_000_000).map(float),
    finished=st.integers(2_000_000_000, 2_000_000_100).map(float),
    status=st.sampled_from(["DONE", "ERROR", "CANCELED"]),
    plain=texts,
)


@given(step=steps, call=calls, used=st.builds(Usage, *[st.integers(1, 10_000)] * 4))
def test_what_is_read_writes_the_same_payload(step: Step, call: ToolCall, used: Usage) -> None:
    if step.type == "PLANNER_RESPONSE":
        step = step._replace(
            thinking="thought", tool_calls=(call,), usage=used, model="a-model", execution="e"
        )
    elif step.type == "CHECKPOINT":
        step = step._replace(title="a title", plain=None)
    elif step.type == "ERROR_MESSAGE":
        step = step._replace(error="whole")
    elif step.source == "MODEL":
        step = step._replace(answers=call)
    payload = columns(step, TRAIL, 3).step_payload
    assert columns(step_of(step.idx, payload), TRAIL, 3).step_payload == payload


def test_the_prompt_is_found_in_each_form_that_was_seen() -> None:
    for message in (encode([(2, "ask")]), encode([(3, [(1, "ask")])]), encode([(1, "ask")])):
        assert step_of(0, encode([(1, 14), (4, STATUSES["DONE"]), (19, message)])).plain == "ask"


def test_a_database_is_read_while_another_writes_it(tmp_path: Path) -> None:
    path = str(tmp_path / "c.db")
    facts = Facts(TRAIL.conversation, "trajectory", 5.0, ("/work",), "project", "parent", 1)
    database = open_database(path, TRAIL, facts)
    database.append([Step(0, "USER_EXPLICIT", "USER_INPUT", 1.0, 2.0, plain="one")])
    reading = _sqlite3.connect(f"file:{path}?mode=ro", uri=True)
    assert read_facts(reading) == facts
    assert [step.plain for step, _ in read_steps(reading)] == ["one"]
    database.append([Step(1, "MODEL", "PLANNER_RESPONSE", 3.0, 4.0, plain="two")])
    assert [step.plain for step, _ in read_steps(reading, since=1)] == ["two"]
    reading.close()
    database.finish(checkpoint=True)


def test_what_is_no_message_is_passed_over_and_what_is_no_database_is_told(tmp_path: Path) -> None:
    path = tmp_path / "c.db"
    with sqlite3.connect(path) as made:
        made.execute("CREATE TABLE steps (idx integer, step_payload blob)")
        made.execute("INSERT INTO steps VALUES (0, ?), (1, NULL), (2, ?)", (b"\xff\xff", encode([(1, 14)])))
    made.close()
    reading = _sqlite3.connect(str(path))
    assert [step.idx for step, _ in read_steps(reading)] == [2]
    with pytest.raises(Broken):
        read_facts(reading)
    reading.close()
