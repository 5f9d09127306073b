"""Rows of commands in the background (stores.md 2.5)."""

from pathlib import Path

import pytest

from fake_agy.stores.rows import without_times
from fake_agy.turns.moves import PlainMove
from tests.support.double_calls import ask, play

RUN: PlainMove = (
    "use_tool",
    {"name": "run_command", "args": {"CommandLine": "echo out"}, "background": True},
)


@pytest.mark.parametrize(
    ("rule", "rows"), [("once", [(2, "RUNNING")]), ("again-when-done", [(2, "RUNNING"), (2, "DONE")])]
)
def test_a_command_in_the_background_has_a_row_that_says_it_runs(
    rule: str, rows: list[tuple[int, str]], tmp_path: Path
) -> None:
    played = play(
        tmp_path,
        "1.3.3",
        ask("--dangerously-skip-permissions", "-p", "x"),
        turns=[(RUN, ("say", {"text": "Done.\n"}))],
        switches={"running-rows": rule},
    )
    brain = played.double.root / "brain" / played.double.newest_conversation()
    found = [(row["step_index"], row["status"]) for row in played.rows() if row["type"] == "GENERIC"]
    text = next(row["content"] for row in played.rows() if row["type"] == "GENERIC")

    assert found == rows
    assert without_times(text).startswith("Tool is running as a background task with task id: ")
    assert f"Task logs are available at: file://{brain}/.system_generated/tasks/task-2.log" in text
    assert (brain / ".system_generated" / "tasks" / "task-2.log").read_text() == "out\n"
