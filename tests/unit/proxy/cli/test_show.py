"""``agy-proxy show`` prints a cassette, one record of it, or what is appended to it."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from agy_proxy.cli.main import main
from agy_proxy.cli.show import split
from tests.support.cassettes import cassette_of
from tests.support.interactions import interaction, mark

LONG = b"".join(b"line %d\n" % number for number in range(50))
SECRET = "ghp_" + "a1B2" * 9


@pytest.fixture
def cassette(tmp_path: Path) -> Path:
    return cassette_of(
        tmp_path / "a.agy.yaml",
        [interaction("01J0-1"), mark("01J0-2m", note="a new one"), interaction("01J0-3", stdout=LONG)],
    )


def test_every_record_is_shown_in_order(cassette: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["show", str(cassette)]) == 0
    out = capsys.readouterr().out
    heads = [line for line in out.splitlines() if line[:1].isdigit()]
    assert [head.split()[:3] for head in heads] == [
        ["1.", "01J0-1", "turn"],
        ["2.", "01J0-2m", "mark"],
        ["3.", "01J0-3", "turn"],
    ]
    assert "more lines" in out


def test_one_record_is_shown_whole(cassette: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["show", f"{cassette}#01J0-3"]) == 0
    out = capsys.readouterr().out
    assert out.startswith("3. 01J0-3 ")
    assert "line 49" in out
    assert "01J0-1" not in out


def test_json_holds_all_of_it(cassette: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["show", "--json", str(cassette)]) == 0
    told = json.loads(capsys.readouterr().out)
    assert set(told) == {"version", "interactions", "marks"}
    assert [each["id"] for each in told["interactions"]] == ["01J0-1", "01J0-3"]
    assert told["interactions"][1]["stdout"] == LONG.decode()
    assert [each["note"] for each in told["marks"]] == ["a new one"]


def test_an_id_that_is_not_there_names_those_that_are(
    cassette: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["show", f"{cassette}#01J0-9"]) == 2
    assert "no record has the id '01J0-9'; there is 01J0-1, 01J0-2m, 01J0-3" in capsys.readouterr().err


def test_a_file_whose_name_holds_the_sign_is_taken_as_it_is(tmp_path: Path) -> None:
    (tmp_path / "a#b.agy.yaml").touch()
    assert split(str(tmp_path / "a#b.agy.yaml")) == (tmp_path / "a#b.agy.yaml", None)
    assert split("a.agy.yaml#x") == (Path("a.agy.yaml"), "x")


@pytest.mark.parametrize("options", [[], ["--json"]])
def test_a_secret_that_redaction_missed_is_not_printed(
    tmp_path: Path, options: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    half = len(SECRET) // 2
    cassette = cassette_of(
        tmp_path / "a.agy.yaml",
        [
            interaction(
                prompt=f"use {SECRET}",
                stdout=SECRET.encode() + b"\n",
                stderr=SECRET.encode(),
                timing=[
                    (1, "o", half),
                    (2000, "o", len(SECRET) + 1 - half),
                    (0, "e", len(SECRET)),
                    (0, "x", 1),
                ],
                extra={"note": f"it was {SECRET}"},
            )
        ],
    )
    assert main(["show", *options, str(cassette)]) == 0
    out = capsys.readouterr().out
    assert SECRET[:half] not in out
    assert SECRET[half:] not in out


def test_a_body_in_a_file_of_its_own_is_read_only_when_asked_for(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    big = b"x" * (2**20 + 1)
    cassette = cassette_of(tmp_path / "a.agy.yaml", [interaction(stdout=big)])
    assert main(["show", str(cassette)]) == 0
    assert f"{len(big)} bytes in " in capsys.readouterr().out
    assert main(["show", f"{cassette}#01J0-1"]) == 0
    assert big.decode() in capsys.readouterr().out


def test_an_edited_record_is_shown_with_one_notice(
    cassette: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    cassette.write_text(cassette.read_text().replace("Half.", "Whole."))
    assert main(["show", str(cassette)]) == 0
    captured = capsys.readouterr()
    assert captured.err.startswith(f"agy-proxy: {cassette}:")
    assert captured.err.count("\n") == 1
    assert "Whole." in captured.out


def test_what_is_appended_is_shown_as_it_comes(cassette: Path) -> None:
    command = [sys.executable, "-u", "-m", "agy_proxy", "show", "--follow", str(cassette)]
    follower = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=dict(os.environ))
    assert follower.stdout is not None
    with follower.stdout as lines:
        assert any("line 0" in line for line in lines)
        cassette_of(cassette, [interaction("01J0-4", stdout=b"later\n")])
        assert any("4. 01J0-4" in line for line in lines)
        assert any("later" in line for line in lines)
        follower.send_signal(signal.SIGINT)
    assert follower.wait() == 130
