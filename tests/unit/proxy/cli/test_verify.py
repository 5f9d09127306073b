"""``agy-proxy verify`` finds what is wrong with a file, and its exit status says so."""

import json
from pathlib import Path

import pytest

from agy_proxy.cli.main import main
from tests.support.cassettes import cassette_of
from tests.support.interactions import interaction, mark


@pytest.fixture
def cassette(tmp_path: Path) -> Path:
    return cassette_of(tmp_path / "a.agy.yaml", [interaction("01J0-1"), mark("01J0-2m")])


def test_a_whole_cassette_is_whole(cassette: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["verify", str(cassette)]) == 0
    assert capsys.readouterr().out == f"{cassette}: 2 records, whole\n"


def test_the_json_of_a_whole_cassette(cassette: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["verify", "--json", str(cassette)]) == 0
    assert json.loads(capsys.readouterr().out) == {
        "version": 1,
        "files": [
            {"file": str(cassette), "records": 2, "torn": False, "edited": [], "duplicates": [], "errors": []}
        ],
    }


def test_a_torn_tail_is_found_and_named(cassette: Path, capsys: pytest.CaptureFixture[str]) -> None:
    cassette.write_bytes(cassette.read_bytes()[:-30])
    assert main(["verify", "--json", str(cassette)]) == 1
    (file,) = json.loads(capsys.readouterr().out)["files"]
    assert (file["torn"], file["records"]) == (True, 1)
    assert "torn" in file["errors"][0]["what"]


def edit(cassette: Path) -> None:
    cassette.write_text(cassette.read_text().replace("Half.", "Whole."))


@pytest.mark.parametrize(("options", "status"), [([], 0), (["--strict"], 1)])
def test_an_edited_record_is_told_of_and_wrong_only_if_strict(
    cassette: Path, options: list[str], status: int, capsys: pytest.CaptureFixture[str]
) -> None:
    edit(cassette)
    assert main(["verify", *options, str(cassette)]) == status
    assert "record 01J0-1 was edited by hand" in capsys.readouterr().out


def test_an_accepted_edit_is_whole_even_if_strict(cassette: Path, capsys: pytest.CaptureFixture[str]) -> None:
    edit(cassette)
    assert main(["verify", "--accept", "--strict", str(cassette)]) == 0
    assert capsys.readouterr().out == (
        f"{cassette}: record 01J0-1 is accepted as edited\n{cassette}: 2 records, whole\n"
    )


@pytest.mark.parametrize("options", [[], ["--json"]], ids=["text", "json"])
def test_accepting_tells_where_a_torn_tail_is_kept(
    cassette: Path, options: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    cassette.write_bytes(cassette.read_bytes()[:-30])
    assert main(["verify", "--accept", *options, str(cassette)]) == 0
    (kept,) = cassette.parent.glob("a.agy.yaml.torn-*")
    told = "".join(capsys.readouterr())
    assert f"record 01J0-2m was torn; its {kept.stat().st_size} bytes are now in {kept}\n" in told


def test_a_record_that_is_there_twice_is_found(cassette: Path, capsys: pytest.CaptureFixture[str]) -> None:
    cassette_of(cassette, [interaction("01J0-1")])
    assert main(["verify", "--json", str(cassette)]) == 1
    assert json.loads(capsys.readouterr().out)["files"][0]["duplicates"] == ["01J0-1"]


def test_one_wrong_file_among_several_makes_the_status(cassette: Path, tmp_path: Path) -> None:
    other = tmp_path / "b.agy.yaml"
    other.write_text("version: 1\ninteractions:\n<<<<<<< HEAD\n")
    assert main(["verify", str(cassette), str(other)]) == 1


def test_a_missing_file_is_bad_input(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["verify", str(tmp_path / "none.agy.yaml")]) == 2
    assert "no such cassette" in capsys.readouterr().err
