"""What was captured of agy's json and stream-json comes out of the double byte for byte (contract.md 3).

Aside are ids, the directory, durations, and the list of tools, which the captures shorten.
"""

import re
from pathlib import Path

from tests.support.double_calls import Played, ask, play

TOKENS = (17586, 26, 25, 0)
USAGE = (
    '"usage":{"input_tokens":17586,"output_tokens":26,"thinking_tokens":25,"cache_read_tokens":0,'
    '"total_tokens":17612}'
)
NO_USAGE = (
    '"usage":{"input_tokens":0,"output_tokens":0,"thinking_tokens":0,"cache_read_tokens":0,"total_tokens":0}'
)
OK = ("say", {"text": "OK\n", "usage": TOKENS})
SKIP = "--dangerously-skip-permissions"
STREAM = ("--output-format", "stream-json")


def bare(played: Played) -> list[str]:
    """The lines of the last call with what differs from call to call put aside."""
    text = played.last.out.replace(str(played.double.cwd), "/tmp/x")
    text = re.sub(r"[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}", "<uuid>", text)
    text = re.sub(r'"duration_seconds":[0-9.e-]+', '"duration_seconds":0', text)
    return re.sub(r'"tools":\[[^\]]*\]', '"tools":[]', text).splitlines()


def test_a_first_turn_streams_as_captured_at_1_1_15(tmp_path: Path) -> None:
    played = play(tmp_path, "1.1.15", ask(*STREAM, SKIP, "-p", "Reply with OK"), turns=[(OK,)])

    assert bare(played) == [
        '{"event":"init","conversation_id":"<uuid>","init":{"cwd":"/tmp/x","tools":[],'
        '"permission_mode":"always-proceed"}}',
        '{"event":"step_update","step_update":{"conversation_id":"<uuid>","step_index":0,"state":"DONE",'
        '"step_type":"user_input"}}',
        '{"event":"step_update","step_update":{"conversation_id":"<uuid>","step_index":1,"state":"DONE",'
        '"step_type":"checkpoint","duration_seconds":0}}',
        '{"event":"step_update","step_update":{"conversation_id":"<uuid>","step_index":2,"state":"DONE",'
        '"step_type":"agent_response","text_delta":"OK\\n","duration_seconds":0,' + USAGE + "}}",
        '{"event":"result","result":{"conversation_id":"<uuid>","status":"SUCCESS","response":"OK\\n",'
        '"duration_seconds":0,"num_turns":1,' + USAGE + "}}",
    ]


def test_the_one_object_of_json_has_the_captured_keys_in_order(tmp_path: Path) -> None:
    played = play(
        tmp_path, "1.1.18", ask("--output-format", "json", SKIP, "-p", "Reply with OK"), turns=[(OK,)]
    )

    assert bare(played) == [
        '{"conversation_id":"<uuid>","status":"SUCCESS","response":"OK\\n","duration_seconds":0,'
        '"num_turns":1,' + USAGE + "}"
    ]


def test_a_schema_run_streams_as_captured_at_1_1_15(tmp_path: Path) -> None:
    schema = '{"type":"object","properties":{"ok":{"type":"boolean"}},"required":["ok"]}'
    played = play(
        tmp_path,
        "1.1.15",
        ask(*STREAM, SKIP, "--json-schema", schema, "-p", "Reply with ok true"),
        turns=[(("say", {"text": '```json\n{"ok": true}\n```\n'}),)],
    )
    events = played.events()
    steps = [event["step_update"] for event in events if event["event"] == "step_update"]
    result = events[-1]["result"]
    finish = '{"ok":true,"toolAction":"Completing task","toolSummary":"Task completion"}\n'

    assert events[0]["init"]["json_schema"] == {
        "type": "object",
        "properties": {"ok": {"type": "boolean"}},
        "required": ["ok"],
    }
    assert [step["step_type"] for step in steps if step["state"] == "DONE"] == [
        "user_input",
        "checkpoint",
        "agent_response",
        "user_input",
        "agent_response",
        "finish",
    ]
    assert '"step_index":3,"state":"DONE","step_type":"user_input","duration_seconds":' in played.last.out
    assert [step["step_index"] for step in steps if step["step_type"] == "finish"] == [5]
    assert result["response"] == '```json\n{"ok": true}\n```\n' + finish
    assert (result["num_turns"], result["structured_output"]) == (2, {"ok": True})
    assert list(result) == [
        *("conversation_id", "status", "response", "duration_seconds", "num_turns"),
        *("structured_output", "json_schema", "usage"),
    ]


