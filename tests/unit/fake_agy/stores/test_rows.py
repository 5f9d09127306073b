"""Rows of the transcripts, byte for byte as recorded (stores.md 2.1 to 2.4)."""

import json
import time
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fake_agy.clock import parse_time
from fake_agy.profile.resolve import profile_of
from fake_agy.profile.row import Value
from fake_agy.stores.rows import (
    full_line,
    restart_notice,
    result_type,
    short_line,
    tool_result,
    user_content,
    without_times,
)
from fake_agy.stores.step import Step, ToolCall, Usage
from fake_agy.version import Version

AT = "2026-06-20T10:33:40Z"
WHEN = parse_time(AT)


def row(index: int, source: str, kind: str, content: str | None = None, **more: Any) -> Step:
    return Step(index, source, kind, WHEN + 0.9, WHEN + 2, content=content, **more)


CALLING = row(
    3,
    "MODEL",
    "PLANNER_RESPONSE",
    thinking="**Title**\n\nText.\n\n\n",
    tool_calls=(
        ToolCall("run_command", {"WaitMsBeforeAsync": 500, "CommandLine": "echo <hello>", "Safe": True}),
    ),
)


def test_a_row_is_compact_in_agys_key_order_with_nothing_escaped_that_need_not_be() -> None:
    step = row(1, "MODEL", "PLANNER_RESPONSE", "a <b> & ü\n", thinking="why")
    assert full_line(step).decode() == (
        '{"step_index":1,"source":"MODEL","type":"PLANNER_RESPONSE","status":"DONE",'
        f'"created_at":"{AT}","content":"a <b> & ü\\n","thinking":"why"}}\n'
    )
    assert short_line(step) == full_line(step)


def test_keys_without_a_value_are_absent() -> None:
    assert short_line(row(1, "SYSTEM", "CONVERSATION_HISTORY")) == (
        b'{"step_index":1,"source":"SYSTEM","type":"CONVERSATION_HISTORY","status":"DONE",'
        b'"created_at":"2026-06-20T10:33:40Z"}\n'
    )


def test_a_response_that_is_empty_has_no_key_for_it() -> None:
    empty = row(1, "MODEL", "PLANNER_RESPONSE", "", thinking="")
    assert short_line(empty) == full_line(empty) == full_line(row(1, "MODEL", "PLANNER_RESPONSE"))


def test_an_error_stands_before_the_time() -> None:
    line = full_line(row(6, "SYSTEM", "ERROR_MESSAGE", "what", error="why"))
    assert list(json.loads(line)) == [
        "step_index",
        "source",
        "type",
        "status",
        "error",
        "created_at",
        "content",
    ]


def test_the_full_transcript_has_native_arguments_sorted_by_name() -> None:
    assert full_line(CALLING).endswith(
        b'"tool_calls":[{"name":"run_command","args":'
        b'{"CommandLine":"echo <hello>","Safe":true,"WaitMsBeforeAsync":500}}]}\n'
    )


def test_the_short_transcript_has_each_argument_as_json_text() -> None:
    assert short_line(CALLING).endswith(
        b'"args":{"CommandLine":"\\"echo <hello>\\"","Safe":"true","WaitMsBeforeAsync":"500"}}]}\n'
    )


@pytest.mark.parametrize(("size", "cut"), [(4096, False), (4097, True), (9000, True)])
def test_a_field_above_4096_bytes_is_cut_in_the_middle_and_named(size: int, cut: bool) -> None:
    text = "".join(chr(97 + i % 26) for i in range(size))
    cut_line = json.loads(short_line(row(0, "MODEL", "PLANNER_RESPONSE", text)))
    if cut:
        expected = f"{text[:2048]}\n<truncated {size - 4096} bytes>\n{text[-2048:]}"
        assert (cut_line["content"], cut_line["truncated_fields"]) == (expected, ["content"])
        assert list(cut_line)[-1] == "truncated_fields"
    else:
        assert (cut_line["content"], "truncated_fields" in cut_line) == (text, False)
    assert json.loads(full_line(row(0, "MODEL", "PLANNER_RESPONSE", text)))["content"] == text


