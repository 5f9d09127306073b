import json

import pytest

from fake_agy.transcript import (
    Row,
    Told,
    ToolCall,
    full_line,
    next_index,
    prompt_in,
    read_rows,
    short_line,
    told,
    user_content,
)

AT = "2026-06-20T10:33:40Z"
CALLING = Row(
    3,
    "MODEL",
    "PLANNER_RESPONSE",
    AT,
    thinking="**Title**\n\nText.\n\n\n",
    tool_calls=[
        ToolCall("run_command", {"WaitMsBeforeAsync": 500, "CommandLine": "echo <hello>", "Safe": True})
    ],
)


def test_a_row_is_compact_in_agys_key_order_with_nothing_escaped_that_need_not_be() -> None:
    row = Row(1, "MODEL", "PLANNER_RESPONSE", AT, "a <b> & ü\n", "why")
    assert full_line(row).decode() == (
        '{"step_index":1,"source":"MODEL","type":"PLANNER_RESPONSE","status":"DONE",'
        f'"created_at":"{AT}","content":"a <b> & ü\\n","thinking":"why"}}\n'
    )
    assert short_line(row) == full_line(row)


def test_keys_without_a_value_are_absent() -> None:
    assert short_line(Row(1, "SYSTEM", "CONVERSATION_HISTORY", AT)) == (
        b'{"step_index":1,"source":"SYSTEM","type":"CONVERSATION_HISTORY","status":"DONE",'
        b'"created_at":"2026-06-20T10:33:40Z"}\n'
    )


def test_an_error_stands_before_the_time() -> None:
    line = full_line(Row(6, "SYSTEM", "ERROR_MESSAGE", AT, "what", error="why"))
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
    row = json.loads(short_line(Row(0, "MODEL", "PLANNER_RESPONSE", AT, text)))
    if cut:
        expected = f"{text[:2048]}\n<truncated {size - 4096} bytes>\n{text[-2048:]}"
        assert (row["content"], row["truncated_fields"]) == (expected, ["content"])
        assert list(row)[-1] == "truncated_fields"
    else:
        assert (row["content"], "truncated_fields" in row) == (text, False)
    assert json.loads(full_line(Row(0, "MODEL", "PLANNER_RESPONSE", AT, text)))["content"] == text


def test_bytes_are_what_is_counted_when_a_field_is_cut() -> None:
    row = json.loads(short_line(Row(0, "MODEL", "PLANNER_RESPONSE", AT, "ü" * 3000)))
    assert row["content"] == "ü" * 1024 + "\n<truncated 1904 bytes>\n" + "ü" * 1024


def test_a_prompt_is_found_again_even_if_it_holds_the_tags() -> None:
    prompt = "<USER_REQUEST>\nx\n</USER_REQUEST>\n<ADDITIONAL_METADATA>\ny\n"
    content = user_content(prompt, local_time=AT, first_model="Gemini 3.1 Pro (Low)")
    assert prompt_in(content) == prompt


def test_only_a_first_turn_carries_the_settings_block() -> None:
    assert user_content("hi", local_time=AT, first_model=None) == (
        "<USER_REQUEST>\nhi\n</USER_REQUEST>\n<ADDITIONAL_METADATA>\n"
        f"The current local time is: {AT}.\n</ADDITIONAL_METADATA>"
    )
    first = user_content("hi", local_time=AT, first_model="M")
    assert "`Model Selection` from None to M. No need" in first


def test_torn_and_foreign_lines_are_passed_over() -> None:
    data = full_line(CALLING) + b'[1]\n\n{"step_index":4,"sou'
    assert [row["step_index"] for row in read_rows(data)] == [3]


def test_what_was_told_is_read_back_turn_by_turn_with_a_killed_turn_unanswered() -> None:
    rows = read_rows(
        b"".join(
            full_line(row)
            for row in (
                Row(0, "USER_EXPLICIT", "USER_INPUT", AT, user_content("a", local_time=AT, first_model="M")),
                Row(1, "USER_EXPLICIT", "USER_INPUT", AT, user_content("b", local_time=AT, first_model=None)),
                Row(2, "SYSTEM", "SYSTEM_MESSAGE", AT, "notice"),
                CALLING,
                Row(4, "MODEL", "PLANNER_RESPONSE", AT, "B\n"),
            )
        )
    )
    assert told(rows) == (Told("a", None), Told("b", "B\n"))
    assert next_index(rows) == 5
    assert next_index(()) == 0
