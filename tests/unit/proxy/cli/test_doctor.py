"""``agy-proxy doctor`` says what is wrong, and its status says whether anything is."""

import json
from pathlib import Path

import pytest

from agy_cassettes.interaction import Recorded
from agy_proxy.cli.doctor import checks
from agy_proxy.cli.main import main
from tests.support.cassettes import cassette_of
from tests.support.interactions import AT, BY, interaction


def test_nothing_wrong_is_status_0(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["doctor", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert set(told) == {"version", "checks"}
    assert {frozenset(check) for check in told["checks"]} == {frozenset(("name", "ok", "found", "do"))}
    assert [check["name"] for check in told["checks"]] == [
        "real agy",
        "agy in a shell",
        "installed shims",
        "state folder",
        "journals not synced",
        "recording trouble",
        "libyaml",
        "inotify limits",
        ".gitattributes",
        "redaction",
    ]


def test_a_fault_is_status_1_and_says_what_to_do(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    cassette_of(tmp_path / "a.agy.yaml", [interaction(recorded=Recorded(at=AT, by=BY, redaction="off"))])
    monkeypatch.chdir(tmp_path)
    assert main(["doctor"]) == 1
    out = capsys.readouterr().out.splitlines()
    at = next(at for at, line in enumerate(out) if line.startswith("fault  redaction: "))
    assert out[at + 1] == "       record again with redaction before sharing it"


def test_a_shim_that_stays_is_looked_at(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    main(["install", "bin", "--record", "a.agy.yaml"])
    assert main(["doctor"]) == 0
    (tmp_path / "bin" / "agy").unlink()
    assert main(["doctor"]) == 1


def test_without_a_place_for_state_the_other_checks_are_made_all_the_same(tmp_path: Path) -> None:
    found = checks({}, tmp_path)
    (fault,) = (check for check in found if not check.ok)
    assert (fault.name, fault.do) == ("installed shims", "set HOME or XDG_STATE_HOME and run it again")
    assert found[-1].name == "redaction"