def test_bytes_are_what_is_counted_when_a_field_is_cut() -> None:
    cut_line = json.loads(short_line(row(0, "MODEL", "PLANNER_RESPONSE", "ü" * 3000)))
    assert cut_line["content"] == "ü" * 1024 + "\n<truncated 1904 bytes>\n" + "ü" * 1024


def test_only_a_first_turn_carries_the_settings_block() -> None:
    assert user_content("hi", local_time=AT, settings_change=None) == (
        "<USER_REQUEST>\nhi\n</USER_REQUEST>\n<ADDITIONAL_METADATA>\n"
        f"The current local time is: {AT}.\n</ADDITIONAL_METADATA>"
    )
    first = user_content("hi", local_time=AT, settings_change="M")
    assert "`Model Selection` from None to M. No need" in first


PLANNER = {
    "CommandLine": "echo hello",
    "Cwd": "/h/.gemini/antigravity-cli/scratch",
    "WaitMsBeforeAsync": 500,
    "toolAction": "Running echo",
    "toolSummary": "Command execution",
}
SAMPLES = [
    (
        row(
            0,
            "USER_EXPLICIT",
            "USER_INPUT",
            user_content(
                "PROMPT", local_time="2026-06-20T12:33:40+02:00", settings_change="Gemini 3.1 Pro (Low)"
            ),
        ),
        '{"step_index":0,"source":"USER_EXPLICIT","type":"USER_INPUT","status":"DONE","created_at":'
        '"2026-06-20T10:33:40Z","content":"<USER_REQUEST>\\nPROMPT\\n</USER_REQUEST>\\n'
        "<ADDITIONAL_METADATA>\\nThe current local time is: 2026-06-20T12:33:40+02:00.\\n"
        "</ADDITIONAL_METADATA>\\n<USER_SETTINGS_CHANGE>\\nThe user changed setting `Model Selection` from "
        "None to Gemini 3.1 Pro (Low). No need to comment on this change if the user doesn't ask about it. "
        "If reporting what model you are, please use a human readable name instead of the exact string.\\n"
        '</USER_SETTINGS_CHANGE>"}\n',
    ),
    (
        row(1, "SYSTEM", "CONVERSATION_HISTORY"),
        '{"step_index":1,"source":"SYSTEM","type":"CONVERSATION_HISTORY","status":"DONE",'
        '"created_at":"2026-06-20T10:33:40Z"}\n',
    ),
    (
        row(
            3,
            "MODEL",
            "PLANNER_RESPONSE",
            thinking="**Title**\n\nText.\n\n\n",
            tool_calls=(ToolCall("run_command", PLANNER),),
        ),
        '{"step_index":3,"source":"MODEL","type":"PLANNER_RESPONSE","status":"DONE","created_at":'
        '"2026-06-20T10:33:40Z","thinking":"**Title**\\n\\nText.\\n\\n\\n","tool_calls":[{"name":'
        '"run_command","args":{"CommandLine":"\\"echo hello\\"","Cwd":'
        '"\\"/h/.gemini/antigravity-cli/scratch\\"","WaitMsBeforeAsync":"500","toolAction":'
        '"\\"Running echo\\"","toolSummary":"\\"Command execution\\""}}]}\n',
    ),
    (
        row(
            2,
            "SYSTEM",
            "EPHEMERAL_MESSAGE",
            "The following is an <EPHEMERAL_MESSAGE> not actually sent by the user. \n\n<EPHEMERAL_MESSAGE>\n"
            "<bash_command_reminder>\n…\n</bash_command_reminder>\n</EPHEMERAL_MESSAGE>",
        ),
        '{"step_index":2,"source":"SYSTEM","type":"EPHEMERAL_MESSAGE","status":"DONE","created_at":'
        '"2026-06-20T10:33:40Z","content":"The following is an <EPHEMERAL_MESSAGE> not actually sent by the '
        "user. \\n\\n<EPHEMERAL_MESSAGE>\\n<bash_command_reminder>\\n…\\n</bash_command_reminder>\\n"
        '</EPHEMERAL_MESSAGE>"}\n',
    ),
    (
        row(
            4,
            "MODEL",
            "RUN_COMMAND",
            tool_result(
                ToolCall("run_command", {}),
                profile_of((1, 0, 10)),
                created=WHEN,
                finished=WHEN + 0.4,
                output="hello\n",
                exit_code=0,
                error=None,
            ),
        ),
        '{"step_index":4,"source":"MODEL","type":"RUN_COMMAND","status":"DONE","created_at":'
        '"2026-06-20T10:33:40Z","content":"Created At: 2026-06-20T10:33:40Z\\nCompleted At: '
        "2026-06-20T10:33:40Z\\n\\n\\t\\t\\t\\tThe command completed successfully.\\n\\t\\t\\t\\tOutput:\\n"
        '\\t\\t\\t\\thello\\n\\n"}\n',
    ),
    (
        row(
            6,
            "SYSTEM",
            "SYSTEM_MESSAGE",
            restart_notice("2026-06-20T10:33:40Z"),
        ),
        '{"step_index":6,"source":"SYSTEM","type":"SYSTEM_MESSAGE","status":"DONE","created_at":'
        '"2026-06-20T10:33:40Z","content":"The following is a <SYSTEM_MESSAGE> not actually sent by the user.'
        "\\n\\n<SYSTEM_MESSAGE>\\n[Message] timestamp=2026-06-20T10:33:40Z sender=system "
        "priority=MESSAGE_PRIORITY_LOW content=[Notice] All your subagents and background tasks have been "
        'stopped due to server restart.\\n</SYSTEM_MESSAGE>"}\n',
    ),
    (
        row(
            6,
            "SYSTEM",
            "ERROR_MESSAGE",
            "Try again.",
            error="There was a problem parsing the tool call.",
        ),
        '{"step_index":6,"source":"SYSTEM","type":"ERROR_MESSAGE","status":"DONE","error":"There was a '
        'problem parsing the tool call.","created_at":"2026-06-20T10:33:40Z","content":"Try again."}\n',
    ),
]


