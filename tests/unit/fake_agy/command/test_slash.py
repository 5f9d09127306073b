import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from fake_agy.command.line import CommandLine
from fake_agy.command.place import Place
from fake_agy.command.slash import answer, answered_locally, expansions
from fake_agy.profile.resolve import profile_of

HERE = Place(None, "/nowhere", "signed-in", {}, now=1_788_264_000.0)
TEXT, JSON = CommandLine({}), CommandLine({"output-format": ("json",)})
LITERAL = CommandLine({"disable-slash-commands": ("true",)})
REFERENCE = profile_of((1, 1, 18))


@pytest.mark.parametrize(
    ("word", "first"),
    [
        *((f"/{name}", (1, 1, 11)) for name in ("usage", "quota", "credits", "model", "effort", "skills")),
        *((f"/{name}", (1, 1, 12)) for name in ("permissions", "hooks", "help", "config", "changelog")),
    ],
)
def test_a_command_is_answered_from_its_version_on(word: str, first: tuple[int, int, int]) -> None:
    before = (1, 1, first[2] - 1)
    assert answered_locally(word, profile_of(first))
    assert not answered_locally(word, profile_of(before))
    assert answer(word, TEXT, profile_of(before), HERE) is None


@pytest.mark.parametrize("prompt", ["/usage", "  /usage\n", "/quota"])
def test_usage_is_lines_of_fields_with_tabs(prompt: str) -> None:
    said = answer(prompt, TEXT, REFERENCE, HERE)
    assert said is not None
    assert said.response.startswith("Gemini Models\tWeekly Limit Remaining\t99%\t")
    assert (said.name, said.ending.exit, said.ending.out) == ("usage", 0, "")
    assert isinstance(said.data, dict)
    assert list(said.data) == ["groups"]


@pytest.mark.parametrize(
    ("version", "terminal", "zone"),
    [((1, 2, 14), False, "JST"), ((1, 2, 15), False, "UTC"), ((1, 2, 15), True, "JST")],
)
def test_usage_has_local_times_on_a_terminal_and_utc_elsewhere_since_1_2_15(
    version: tuple[int, int, int], zone: str, monkeypatch: pytest.MonkeyPatch, *, terminal: bool
) -> None:
    import time

    monkeypatch.setenv("TZ", "JST-9")
    time.tzset()
    try:
        said = answer("/usage", TEXT, profile_of(version), HERE._replace(terminal=terminal))
    finally:
        monkeypatch.delenv("TZ")
        time.tzset()
    assert said is not None
    assert said.response.splitlines()[0].endswith(f" {zone}")


def test_the_model_is_told_with_its_effort() -> None:
    line = CommandLine({"model": ("gemini-3.1-pro-low",)})
    said = answer("/model", line, REFERENCE, HERE)
    assert said is not None
    assert said.data == {
        "id": "gemini-3.1-pro-low",
        "label": "Gemini 3.1 Pro (Low)",
        "effort": "low",
        "is_default": False,
    }
    plain = answer("/effort", TEXT, REFERENCE, HERE)
    assert plain is not None
    assert plain.response == "high\n"


@pytest.mark.parametrize(
    ("prompt", "error"),
    [
        ("/credits", "/credits failed: retrieving credits: no credits info found"),
        ("/usage extra words", "/usage takes no arguments"),
    ],
)
def test_a_command_that_fails_ends_with_1_and_an_error(prompt: str, error: str) -> None:
    said = answer(prompt, TEXT, REFERENCE, HERE)
    assert said is not None
    assert (said.ending.exit, said.ending.status, said.ending.error) == (1, "ERROR", error)
    assert (said.data, said.response) == (None, "")
    assert said.ending.err == f"Error: {error}\n"
    quiet = answer(prompt, JSON, REFERENCE, HERE)
    assert quiet is not None
    assert quiet.ending == said.ending._replace(err="")


