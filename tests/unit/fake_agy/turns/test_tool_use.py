"""Tools of a scripted turn: what they do, what a stream shows of them, and what may not be done."""

import json
import signal
import subprocess
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from fake_agy.settings import DoubleSettings
from fake_agy.turns.moves import PlainMove
from tests.support.double import Double, make_double
from tests.support.double_calls import ask, play

SKIP = "--dangerously-skip-permissions"
STREAM = ("--output-format", "stream-json")
DONE: PlainMove = ("say", {"text": "Done.\n"})


def tool(name: str, **args: object) -> PlainMove:
    return ("use_tool", {"name": name, "args": args})


def command(line: str, **more: object) -> PlainMove:
    return ("use_tool", {"name": "run_command", "args": {"CommandLine": line}, **more})


def last_state(folder: Path, *moves: PlainMove, version: str = "1.2.10") -> Mapping[str, Any]:
    """The last update of a tool step of one turn in a workspace, permissions skipped."""
    played = play(
        folder, version, ask(*STREAM, SKIP, "--add-dir", "{cwd}", "-p", "x"), turns=[(*moves, DONE)]
    )
    steps = [event["step_update"] for event in played.events() if event["event"] == "step_update"]
    state: Mapping[str, Any] = [step for step in steps if step["step_type"] == "tool"][-1]
    return state


def in_workspace(folder: Path, version: str = "1.2.10") -> Path:
    return folder / version / "work"


def test_a_command_is_shown_with_its_whole_output_and_line_ends_of_a_terminal(tmp_path: Path) -> None:
    state = last_state(tmp_path, command("echo one; echo two >&2"))

    assert (state["state"], state["tool_name"]) == ("DONE", "run_command")
    assert state["tool_info"] == {
        "name": "run_command",
        "parameters": {"CommandLine": "echo one; echo two >&2"},
        "output": "one\r\ntwo\r\n",
    }


def test_a_command_that_prints_much_is_shown_by_its_end(tmp_path: Path) -> None:
    output = last_state(tmp_path, command("yes | head -c 20000"))["tool_info"]["output"]

    assert output.startswith("<truncated 21808 bytes>\n")
    assert len(output.encode()) < 8300


def test_a_command_finds_what_agy_adds_to_its_environment(tmp_path: Path) -> None:
    output = last_state(tmp_path, command("env"))["tool_info"]["output"]
    found = dict(line.partition("=")[::2] for line in output.splitlines())

    assert found["ANTIGRAVITY_AGENT"] == "1"
    assert found["ANTIGRAVITY_LS_VERSION"] == "cli-1.2.10"
    assert found["ANTIGRAVITY_LS_ADDRESS"].startswith("localhost:")
    assert found["ANTIGRAVITY_PROJECT_ID"] == "default-cli-project"
    assert {"ANTIGRAVITY_CONVERSATION_ID", "ANTIGRAVITY_TRAJECTORY_ID", "ANTIGRAVITY_CSRF_TOKEN"} <= set(
        found
    )
    assert (found["PAGER"], found["GIT_PAGER"], found["LANG"]) == ("cat", "cat", "C.UTF-8")


def test_what_a_command_leaves_in_the_background_does_not_hold_it_up(tmp_path: Path) -> None:
    output = last_state(tmp_path, command("sleep 50 & echo $!"))["tool_info"]["output"]
    subprocess.run(["kill", output.strip()], check=True)


def test_files_are_written_changed_read_and_listed(tmp_path: Path) -> None:
    write = tool("write_to_file", TargetFile="notes/a.txt", CodeContent="one\ntwo\n")
    change = tool(
        "replace_file_content", TargetFile="notes/a.txt", TargetContent="two", ReplacementContent="zwei"
    )
    written = last_state(tmp_path / "1", write)
    assert written["tool_info"] == {"name": "write_to_file", "parameters": {"TargetFile": "notes/a.txt"}}
    last_state(tmp_path / "2", write, change)
    assert (in_workspace(tmp_path / "2") / "notes" / "a.txt").read_text() == "one\nzwei\n"
    viewed = last_state(tmp_path / "3", write, tool("view_file", AbsolutePath="notes/a.txt"))
    assert viewed["tool_info"]["output"] == "2 lines, 8 bytes"
    assert last_state(tmp_path / "4", write, tool("list_dir", DirectoryPath="."))["state"] == "DONE"


@pytest.mark.parametrize(
    ("move", "message"),
    [
        (tool("view_file", AbsolutePath="/nowhere/file"), "no such file"),
        (tool("view_file"), "AbsolutePath is missing"),
        (tool("view_file", AbsolutePath="a", StartLine="two"), "StartLine is no line number"),
        (tool("list_dir", DirectoryPath="/nowhere"), "no such file"),
        (
            tool("replace_file_content", TargetFile="/etc/hostname", TargetContent="", ReplacementContent=""),
            "0",
        ),
        (("use_tool", {"name": "run_command", "args": {}, "error": "it broke"}), "it broke"),
    ],
)
def test_a_tool_that_fails_says_why(move: PlainMove, message: str, tmp_path: Path) -> None:
    state = last_state(tmp_path, move)

    assert state["state"] == "ERROR"
    assert state["tool_info"]["error"]["type"] == "TOOL_ERROR"
    assert message in state["tool_info"]["error"]["message"]
    assert "output" not in state["tool_info"]