@pytest.mark.parametrize(("step", "line"), SAMPLES, ids=lambda each: getattr(each, "type", ""))
def test_the_samples_of_real_rows_come_out_byte_for_byte(step: Step, line: str) -> None:
    assert short_line(step).decode() == line


def result(version: Version, output: str, code: int = 0, **switches: Value) -> str:
    return tool_result(
        ToolCall("run_command", PLANNER),
        profile_of(version, tuple((name.replace("_", "-"), value) for name, value in switches.items())),
        created=WHEN,
        finished=WHEN + 1,
        output=output,
        exit_code=code,
        error=None,
    )


HEADER = f"Created At: {AT}\nCompleted At: 2026-06-20T10:33:41Z\n"


@pytest.mark.parametrize(
    ("version", "output", "code", "body"),
    [
        (
            (1, 0, 10),
            "hello\n",
            0,
            "\n\t\t\t\tThe command completed successfully.\n\t\t\t\tOutput:\n\t\t\t\thello\n\n",
        ),
        (
            (1, 0, 10),
            "",
            1,
            "\n\t\t\t\tThe command failed with exit code: 1\n\t\t\tStdout:\n\t\t\t\n\t\t\tStderr:\n\t\t\t\n",
        ),
        ((1, 1, 18), "boom\n", 7, "\nThe command exited with code 7.\nOutput:\nboom\n\n"),
        ((1, 2, 0), "hello\n", 0, "\nThe command exited with code 0.\nOutput:\nhello\r\n\n"),
        ((1, 2, 0), "", 1, "\nThe command exited with code 1.\nStdout:\n\nStderr:\n\n"),
    ],
)
def test_a_commands_result_reads_as_recorded(version: Version, output: str, code: int, body: str) -> None:
    assert result(version, output, code) == HEADER + body
    assert without_times(HEADER + body) == body


def test_the_times_of_a_result_are_local_where_a_switch_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TZ", "UTC-2")
    time.tzset()
    try:
        content = result((1, 1, 11), "", result_times="local")
    finally:
        monkeypatch.undo()
        time.tzset()
    assert content.startswith(
        "Created At: 2026-06-20T12:33:40+02:00\nCompleted At: 2026-06-20T12:33:41+02:00\n"
    )


