"""A turn's moves as its caller sees them, and what it adds up to over its conversation."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from fake_agy.settings import DoubleSettings
from fake_agy.stores.rows import without_times
from fake_agy.turns.moves import PlainMove
from tests.support.double import make_double
from tests.support.double_calls import Played, ask, play

JSON = ("--output-format", "json")
STREAM = ("--output-format", "stream-json")
AGAIN = ("--conversation", "{id}", "-p", "what did I tell you?")


def say(text: str, **more: object) -> PlainMove:
    return ("say", {"text": text, **more})


def deltas(played: Played) -> list[tuple[str, str | None]]:
    """State and text of each update of an answer in the last call."""
    steps = [event.get("step_update", {}) for event in played.events()]
    return [
        (step["state"], step.get("text_delta")) for step in steps if step.get("step_type") == "agent_response"
    ]


def test_an_answer_comes_line_by_line_and_the_last_line_with_the_figures(tmp_path: Path) -> None:
    played = play(tmp_path, "1.2.10", ask(*STREAM, "-p", "x"), turns=[(say("a\nb\nc\n"),)])

    assert deltas(played) == [("ACTIVE", "a\n"), ("ACTIVE", "b\n"), ("DONE", "c\n")]
    assert played.events()[-1]["result"]["response"] == "a\nb\nc\n"


def test_the_pieces_of_an_answer_can_be_given(tmp_path: Path) -> None:
    played = play(tmp_path, "1.2.10", ask(*STREAM, "-p", "x"), turns=[(say("abc", deltas=("a", "bc")),)])

    assert deltas(played) == [("ACTIVE", "a"), ("DONE", "bc")]


def test_all_that_is_said_in_a_turn_is_its_response(tmp_path: Path) -> None:
    turns = [(say("I will look.\n"), say("Done.\n"))]

    assert play(tmp_path / "text", "1.2.10", ask("-p", "x"), turns=turns).last.out == "I will look.\nDone.\n"
    whole = play(tmp_path / "json", "1.2.10", ask(*JSON, "-p", "x"), turns=turns).json()
    assert whole["response"] == "I will look.\nDone.\n"


def test_figures_are_summed_over_the_conversation_and_its_processes(tmp_path: Path) -> None:
    turns = [(say("one\n", usage=(100, 10, 1, 0)),), (say("two\n", usage=(200, 20, 2, 50)),)]
    whole = play(tmp_path, "1.1.18", ask("-p", "x"), ask(*JSON, *AGAIN), turns=turns).json()

    assert whole["num_turns"] == 2
    assert whole["usage"] == {
        "input_tokens": 300,
        "output_tokens": 30,
        "thinking_tokens": 3,
        "cache_read_tokens": 50,
        "total_tokens": 330,
    }


def test_figures_are_of_one_process_where_a_switch_says_so(tmp_path: Path) -> None:
    turns = [(say("one\n", usage=(100, 10, 1, 0)),), (say("two\n", usage=(200, 20, 2, 50)),)]
    played = play(
        tmp_path,
        "1.1.18",
        ask("-p", "x"),
        ask(*JSON, *AGAIN),
        turns=turns,
        switches={"usage-scope": "process"},
    )

    assert (played.json()["num_turns"], played.json()["usage"]["input_tokens"]) == (1, 200)


def test_the_default_answer_recalls_what_earlier_processes_were_told(tmp_path: Path) -> None:
    played = play(tmp_path, "1.2.10", ask("-p", "remember my cat Tom"), ask(*AGAIN))

    assert played.last.out.startswith("This is turn 2 ")
    assert "remember my cat Tom" in played.last.out


def test_waits_make_up_the_durations_whatever_the_speed(tmp_path: Path) -> None:
    turns = [(("wait", {"seconds": 100.5}), say("x\n"))]
    quick = play(tmp_path / "1", "1.2.10", ask(*JSON, "-p", "x"), turns=[(say("x\n"),)]).json()
    slow = play(tmp_path / "2", "1.2.10", ask(*JSON, "-p", "x"), turns=turns).json()

    assert slow["duration_seconds"] == pytest.approx(quick["duration_seconds"] + 100.5)


def test_scripted_turns_are_played_once_each_and_probes_use_up_none(tmp_path: Path) -> None:
    played = play(
        tmp_path,
        "1.2.10",
        ask("--version"),
        ask("-p", "a"),
        ask("--help"),
        ask("-p", "b"),
        ask("-p", "c"),
        turns=[(say("first\n"),), (say("second\n"),)],
    )
    said = [answer.out for answer in played.answers]

    assert (said[1], said[3]) == ("first\n", "second\n")
    assert said[4].startswith("This is turn 1 ")


def test_a_child_answers_in_a_conversation_of_its_own(tmp_path: Path) -> None:
    turns = [(("subagent", {"prompt": "look it up", "answer": "found\n"}), say("Done.\n"))]
    played = play(tmp_path, "1.3.0", ask(*STREAM, "-p", "x"), turns=turns)
    steps = [event["step_update"] for event in played.events() if event["event"] == "step_update"]
    children = [step["subagent_info"]["subagents"][0] for step in steps if "subagent_info" in step]
    child = children[0]["conversation_id"]
    rows = played.double.rows(child)

    assert [step["step_type"] for step in steps if "subagent_info" in step] == ["subagent", "subagent"]
    assert [row["type"] for row in rows] == ["USER_INPUT", "PLANNER_RESPONSE"]
    assert "look it up" in rows[0]["content"]
    assert rows[1]["content"] == "found\n"
    assert played.events()[-1]["result"]["conversation_id"] != child
    assert played.double.last_conversation() != child


def test_a_child_has_its_prompt_first_and_its_answer_once_it_has_worked(tmp_path: Path) -> None:
    turns = [(("subagent", {"prompt": "look it up", "answer": "found\n"}), say("Done.\n"))]
    played = play(tmp_path, "1.3.0", ask("--print-timeout", "1s", "-p", "x"), turns=turns)
    result = played.rows()[-1]
    (child,) = {path.name for path in played.double.root.glob("brain/*")} - {
        played.double.last_conversation()
    }

    assert result["content"].startswith("Created At: ")
    assert without_times(result["content"]).startswith("Created the following subagents:\n")
    assert [row["type"] for row in played.double.rows(child)] == ["USER_INPUT"]


@pytest.mark.parametrize(("version", "left"), [("1.1.25", 2), ("1.1.26", 0)])
def test_a_childs_log_is_written_back_where_its_parents_is(version: str, left: int, tmp_path: Path) -> None:
    turns = [(("subagent", {"prompt": "look it up", "answer": "found\n"}), say("Done.\n"))]
    played = play(tmp_path, version, ask("-p", "x"), turns=turns)

    assert len(list(played.double.root.glob("conversations/*.db"))) == 2
    assert len(list(played.double.root.glob("conversations/*-wal"))) == left


def test_a_child_is_not_a_turn_of_its_parent(tmp_path: Path) -> None:
    turns = [(("subagent", {"prompt": "look it up", "answer": "found\n"}), say("Done.\n"))]

    assert play(tmp_path, "1.3.0", ask(*JSON, "-p", "x"), turns=turns).json()["num_turns"] == 1


def test_old_versions_repeat_all_earlier_answers(tmp_path: Path) -> None:
    played = play(
        tmp_path,
        "1.0.8",
        ask("-p", "x"),
        ask("--conversation", "{id}", "-p", "y"),
        ask("--conversation", "{id}", "-p", "z"),
        turns=[(say("one\n"),), (say("two\n"),), (say("three\n"),)],
    )

    assert [answer.out for answer in played.answers] == ["one\n", "one\ntwo\n", "one\ntwo\nthree\n"]


def test_a_first_turn_has_the_steps_of_its_version(tmp_path: Path) -> None:
    def types(version: str) -> list[str]:
        return [row["type"] for row in play(tmp_path, version, ask("-p", "x")).rows()]

    user, history, answer = "USER_INPUT", "CONVERSATION_HISTORY", "PLANNER_RESPONSE"
    assert types("1.0.10") == [user, history, "EPHEMERAL_MESSAGE", answer, "CHECKPOINT"]
    assert types("1.1.5") == [user, history, answer]
    assert types("1.1.15") == [user, "CHECKPOINT", answer]
    assert types("1.2.0") == [user, answer]


@pytest.mark.parametrize(
    ("version", "expected"),
    [
        ("1.0.4", [0, 1, 2, 3, 4, 6, 7]),
        ("1.0.10", [0, 1, 2, 3, 4, 6, 5, 7]),
        ("1.1.5", [0, 1, 2, 3, 5]),
        ("1.2.0", [0, 1, 2, 3]),
    ],
)
def test_the_index_after_a_first_tool_is_kept_for_the_checkpoint_that_comes_late_or_not_at_all(
    version: str, expected: list[int], tmp_path: Path
) -> None:
    run: PlainMove = ("use_tool", {"name": "run_command", "args": {"CommandLine": "true"}})
    played = play(
        tmp_path,
        version,
        ask("-p", "x"),
        turns=[(run, say("Done.\n"))],
        switches={"headless-permission": "execute"},
    )

    assert [row["step_index"] for row in played.rows()] == expected


def test_an_empty_answer_is_told_in_the_log(tmp_path: Path) -> None:
    for name, text, count in (("1", "", 1), ("2", "x\n", 0)):
        played = play(tmp_path / name, "1.2.10", ask("-p", "x"), turns=[(say(text),)])
        log = (played.double.root / "log" / "cli.log").read_text()

        assert log.count("PlannerResponse without ModifiedResponse encountered\n") == count


def test_the_list_of_conversations_tells_when_the_user_spoke_and_when_it_last_changed(tmp_path: Path) -> None:
    double = make_double(tmp_path, DoubleSettings(agy_version="1.2.10"))
    double.call("-p", "x")
    with closing(sqlite3.connect(double.root / "conversation_summaries.db")) as listed:
        ((spoke, changed),) = listed.execute(
            "SELECT last_user_input_time, last_modified_time FROM conversation_summaries"
        ).fetchall()

    assert spoke < changed


def test_a_relative_folder_is_no_workspace(tmp_path: Path) -> None:
    played = play(tmp_path, "1.2.10", ask("--add-dir", ".", "--add-dir", "{cwd}", "-p", "x"))
    with closing(sqlite3.connect(played.double.root / "conversation_summaries.db")) as listed:
        rows = listed.execute("SELECT workspace_uris FROM conversation_summaries").fetchall()

    assert rows == [(f'["file://{played.double.cwd}"]',)]


def test_the_model_is_reminded_as_soon_as_it_is_asked(tmp_path: Path) -> None:
    run: PlainMove = ("use_tool", {"name": "run_command", "args": {"CommandLine": "true"}})
    played = play(
        tmp_path,
        "1.0.10",
        ask("--print-timeout", "3s", "-p", "x"),
        turns=[(run, ("hang", {}))],
        switches={"headless-permission": "execute"},
    )

    assert [(row["step_index"], row["type"]) for row in played.rows()] == [
        (0, "USER_INPUT"),
        (1, "CONVERSATION_HISTORY"),
        (2, "EPHEMERAL_MESSAGE"),
        (3, "PLANNER_RESPONSE"),
        (4, "RUN_COMMAND"),
        (6, "EPHEMERAL_MESSAGE"),
        (5, "CHECKPOINT"),
    ]


def test_a_resumed_turn_begins_with_the_prompt_and_the_notice_of_the_restart(tmp_path: Path) -> None:
    played = play(tmp_path, "1.2.10", ask("-p", "x"), ask(*AGAIN))

    assert [row["type"] for row in played.rows()][2:] == ["USER_INPUT", "SYSTEM_MESSAGE", "PLANNER_RESPONSE"]
