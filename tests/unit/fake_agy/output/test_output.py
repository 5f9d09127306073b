import json

import pytest

from fake_agy.output.events import Command, Init, Result, StepUpdate
from fake_agy.output.output import Output, output_for
from fake_agy.stores.step import Usage
from fake_agy.turns.ending import Ending

USED = Usage(17586, 26, 25, 0)
ANSWER = StepUpdate("c", 2, "DONE", "agent_response", text="OK\n", duration=1.46, usage=USED)
RESULT = Result("c", "SUCCESS", "OK\n", USED, duration=2.895499, turns=1)
INIT = Init("c", "/tmp/x", ("wait",), "always-proceed")


class Page:
    """An output and what it wrote."""

    def __init__(self, asked: str | None, *, tools_first: bool = True) -> None:
        self.out = ""
        self.err = ""
        self.output: Output = output_for(asked, self._out, self._err, tools_first=tools_first)

    def _out(self, text: str) -> None:
        self.out += text

    def _err(self, text: str) -> None:
        self.err += text


def whole_turn(page: Page) -> str:
    page.output.begin(INIT)
    page.output.step(StepUpdate("c", 0, "DONE", "user_input"))
    page.output.step(StepUpdate("c", 1, "DONE", "checkpoint", duration=1.4068100000000001))
    page.output.step(ANSWER)
    page.output.result(RESULT)
    page.output.end(Ending())
    return page.out


@pytest.mark.parametrize("asked", [None, "text", "xml", ""])
def test_text_and_what_is_no_format_is_only_what_the_model_says(asked: str | None) -> None:
    assert whole_turn(Page(asked)) == "OK\n"


def test_json_is_one_object_at_the_end() -> None:
    page = Page("json")
    page.output.step(ANSWER)
    assert page.out == ""
    page.output.result(RESULT)
    assert page.out == (
        '{"conversation_id":"c","status":"SUCCESS","response":"OK\\n","duration_seconds":2.895499,'
        '"num_turns":1,"usage":{"input_tokens":17586,"output_tokens":26,"thinking_tokens":25,'
        '"cache_read_tokens":0,"total_tokens":17612}}\n'
    )


def test_a_stream_is_the_one_captured() -> None:
    assert whole_turn(Page("stream-json")).splitlines() == [
        '{"event":"init","conversation_id":"c","init":{"cwd":"/tmp/x","tools":["wait"],'
        '"permission_mode":"always-proceed"}}',
        '{"event":"step_update","step_update":{"conversation_id":"c","step_index":0,"state":"DONE",'
        '"step_type":"user_input"}}',
        '{"event":"step_update","step_update":{"conversation_id":"c","step_index":1,"state":"DONE",'
        '"step_type":"checkpoint","duration_seconds":1.4068100000000001}}',
        '{"event":"step_update","step_update":{"conversation_id":"c","step_index":2,"state":"DONE",'
        '"step_type":"agent_response","text_delta":"OK\\n","duration_seconds":1.46,"usage":'
        '{"input_tokens":17586,"output_tokens":26,"thinking_tokens":25,"cache_read_tokens":0,'
        '"total_tokens":17612}}}',
        '{"event":"result","result":{"conversation_id":"c","status":"SUCCESS","response":"OK\\n",'
        '"duration_seconds":2.895499,"num_turns":1,"usage":{"input_tokens":17586,"output_tokens":26,'
        '"thinking_tokens":25,"cache_read_tokens":0,"total_tokens":17612}}}',
    ]


def test_the_first_line_of_a_stream_comes_once() -> None:
    page = Page("stream-json")
    page.output.begin(INIT)
    page.output.begin(INIT)
    assert len(page.out.splitlines()) == 1


def test_the_first_line_has_every_key_in_agys_order() -> None:
    init = INIT._replace(
        model="M", agent="a", json_schema={}, expanded_commands=[{"name": "plan", "type": "system"}]
    )
    for tools_first, pair in ((True, ["tools", "permission_mode"]), (False, ["permission_mode", "tools"])):
        page = Page("stream-json", tools_first=tools_first)
        page.output.begin(init)
        keys = list(json.loads(page.out)["init"])
        assert keys == ["model", "cwd", *pair, "agent", "json_schema", "expanded_commands"]


def test_a_result_has_every_key_in_agys_order() -> None:
    page = Page("json")
    denied = ({"action": "command", "display_name": "RunCommand"},)
    page.output.result(
        RESULT._replace(error="e", structured={"ok": True}, json_schema={}, denied=denied)._replace(
            command=Command("usage", {})
        )
    )
    assert list(json.loads(page.out)) == [
        *("conversation_id", "status", "response", "error", "duration_seconds", "num_turns"),
        *("structured_output", "json_schema", "usage", "denied_actions", "command"),
    ]


def test_no_time_at_all_is_a_bare_zero() -> None:
    page = Page("json")
    page.output.result(RESULT._replace(duration=0.0))
    assert '"duration_seconds":0,' in page.out


def test_a_local_answer_is_an_event_of_its_own_in_a_stream_and_a_key_in_json() -> None:
    local = Result("", "SUCCESS", "a\tb\n", Usage(), command=Command("models", {"models": []}))
    stream, whole, text = Page("stream-json"), Page("json"), Page(None)
    for page in (stream, whole, text):
        page.output.result(local)
    events = [json.loads(line) for line in stream.out.splitlines()]
    assert [event["event"] for event in events] == ["command_result", "result"]
    assert events[0]["command"] == json.loads(whole.out)["command"]
    assert "command" not in events[1]["result"]
    assert text.out == "a\tb\n"


def test_a_step_shows_its_tool_and_its_children() -> None:
    page = Page("stream-json")
    page.output.step(
        StepUpdate(
            "c",
            4,
            "ACTIVE",
            "subagent",
            tool="invoke_subagent",
            tool_info={"name": "invoke_subagent"},
            subagents=[{"role": "R"}],
        )
    )
    shown = json.loads(page.out)["step_update"]
    assert list(shown)[4:] == ["tool_name", "tool_info", "subagent_info"]
    assert shown["subagent_info"] == {"subagents": [{"role": "R"}]}


@pytest.mark.parametrize(("asked", "out"), [(None, "late\n"), ("json", ""), ("stream-json", "")])
def test_an_endings_stderr_is_for_all_formats_and_its_stdout_for_text(asked: str | None, out: str) -> None:
    page = Page(asked)
    page.output.end(Ending(out="late\n", err="why\n"))
    assert (page.out, page.err) == (out, "why\n")


def test_text_leaves_out_what_other_steps_say() -> None:
    page = Page(None)
    page.output.step(StepUpdate("c", 1, "DONE", "tool", text="hidden"))
    assert page.out == ""