def test_a_failed_step_has_its_error_below_the_times_and_no_output() -> None:
    failed = tool_result(
        ToolCall("view_file", {}),
        profile_of((1, 1, 11)),
        created=WHEN,
        finished=WHEN + 1,
        output="",
        exit_code=0,
        error="no such file",
    )
    assert failed == HEADER + "Encountered error in step execution: no such file"


def test_a_command_in_the_background_has_not_come_to_anything_yet() -> None:
    text = "Tool is running as a background task with task id: one/task-4\nTask Description: x\n"
    running = tool_result(
        ToolCall("run_command", {}),
        profile_of((1, 2, 0)),
        created=WHEN,
        finished=WHEN + 1,
        output=text,
        exit_code=0,
        error=None,
        running=True,
    )
    assert running == HEADER + text


@pytest.mark.parametrize(
    ("tool", "typed"),
    [
        ("run_command", "RUN_COMMAND"),
        ("list_dir", "LIST_DIRECTORY"),
        ("write_to_file", "CODE_ACTION"),
        ("invoke_subagent", "INVOKE_SUBAGENT"),
        ("no_such_tool", "GENERIC"),
    ],
)
def test_results_have_a_type_for_each_kind_of_tool_until_1_1_13(tool: str, typed: str) -> None:
    assert result_type(tool, profile_of((1, 1, 13))) == typed
    assert result_type(tool, profile_of((1, 1, 14))) == "GENERIC"


def test_a_changed_model_names_the_one_before() -> None:
    content = user_content("hi", local_time=AT, settings_change="New", settings_before="Old")
    assert "setting `Model Selection` from Old to New. No need" in content


def test_tokens_stand_in_the_rows_of_responses_alone_and_only_where_asked_for() -> None:
    step = row(1, "MODEL", "PLANNER_RESPONSE", "x", usage=Usage(10, 2, 1, 4))
    assert b'"input_tokens":10,"output_tokens":2,"cache_read_tokens":4' in short_line(step, tokens=True)
    assert b"_tokens" not in short_line(step) + full_line(step)
    assert b"_tokens" not in full_line(step._replace(type="CHECKPOINT"), tokens=True)


def test_a_long_argument_is_cut_in_the_short_transcript_alone() -> None:
    step = row(1, "MODEL", "PLANNER_RESPONSE", tool_calls=(ToolCall("x", {"Text": "a" * 5000}),))
    short, full = json.loads(short_line(step)), json.loads(full_line(step))
    assert short["tool_calls"][0]["args"]["Text"] == f'"{"a" * 2047}\n<truncated 906 bytes>\n{"a" * 2047}"'
    assert full["tool_calls"][0]["args"]["Text"] == "a" * 5000
    assert "truncated_fields" not in short


TEXT = st.text(st.characters(codec="utf-8"), max_size=60)
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53), 2**53) | TEXT,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXT, inner, max_size=3),
    max_leaves=6,
)


@given(content=TEXT, thinking=TEXT, args=st.dictionaries(TEXT, VALUES, max_size=4))
def test_every_row_equals_the_compact_json_of_what_it_says(
    content: str, thinking: str, args: dict[str, Any]
) -> None:
    step = row(1, "MODEL", "PLANNER_RESPONSE", content, thinking=thinking, tool_calls=(ToolCall("t", args),))
    for line in (full_line(step).decode(), short_line(step).decode()):
        read = json.loads(line)
        assert line == json.dumps(read, ensure_ascii=False, separators=(",", ":")) + "\n"
        assert (read.get("content", ""), read.get("thinking", "")) == (content, thinking)
        names = list(read["tool_calls"][0]["args"])
        assert names == sorted(args)
    assert json.loads(full_line(step))["tool_calls"][0]["args"] == args
    texts = json.loads(short_line(step))["tool_calls"][0]["args"]
    assert {name: json.loads(text) for name, text in texts.items()} == args