def test_a_resumed_turn_streams_the_steps_captured_at_1_1_18(tmp_path: Path) -> None:
    played = play(
        tmp_path,
        "1.1.18",
        ask("-p", "first"),
        ask(*STREAM, "--conversation", "{id}", "-p", "second"),
    )
    events = played.events()
    steps = [event["step_update"] for event in events if event["event"] == "step_update"]
    shown = list(dict.fromkeys(step["step_type"] for step in steps))
    indices = [step["step_index"] for step in steps if step["state"] == "DONE"]

    assert shown == ["user_input", "system_message", "agent_response"]
    assert indices == list(range(indices[0], indices[0] + 3))
    assert events[-1]["result"]["num_turns"] == 2


def test_a_turn_without_quota_is_the_object_captured_at_1_1_18(tmp_path: Path) -> None:
    text = (
        "Individual quota reached. Please upgrade your subscription to increase your limits. "
        "Resets in 120h9m43s."
    )
    played = play(
        tmp_path,
        "1.1.18",
        ask("--output-format", "json", "-p", "hello"),
        turns=[(("fail", {"kind": "quota", "text": text}),)],
    )

    assert played.last.code == 1
    assert bare(played) == [
        f'{{"conversation_id":"<uuid>","status":"ERROR","response":"","error":"{text}",'
        '"duration_seconds":0,"num_turns":1,' + NO_USAGE + "}"
    ]


def test_a_slash_answer_is_the_object_captured_at_1_1_18(tmp_path: Path) -> None:
    played = play(tmp_path, "1.1.18", ask("--output-format", "json", "-p", "/model"))

    assert played.last.code == 0
    assert list(played.json()) == [
        *("conversation_id", "status", "response", "duration_seconds", "num_turns", "usage", "command")
    ]
    assert (played.json()["conversation_id"], played.json()["num_turns"]) == ("", 0)
    assert list(played.json()["command"]["data"]) == ["id", "label", "effort", "is_default"]


def test_a_failing_slash_answer_is_the_object_captured_at_1_1_18(tmp_path: Path) -> None:
    played = play(tmp_path, "1.1.18", ask("--output-format", "json", "-p", "/credits"))

    assert played.last.code == 1
    assert played.last.out.startswith(
        '{"conversation_id":"","status":"ERROR","response":"",'
        '"error":"/credits failed: retrieving credits: no credits info found",'
    )


def test_models_as_json_and_as_a_stream_are_as_captured_at_1_1_18(tmp_path: Path) -> None:
    whole = play(tmp_path / "json", "1.1.18", ask("--output-format", "json", "models")).json()
    lines = play(tmp_path / "stream", "1.1.18", ask(*STREAM, "models")).events()

    assert whole["command"]["name"] == "models"
    assert all(list(each) == ["id", "label"] for each in whole["command"]["data"]["models"])
    assert whole["response"].splitlines()[0] == "\t".join(whole["command"]["data"]["models"][0].values())
    assert [line["event"] for line in lines] == ["command_result", "result"]
    assert lines[0]["command"] == whole["command"]


def test_a_message_without_an_event_is_refused_as_captured(tmp_path: Path) -> None:
    played = play(
        tmp_path,
        "1.2.10",
        ask(*STREAM, "--input-format", "stream-json", stdin=b'{"type":"user","message":{"content":"x"}}\n'),
    )

    assert played.last.code == 1
    assert played.last.err == 'error: stream input message is missing the "event" field\n'
    assert bare(played)[-1].startswith('{"event":"result","result":{"conversation_id":"')
    assert (
        '"status":"ERROR","response":"","error":"stream input message is missing the \\"event\\" field",'
        in (bare(played)[-1])
    )


def test_go_escapes_angle_brackets_and_ampersands_in_tool_parameters(tmp_path: Path) -> None:
    played = play(
        tmp_path,
        "1.1.18",
        ask(*STREAM, SKIP, "-p", "hello"),
        turns=[
            (
                ("use_tool", {"name": "run_command", "args": {"CommandLine": "echo noflags > hello3.txt"}}),
                ("say", {"text": "é & ü\n"}),
            )
        ],
    )

    assert "echo noflags \\u003e hello3.txt" in played.last.out
    assert "é \\u0026 ü" in played.last.out