def test_a_call_that_makes_no_sense_is_an_error_message_in_old_versions(tmp_path: Path) -> None:
    turns = [(tool("view_file"), DONE)]
    old = play(tmp_path / "1", "1.0.5", ask(SKIP, "-p", "x"), turns=turns).rows()
    new = play(tmp_path / "2", "1.1.8", ask(SKIP, "-p", "x"), turns=turns).rows()
    refused = next(row for row in old if row["type"] == "ERROR_MESSAGE")

    assert old[old.index(refused) - 1]["tool_calls"][0]["name"] == "view_file"
    assert (refused["source"], refused["status"]) == ("SYSTEM", "DONE")
    assert refused["error"].startswith("There was a problem parsing the tool call. ")
    assert refused["content"].endswith(
        "AbsolutePath is missing\n\nGuidance: correct the arguments.\nRetries remaining: 4."
    )
    assert [row["status"] for row in new if row["type"] == "VIEW_FILE"] == ["ERROR"]


def test_an_output_that_was_scripted_is_given_and_nothing_is_run(tmp_path: Path) -> None:
    state = last_state(tmp_path, command("touch ran.txt", output="as told\n", exit_code=3))

    assert state["tool_info"]["output"] == "as told\n"
    assert not (in_workspace(tmp_path) / "ran.txt").exists()


def test_without_trust_or_an_added_folder_a_command_runs_in_scratch(tmp_path: Path) -> None:
    played = play(tmp_path, "1.2.10", ask(SKIP, "-p", "x"), turns=[(command("pwd > here.txt"), DONE)])

    scratch = played.double.root / "scratch"
    assert (scratch / "here.txt").read_text() == f"{scratch}\n"


@pytest.mark.parametrize(
    ("settings", "allowed"),
    [
        ({}, False),
        ({"permissions": {"allow": ["command(touch)"]}}, True),
        ({"permissions": {"allow": ["command(touch ran.txt)"]}}, True),
        ({"permissions": {"allow": ["command(tou)"]}}, False),
        ({"permissions": {"allow": ["command(tou*)"]}}, True),
        ({"permissions": {"allow": ["write_file(touch)"]}}, False),
        ({"toolPermission": "always-proceed"}, True),
        ({"toolPermission": "proceed-in-sandbox"}, False),
    ],
)
def test_the_settings_allow_what_they_name(
    settings: Mapping[str, Any], *, allowed: bool, tmp_path: Path
) -> None:
    double = make_double(
        tmp_path, DoubleSettings(agy_version="1.2.10", turns=((command("touch ran.txt"), DONE),))
    )
    double.root.mkdir(parents=True)
    (double.root / "settings.json").write_text(json.dumps(settings))
    double.call("-p", "x")

    assert (double.root / "scratch" / "ran.txt").exists() == allowed


def held(folder: Path, *argv: str) -> tuple[Double, subprocess.Popen[bytes]]:
    """A call whose command runs until somebody ends it."""
    line = "echo $$ > pid.txt; exec sleep 60"
    double = make_double(folder, DoubleSettings(agy_version="1.1.18", turns=((command(line), DONE),)))
    process = subprocess.Popen(
        **double.command(SKIP, *argv, "-p", "x"), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE
    )
    return double, process


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_ends_the_turn_at_once_and_leaves_the_command_running(
    number: signal.Signals, tmp_path: Path
) -> None:
    double, process = held(tmp_path, "--output-format", "json")
    pid = double.root / "scratch" / "pid.txt"
    while not pid.exists() or not pid.read_text():
        assert process.poll() is None
    process.send_signal(number)
    out, _ = process.communicate(timeout=60)

    assert process.returncode == 1
    assert json.loads(out)["error"] == "timeout waiting for response"
    subprocess.run(["kill", pid.read_text().strip()], check=True)


def test_a_command_of_the_background_writes_a_log_and_the_turn_goes_on(tmp_path: Path) -> None:
    played = play(
        tmp_path,
        "1.2.10",
        ask(SKIP, "-p", "x"),
        turns=[(command("echo from behind", background=True), DONE)],
    )

    assert played.last == (0, "Done.\n", "")
    (log,) = played.double.root.glob("brain/*/.system_generated/tasks/task-*.log")
    assert log.read_text() == "from behind\n"
    assert log.stat().st_mode & 0o777 == 0o600


def test_a_command_that_outlives_the_turn_is_ended_with_a_notice(tmp_path: Path) -> None:
    played = play(
        tmp_path, "1.2.7", ask(SKIP, "-p", "x"), turns=[(command("sleep 60", background=True), DONE)]
    )

    assert played.last == (0, "Done.\n", "terminating 1 background task(s) on exit\n")
