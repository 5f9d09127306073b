"""Projects that a call makes (stores.md 1.2)."""

import json
import sqlite3
from contextlib import closing
from pathlib import Path

from fake_agy.settings import DoubleSettings
from fake_agy.stores.layout import layout_of
from fake_agy.stores.projects import make_project
from tests.support.double import make_double


def test_a_project_is_kept_with_the_repository_its_folder_lies_in(tmp_path: Path) -> None:
    (tmp_path / "work" / ".git").mkdir(parents=True)
    layout = layout_of(str(tmp_path / "home"))
    first = make_project(layout, 1, f"{tmp_path}/work/a")
    second = make_project(layout, 1, f"{tmp_path}/other")
    folder = tmp_path / "home" / ".gemini" / "config" / "projects"

    assert (folder / f"{first}.json").read_text() == (
        f'{{"id":"{first}","name":"work","projectResources":{{"resources":[{{"gitFolder":{{"folderUri":'
        f'"file://{tmp_path}/work","allowWrite":true}}}}]}}}}'
    )
    assert json.loads((folder / f"{second}.json").read_text())["name"] == "other"
    assert (folder / f"{first}.json").stat().st_mode & 0o777 == 0o600


def test_a_call_that_asks_for_a_new_project_has_its_conversation_in_it(tmp_path: Path) -> None:
    double = make_double(tmp_path, DoubleSettings(agy_version="1.2.10"))
    double.call("--new-project", "-p", "x")
    double.call("-p", "y")
    (made,) = (double.home / ".gemini" / "config" / "projects").iterdir()
    with closing(sqlite3.connect(double.root / "conversation_summaries.db")) as listed:
        rows = listed.execute(
            "SELECT title, project_id FROM conversation_summaries ORDER BY title"
        ).fetchall()

    assert rows == [("x", made.stem), ("y", "default-cli-project")]
