import json
from typing import Any

import pytest

from fake_agy.clock import parse_time
from fake_agy.profile.resolve import profile_of
from fake_agy.stores.rows import full_line, short_line, tool_result, user_content
from fake_agy.stores.step import Step, ToolCall

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


def test_a_commands_result_reads_as_recorded_at_1_0_10() -> None:
    call = ToolCall("run_command", PLANNER)
    done, failed = (
        tool_result(
            call,
            profile_of((1, 0, 10)),
            created=WHEN,
            finished=WHEN,
            output=output,
            exit_code=code,
            error=None,
        )
        for output, code in (("hello\n", 0), ("", 1))
    )

    header = f"Created At: {AT}\nCompleted At: {AT}\n"
    assert (
        done == f"{header}\n\t\t\t\tThe command completed successfully.\n\t\t\t\tOutput:\n\t\t\t\thello\n\n"
    )
    assert failed == (
        f"{header}\n\t\t\t\tThe command failed with exit code: 1\n"
        "\t\t\tStdout:\n\t\t\t\n\t\t\tStderr:\n\t\t\t\n"
    )
