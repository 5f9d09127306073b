"""What is read out of an answer."""

from collections.abc import Callable
from typing import Any

import pytest

from agy_proxy.contract import read
from agy_proxy.contract.call import Answer, logged_conversation
from agy_proxy.contract.calls import UNKNOWN_ID

ID = "3ec1d852-e0d4-4ea3-a72f-64088ba6cafc"
OTHER = "b4f8e4a3-e105-4916-8e16-8969eaa18da5"
HELP = """Usage of agy:
  --add-dir  Add a directory
  -c         Short alias for --continue

Available subcommands:
  agents
  models  List available models
"""
STREAM = f"""{{"event":"init","conversation_id":"{ID}","init":{{"cwd":"/x","tools":[]}}}}
{{"event":"step_update","step_update":{{"step_type":"user_input","state":"DONE"}}}}
{{"event":"step_update","step_update":{{"step_type":"agent_response","state":"ACTIVE","text_delta":"a"}}}}
{{"event":"step_update","step_update":{{"step_type":"agent_response","state":"DONE","text_delta":"b","usage":{{"total_tokens":1}}}}}}
{{"event":"result","result":{{"status":"SUCCESS"}}}}
"""
OBJECT = f'{{"conversation_id":"{ID}","status":"SUCCESS","usage":{{"total_tokens":1}}}}\n'
TOLD = "Print mode: conversation="


def said(out: str = "", err: str = "", log: str = "", status: int = 0) -> Answer:
    return Answer(status, out, err, log)


@pytest.mark.parametrize(
    ("reader", "answer", "value"),
    [
        (read.exit_status, said(status=-9), -9),
        (read.streams, said(), "neither"),
        (read.streams, said("x", "y"), "stdout and stderr"),
        (read.message, said(err=f"no such flag\n{HELP}"), ["stderr: no such flag"]),
        (read.message, said("a\n", "b\n\nc\n"), ["stdout: a", "stderr: b", "stderr: c"]),
        (read.usage_follows, said(err=f"no\n{HELP}"), True),
        (read.usage_follows, said(err="no\n"), False),
        (read.version_form, said("1.2.10\n"), r"'N.N.N\n' on stdout"),
        (read.version_form, said(err="agy 1.0.3\n"), "'' on stderr"),
        (read.help_flags, said(HELP), ["add-dir", "c"]),
        (read.help_flags, said(err=HELP), ["add-dir", "c"]),
        (read.help_subcommands, said(HELP), ["agents", "models"]),
        (
            read.help_descriptions,
            said(HELP),
            [
                "--add-dir Add a directory",
                "-c Short alias for --continue",
                "agents",
                "models List available models",
            ],
        ),
        (read.models_form, said(), "no models"),
        (read.models_form, said("Fetching available models...\nGemini 3.1 Pro (High)\n"), "labels"),
        (read.models_form, said("gemini-3.1-pro-high\n"), "slugs"),
        (read.models_form, said("gemini-3.1-pro-high\tGemini 3.1 Pro (High)\n"), "slugs-and-labels"),
        (read.models_form, said("* GPT*\n* X\n{}\n"), "labels"),
        (read.models_form, said("{}\n"), "another"),
        (read.models_listed, said("Fetching available models...\na\nb\n"), ["a", "b"]),
        (read.progress_stream, said("Fetching available models...\n"), "stdout"),
        (read.progress_stream, said(err="Fetching available models...\n"), "stderr"),
        (read.progress_stream, said("a\n"), "neither"),
        (read.object_keys, said(OBJECT), ["conversation_id", "status", "usage", "usage.total_tokens"]),
        (
            read.object_keys,
            said(f"Fetching...\n{OBJECT}"),
            ["conversation_id", "status", "usage", "usage.total_tokens"],
        ),
        (read.object_keys, said("[]\n"), ["no JSON object"]),
        (read.status_word, said(OBJECT), "SUCCESS"),
        (read.status_word, said("OK\n"), "no JSON object"),
        (read.answers_in_text, said("OK\n"), "text and a newline"),
        (read.answers_in_text, said("OK"), "text without a newline"),
        (read.answers_in_text, said(), "nothing"),
        (read.log_tells_conversation, said(log=f"I1 {TOLD}{ID}, sending message\n"), True),
        (read.log_tells_conversation, said(log=f"Created conversation {ID}\n"), False),
        (read.recalls, said("You told me of Ada.\n"), True),
        (read.recalls, said("Nothing.\n"), False),
        (read.id_form, said(OBJECT), "uuid4"),
        (read.id_form, said('{"conversation_id":"7"}'), "another"),
        (read.id_form, said("OK\n"), "none"),
        (read.event_kinds, said(STREAM), ["init", "step_update", "result"]),
        (read.step_types, said(STREAM), ["user_input", "agent_response"]),
        (read.init_keys, said(STREAM), ["event", "conversation_id", "init", "init.cwd", "init.tools"]),
        (read.result_keys, said(STREAM), ["event", "result", "result.status"]),
        (read.result_keys, said("OK\n"), ["no result"]),
        (
            read.step_keys,
            said(STREAM),
            [
                *("event", "step_update", "step_update.step_type", "step_update.state"),
                *("step_update.usage", "step_update.usage.total_tokens"),
            ],
        ),
        (read.step_keys, said(), ["no such step"]),
        (read.new_conversation, said(log=f"{TOLD}{ID}, sending message\n"), True),
        (read.new_conversation, said(log=f"{TOLD}{UNKNOWN_ID}, sending message\n"), False),
        (read.new_conversation, said(), "the log names no conversation"),
        (
            read.not_found_warning,
            said(err=f'warning: conversation "{UNKNOWN_ID}" not found\n'),
            'stderr: warning: conversation "ID" not found',
        ),
        (
            read.not_found_warning,
            said(f'Warning: conversation "{UNKNOWN_ID}" not found.\nOK\n'),
            'stdout: Warning: conversation "ID" not found.',
        ),
        (
            read.not_found_warning,
            said("OK\n", log=f'W1 x.go:1] Warning: conversation "{UNKNOWN_ID}" not found.\n'),
            'log: Warning: conversation "ID" not found.',
        ),
        (read.not_found_warning, said("It was not found\n"), "none"),
        (
            read.refusal_of_model,
            said(err='error: invalid --model "no-such-model"\nAvailable models:\n  a\n', status=1),
            'stderr: error: invalid --model "no-such-model"',
        ),
        (read.refusal_of_model, said("OK\n"), "it answers"),
        (read.refusal_of_model, said(status=1), "no message names it"),
    ],
)
def test_a_reader_tells(reader: Callable[[Answer], Any], answer: Answer, value: object) -> None:
    assert reader(answer) == value


@pytest.mark.parametrize(
    ("later", "same"), [(f"resuming conversation {ID}\n", True), (f"{TOLD}{OTHER}, sending\n", False)]
)
def test_two_calls_are_of_one_conversation_by_their_logs(later: str, same: bool) -> None:
    assert read.same_conversation(said(log=later), said(log=f"{TOLD}{ID}, sending\n")) is same


def test_the_conversation_named_last_counts() -> None:
    log = f"resuming conversation {ID}\nCreated conversation {OTHER}\n"
    assert logged_conversation(said(log=log)) == OTHER
    assert logged_conversation(said(log="nothing\n")) is None


@pytest.mark.parametrize(
    ("later", "repeated"), [("One\nTwo\n", True), ("One\n", False), ("Two\n", False), ("", False)]
)
def test_an_answer_that_begins_with_the_earlier_one_repeats_it(later: str, repeated: bool) -> None:
    assert read.repeats(said(later), said("One\n")) is repeated
