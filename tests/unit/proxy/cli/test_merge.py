"""``agy-proxy merge`` unites cassettes by hand and after git stopped."""

import json
import subprocess
from pathlib import Path

import pytest

from agy_cassettes.cassette import Cassette
from agy_proxy.cli.main import main
from tests.support.cassettes import cassette_of
from tests.support.interactions import interaction


def ids(path: Path) -> list[str]:
    return [entry.id for entry in Cassette.open(path).entries]


def test_cassettes_are_united_into_a_new_one(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    one = cassette_of(tmp_path / "1.agy.yaml", [interaction("01J0-1"), interaction("01J0-3")])
    two = cassette_of(tmp_path / "2.agy.yaml", [interaction("01J0-2"), interaction("01J0-3")])
    out = tmp_path / "all.agy.yaml"
    assert main(["merge", str(out), str(one), str(two)]) == 0
    assert ids(out) == ["01J0-1", "01J0-2", "01J0-3"]
    assert capsys.readouterr().out == f"{out}: 3 records\n"


def test_the_json_names_the_output_and_counts(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    one = cassette_of(tmp_path / "1.agy.yaml", [interaction("01J0-1")])
    out = tmp_path / "all.agy.yaml"
    assert main(["merge", "--json", str(out), str(one)]) == 0
    assert json.loads(capsys.readouterr().out) == {"version": 1, "out": str(out), "records": 1}


@pytest.mark.system
def test_two_branches_of_one_cassette_are_united(tmp_path: Path) -> None:
    def git(*argv: str, check: bool = True) -> None:
        subprocess.run(["git", "-C", str(tmp_path), *argv], check=check, capture_output=True)

    git("init", "-b", "main")
    (tmp_path / ".gitattributes").write_text("*.agy.yaml -merge\n")
    cassette = cassette_of(tmp_path / "a.agy.yaml", [interaction("01J0-1")])
    git("add", ".")
    git("commit", "-m", "first")
    git("checkout", "-b", "other")
    cassette_of(cassette, [interaction("01J0-3")])
    git("commit", "-am", "other")
    git("checkout", "main")
    cassette_of(cassette, [interaction("01J0-2")])
    git("commit", "-am", "main")
    git("merge", "other", check=False)
    assert main(["merge", "--git", str(cassette)]) == 0
    assert ids(cassette) == ["01J0-1", "01J0-2", "01J0-3"]


@pytest.mark.parametrize(
    ("argv", "told"),
    [
        ([], "give OUT and the cassettes to unite, or --git FILE"),
        (["--git", "a", "b"], "give OUT and the cassettes to unite, or --git FILE"),
        (["out"], "nothing to unite into out"),
    ],
)
def test_what_is_to_be_united_has_to_be_clear(
    argv: list[str], told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["merge", *argv]) == 2
    assert told in capsys.readouterr().err
