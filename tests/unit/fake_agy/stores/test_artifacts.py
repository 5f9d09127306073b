"""Artifacts of a conversation, and names kept beside it (stores.md 1.2, 1.3)."""

import json
from pathlib import Path

import pytest

from fake_agy.settings import DoubleSettings
from fake_agy.stores.artifacts import describe, misplaced
from fake_agy.stores.layout import brain, layout_of
from tests.support.double import make_double


@pytest.mark.parametrize(
    ("name", "type_"),
    [
        ("task.md", "ARTIFACT_TYPE_TASK"),
        ("implementation_plan.md", "ARTIFACT_TYPE_IMPLEMENTATION_PLAN"),
        ("walkthrough.md", "ARTIFACT_TYPE_WALKTHROUGH"),
        ("notes.md", "ARTIFACT_TYPE_OTHER"),
    ],
)
def test_an_artifact_is_described_by_its_name(name: str, type_: str, tmp_path: Path) -> None:
    describe(str(tmp_path / name), 'the "plan"', 1782641384.25)

    assert (tmp_path / f"{name}.metadata.json").read_text() == (
        f'{{"artifactType":"{type_}","summary":"the \\"plan\\"",'
        '"updatedAt":"2026-06-28T10:09:44.250000000Z"}'
    )


def test_only_files_of_the_conversations_own_folder_can_be_artifacts(tmp_path: Path) -> None:
    place = layout_of(str(tmp_path))
    folder = brain(place, "one")

    assert misplaced(place, "one", f"{folder}/task.md") is None
    for other in (f"{tmp_path}/task.md", f"{folder}/../two/task.md", folder):
        assert misplaced(place, "one", other) == (
            f"{other} is not a valid artifact path; artifacts must be in {folder}/"
        )


def test_a_turn_that_writes_an_artifact_elsewhere_fails_and_leaves_nothing(tmp_path: Path) -> None:
    about = {"RequestFeedback": False, "Summary": "s", "UserFacing": True}
    args = {"TargetFile": f"{tmp_path}/task.md", "CodeContent": "x", "ArtifactMetadata": about}
    move = ("use_tool", {"name": "write_to_file", "args": args})
    done = ("say", {"text": "Done.\n"})
    double = make_double(tmp_path, DoubleSettings(agy_version="1.3.3", turns=((move, done),)))
    double.call("--dangerously-skip-permissions", "-p", "x")
    rows = double.rows(double.last_conversation())

    assert [row["status"] for row in rows] == ["DONE", "DONE", "ERROR", "DONE"]
    assert rows[2]["content"].endswith(
        "\nEncountered error in step execution: declaring permissions: cortex tool write_to_file: convert "
        f"tool call for permissions: model output error: invalid tool call error (invalid_args) {tmp_path}/"
        "task.md is not a valid artifact path; artifacts must be in "
        f"{double.root}/brain/{double.last_conversation()}/"
    )
    assert json.loads(rows[1]["tool_calls"][0]["args"]["ArtifactMetadata"]) == about
    assert not list(tmp_path.glob("task.md*"))


def test_an_artifact_is_kept_in_every_version_for_its_owner_alone(tmp_path: Path) -> None:
    about = {"RequestFeedback": False, "Summary": "s", "UserFacing": True}
    first = DoubleSettings(agy_version="1.3.3")
    double = make_double(tmp_path / "1", first)
    double.call("-p", "x")
    folder = double.root / "brain" / double.last_conversation()
    args = {"TargetFile": f"{folder}/more/task.md", "CodeContent": "x", "ArtifactMetadata": about}
    change = {"TargetFile": f"{folder}/more/task.md", "TargetContent": "x", "ReplacementContent": "y"}
    turn = (
        ("use_tool", {"name": "write_to_file", "args": args}),
        ("use_tool", {"name": "replace_file_content", "args": change}),
        ("say", {"text": "Done.\n"}),
    )
    double = make_double(tmp_path / "1", first._replace(turns=(turn,)))
    double.call("--dangerously-skip-permissions", "-c", "-p", "x")
    kept = {path.name: path.read_text() for path in (folder / "more").iterdir()}

    assert kept.pop("task.md.metadata.json").startswith('{"artifactType":"ARTIFACT_TYPE_TASK",')
    assert kept == {
        "task.md": "y",
        "task.md.resolved": "y",
        "task.md.resolved.0": "x",
        "task.md.resolved.1": "y",
    }
    assert {path.stat().st_mode & 0o777 for path in (folder / "more").iterdir()} == {0o600}
    assert (folder / "more").stat().st_mode & 0o777 == 0o700