def test_who_is_signed_out_learns_nothing_of_the_quota() -> None:
    said = answer("/usage", TEXT, REFERENCE, HERE._replace(account="signed-out"))
    assert said is not None
    assert said.ending.error == "/usage failed: not signed in"


@pytest.mark.parametrize("word", ["/clear", "/resume", "/exit", "/mcp", "/compact-not"])
def test_a_command_for_terminals_is_refused_with_2_and_the_way_out(word: str) -> None:
    said = answer(f"{word} now", TEXT, REFERENCE, HERE)
    if word == "/compact-not":
        assert said is None
        return
    assert said is not None
    assert said.ending.exit == 2
    assert said.ending.err.endswith(
        f"pass --disable-slash-commands to send {word} to the model as literal text\n"
    )


@pytest.mark.parametrize(
    "prompt", ["/usage", "/clear", "/", "/home/me/x explain", "/goal x", "//", "/ usage"]
)
def test_nothing_is_answered_where_slash_commands_are_turned_off_or_there_is_none(prompt: str) -> None:
    assert answer(prompt, LITERAL, REFERENCE, HERE) is None
    if prompt not in {"/usage", "/clear"}:
        assert answer(prompt, TEXT, REFERENCE, HERE) is None


def skilled(folder: Path) -> Place:
    (folder / ".agents" / "skills" / "tidy").mkdir(parents=True)
    (folder / ".agents" / "skills" / "note.md").touch()
    return HERE._replace(cwd=str(folder), home=str(folder / "home"))


@pytest.mark.parametrize(
    ("prompt", "kind"),
    [
        ("/goal tidy up", "system"),
        ("/plan", "system"),
        ("/tidy all", "skill"),
        ("/other", None),
        ("plan", None),
    ],
)
def test_commands_and_skills_are_expanded_since_1_1_9(prompt: str, kind: str | None, tmp_path: Path) -> None:
    place = skilled(tmp_path)
    named = ({"name": prompt.split()[0][1:], "type": kind},) if kind else ()
    assert expansions(prompt, TEXT, profile_of((1, 1, 9)), place) == named
    assert expansions(prompt, TEXT, profile_of((1, 1, 8)), place) == ()
    assert expansions(prompt, LITERAL, REFERENCE, place) == ()


@pytest.mark.parametrize(
    ("word", "data", "text"),
    [
        ("/skills", {"skills": [{"name": "tidy"}]}, "tidy\n"),
        ("/permissions", {"mode": "strict", "allow": ["command(ls)"]}, "mode\tstrict\nallow\tcommand(ls)\n"),
        ("/hooks", {"hooks": ["mine"]}, "mine\n"),
        (
            "/config",
            {"settings": {"toolPermission": "strict", "permissions": {"allow": ["command(ls)"]}}},
            'toolPermission\tstrict\npermissions\t{"allow":["command(ls)"]}\n',
        ),
    ],
)
def test_what_is_configured_is_read_from_its_files(
    word: str, data: Mapping[str, Any], text: str, tmp_path: Path
) -> None:
    place = skilled(tmp_path)
    root, config = (tmp_path / "home" / ".gemini" / name for name in ("antigravity-cli", "config"))
    for folder in (root, config):
        folder.mkdir(parents=True)
    settings = {"toolPermission": "strict", "permissions": {"allow": ["command(ls)"]}}
    (root / "settings.json").write_text(json.dumps(settings))
    (config / "hooks.json").write_text('{"mine":{}}')

    said = answer(word, TEXT, REFERENCE, place)

    assert said is not None
    assert (said.data, said.response) == (data, text)


@pytest.mark.parametrize("word", ["/skills", "/permissions", "/hooks", "/config", "/help", "/changelog"])
def test_where_nothing_is_configured_there_is_an_answer_all_the_same(word: str, tmp_path: Path) -> None:
    for place in (HERE, HERE._replace(home=str(tmp_path))):
        said = answer(word, TEXT, REFERENCE, place)
        assert said is not None
        assert said.ending.exit == 0
        assert said.response.endswith("\n")
