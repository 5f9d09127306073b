"""Results of tools in files of their own (stores.md 1.3)."""

from pathlib import Path

from fake_agy.stores.layout import brain, layout_of
from fake_agy.stores.step import Step, ToolCall
from fake_agy.stores.steps_output import keep_output

DONE = Step(
    3,
    "MODEL",
    "GENERIC",
    0.0,
    1.0,
    content="Created At: a\nCompleted At: b\n\nThe command exited with code 0.\n",
    answers=ToolCall("run_command", {}),
)


def test_a_result_is_kept_without_the_times_above_it(tmp_path: Path) -> None:
    place = layout_of(str(tmp_path))
    keep_output(place, "one", DONE)
    path = Path(brain(place, "one")) / ".system_generated" / "steps" / "3" / "output.txt"

    assert path.read_text() == "\nThe command exited with code 0.\n"


def test_only_a_tool_that_is_done_has_a_result(tmp_path: Path) -> None:
    place = layout_of(str(tmp_path))
    for step in (
        DONE._replace(status="ERROR"),
        DONE._replace(status="RUNNING"),
        DONE._replace(answers=None),
        DONE._replace(content=None),
    ):
        keep_output(place, "one", step)

    assert not Path(place.root).exists()
