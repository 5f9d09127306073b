"""Files that agy changes in the working directory, from a recording run to a replay."""

from pathlib import Path

import pytest

from agy_cassettes.cassette import Cassette
from tests.support.tool import agy_proxy

AGY = """#!/bin/sh
sleep 1
printf 'print(1)' > made.py
printf 'see %s' "$PWD/made.py" > told.txt
rm gone.py
echo done
"""


@pytest.fixture
def place(tmp_path: Path) -> Path:
    """A folder with an agy that takes its time to start and changes files, and a project."""
    (tmp_path / "agy").write_text(AGY)
    (tmp_path / "agy").chmod(0o755)
    for name in ("project", "other", "store"):
        (tmp_path / name).mkdir()
    for name in ("project", "other"):
        (tmp_path / name / "gone.py").touch()
    return tmp_path


def recorded(place: Path, *options: str) -> Cassette:
    words = ("record", "../c.agy.yaml", "--real", "../agy", "--home", "../store", *options)
    ended = agy_proxy(*words, "--", "agy", "-p", "go", cwd=place / "project")
    assert ended.status == 0, ended.stderr
    return Cassette.open(place / "c.agy.yaml")


def test_what_agy_made_and_deleted_is_made_and_deleted_again(place: Path) -> None:
    recorded(place, "--workspace")
    words = ("replay", "../c.agy.yaml", "--workspace", "--speed", "max", "--", "agy", "-p", "go")
    replayed = agy_proxy(*words, cwd=place / "other")
    other = place / "other"
    assert (replayed.status, replayed.stdout) == (0, "done\n"), replayed.stderr
    assert sorted(path.name for path in other.iterdir()) == ["made.py", "told.txt"]
    assert (other / "told.txt").read_text() == f"see {other}/made.py"


def test_without_being_asked_for_files_are_only_listed(place: Path) -> None:
    (interaction,) = recorded(place).interactions()
    assert not any(event.path.startswith("${CWD}") for event in interaction.files)
    assert interaction.process is not None
    listed = interaction.process.extra["workspace"]
    assert [(each["path"], each["op"]) for each in listed] == [
        ("gone.py", "delete"),
        ("made.py", "create"),
        ("told.txt", "create"),
    ]
