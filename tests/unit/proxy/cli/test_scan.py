"""``agy-proxy scan`` finds what was planted, and does not print it."""

import json
from pathlib import Path

import pytest

from agy_proxy.cli.main import main
from tests.support.cassettes import cassette_of
from tests.support.interactions import interaction

SECRET = "ghp_" + "a1B2" * 9


def test_a_clean_cassette_has_nothing_left(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    cassette = cassette_of(tmp_path / "a.agy.yaml", [interaction()])
    assert main(["scan", str(cassette)]) == 0
    assert capsys.readouterr().out == f"{cassette}: nothing is left\n"


def test_a_planted_secret_is_found_with_its_line_and_is_not_printed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    cassette = cassette_of(tmp_path / "a.agy.yaml", [interaction(stdout=f"one\n{SECRET}\n".encode())])
    line = 1 + next(at for at, text in enumerate(cassette.read_text().splitlines()) if SECRET in text)
    assert main(["scan", str(cassette)]) == 1
    told = capsys.readouterr().out
    assert told.startswith(f"{cassette}:{line}: ")
    assert SECRET not in told


def test_the_json_names_file_line_and_class(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "notes.txt").write_text(f"\n{SECRET}\n")
    assert main(["scan", "--json", str(tmp_path)]) == 1
    told = json.loads(capsys.readouterr().out)
    assert (told["version"], len(told["left"])) == (1, 1)
    assert set(told["left"][0]) == {"file", "line", "class"}
    assert (told["left"][0]["file"], told["left"][0]["line"]) == (str(tmp_path / "notes.txt"), 2)


def test_a_missing_path_is_a_usage_error(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["scan", str(tmp_path / "none")]) == 2
    assert "does not exist" in capsys.readouterr().err
