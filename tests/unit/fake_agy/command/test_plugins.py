import json
from pathlib import Path
from typing import Any

import pytest

from fake_agy.command.place import Place
from fake_agy.command.plugins import plugins


def at(folder: Path) -> Place:
    return Place(str(folder / "home"), str(folder), "signed-in", {}, now=1_788_264_000.0)


def listed(folder: Path) -> Any:
    return json.loads(plugins(["list"], at(folder)).out)["imports"]


def made(folder: Path, name: str) -> str:
    (folder / name / "skills").mkdir(parents=True)
    (folder / name / "hooks.json").touch()
    (folder / name / "plugin.json").write_text("{}")
    return name


def test_without_plugins_the_list_is_empty(tmp_path: Path) -> None:
    assert plugins(["list"], at(tmp_path)).out == '{\n  "imports": []\n}\n'


def test_a_plugin_is_installed_listed_disabled_enabled_and_uninstalled(tmp_path: Path) -> None:
    name = made(tmp_path, "tool")
    entry = {
        "name": "tool",
        "source": "antigravity",
        "importedAt": "2026-09-01T12:00:00Z",
        "components": ["hooks", "skills"],
    }
    assert plugins(["install", name], at(tmp_path)).out == 'Installed plugin "tool"\n'
    assert plugins(["link", f"./{name}/"], at(tmp_path)).out == 'Linked plugin "tool"\n'
    assert listed(tmp_path) == [entry]
    assert plugins(["disable", name], at(tmp_path)).out == 'Disabled plugin "tool"\n'
    assert listed(tmp_path) == [{**entry, "disabled": True}]
    assert plugins(["enable", name], at(tmp_path)).out == 'Enabled plugin "tool"\n'
    assert listed(tmp_path) == [entry]
    assert plugins(["uninstall", name], at(tmp_path)).out == 'Uninstalled plugin "tool"\n'
    assert listed(tmp_path) == []


@pytest.mark.parametrize(
    ("word", "source", "below"),
    [("gemini", "gemini-cli", ".gemini/extensions"), ("claude", "claude-code", ".claude/plugins")],
)
def test_plugins_of_other_tools_are_imported(word: str, source: str, below: str, tmp_path: Path) -> None:
    made(tmp_path / "home" / below, "theirs")
    assert plugins(["import", word], at(tmp_path)).out == f"Imported 1 plugin(s) from {source}\n"
    assert [(each["name"], each["source"]) for each in listed(tmp_path)] == [("theirs", source)]


def test_a_folder_is_validated_by_its_description(tmp_path: Path) -> None:
    name = made(tmp_path, "tool")
    assert plugins(["validate", name], at(tmp_path)).out == "Plugin is valid.\n"
    (tmp_path / name / "plugin.json").write_text("[")
    assert plugins(["validate", name], at(tmp_path)).exit == 1
    assert "has no plugin.json" in plugins(["validate"], at(tmp_path)).err


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ([], 'unknown plugin command ""'),
        (["run"], 'unknown plugin command "run"'),
        (["install"], "plugin install takes one argument"),
        (["install", "nowhere"], "plugin nowhere was not found"),
        (["uninstall", "x"], 'plugin "x" is not installed'),
        (["enable", "x"], 'plugin "x" is not installed'),
        (["import", "other"], 'unknown source "other"'),
    ],
)
def test_what_can_not_be_done_ends_with_1_and_changes_nothing(
    words: list[str], said: str, tmp_path: Path
) -> None:
    ending = plugins(words, at(tmp_path))
    assert (ending.exit, ending.out) == (1, "")
    assert said in ending.err
    assert list(tmp_path.iterdir()) == []


def test_a_manifest_that_can_not_be_read_stays_as_it_is(tmp_path: Path) -> None:
    path = tmp_path / "home" / ".gemini" / "config" / "import_manifest.json"
    path.parent.mkdir(parents=True)
    path.write_text("{")
    assert "failed to parse" in plugins(["list"], at(tmp_path)).err
    assert path.read_text() == "{"
