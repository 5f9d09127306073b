"""``agy-proxy contract`` against doubles that are taken for a real agy."""

import json
import os
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from agy_proxy.cli.main import main
from agy_proxy.contract.calls import CALLS
from agy_proxy.contract.contract import contract as compared
from agy_proxy.run.noted_calls import noted_calls
from fake_agy.double import write_double
from fake_agy.settings import DoubleSettings
from tests.support.stand_in import write_stand_in

AS_1_0_8 = (
    ("swallowed-flag", "prompt"),
    ("stray-argument", "ignored"),
    ("models-form", "labels"),
    ("models-progress", "stdout"),
    ("not-found-warning", "stdout"),
    ("replay-on-resume", True),
)


class Ended(NamedTuple):
    status: int
    out: str

    @property
    def json(self) -> dict[str, Any]:
        told: dict[str, Any] = json.loads(self.out)
        return told

    def facts(self, verdict: str) -> dict[str, dict[str, Any]]:
        return {each["name"]: each for each in self.json["facts"] if each["verdict"] == verdict}


@pytest.fixture
def contract(capsys: pytest.CaptureFixture[str]) -> Any:
    def run(agy: Path, *options: str) -> Ended:
        status = main(["contract", "--real", str(agy), *options])
        return Ended(status, capsys.readouterr().out)

    return run


def double(tmp_path: Path, **settings: Any) -> Path:
    return write_double(tmp_path / "real", DoubleSettings(**settings))


@pytest.mark.parametrize("version", ["1.0.8", "1.1.18", "1.3.3"])
def test_an_agy_that_behaves_as_its_version_differs_in_nothing(
    tmp_path: Path, contract: Any, version: str, home: Path
) -> None:
    ended = contract(double(tmp_path, agy_version=version), "--turns", "--json")
    assert ended.facts("differs") == {}
    assert ended.status == 0
    assert ended.json["agy"] == ended.json["double"] == version
    assert any((home / ".gemini/antigravity-cli/brain").iterdir())
    since = {each["why"] for each in ended.facts("not_tried").values()}
    assert all(why.startswith("only from 1.") for why in since)
    assert ended.json["agrees"] + ended.json["not_tried"] == len(ended.json["facts"])


def test_an_agy_that_says_a_version_and_behaves_as_an_older_one_is_found_out(
    tmp_path: Path, contract: Any
) -> None:
    ended = contract(double(tmp_path, agy_version="1.1.18", switches=AS_1_0_8), "--turns", "--json")
    assert ended.status == 1
    differs = ended.facts("differs")
    assert set(differs) == {
        *("swallowed flag: exit status", "swallowed flag: message"),
        *("stray argument: exit status", "stray argument: message"),
        *("models: form", "models: listed", "models: stream of the progress line"),
        "unknown id: warning",
        "resumed turn: repeats the earlier answer",
    }
    form = differs["models: form"]
    assert (form["real"], form["double"]) == ("labels", "slugs-and-labels")
    assert (form["section"], form["behaviours"]) == ("contract.md 1.3", ["models-form"])
    warning = differs["unknown id: warning"]
    assert warning["real"] == 'stdout: Warning: conversation "ID" not found.'
    assert warning["double"] == 'stderr: warning: conversation "ID" not found'


def test_a_version_taken_for_another_differs_in_what_changed_between_them(
    tmp_path: Path, contract: Any
) -> None:
    agy = double(tmp_path, agy_version="1.1.18")
    ended = contract(agy, "--turns", "--agy-version", "1.1.11")
    assert ended.status == 1
    lines = ended.out.splitlines()
    assert lines[0] == f"{agy}, that says 1.1.18, beside the double of 1.1.11"
    assert "not tried  swallowed flag: only from 1.1.18 on" in lines
    at = lines.index("differs    models: stream of the progress line  contract.md 1.3")
    assert lines[at + 1 : at + 4] == [
        "           the real one:  stderr",
        "           the double:    stdout",
        "           a --switch that may fit: models-progress",
    ]
    at = lines.index("differs    help: subcommands listed  contract.md 1.3")
    assert lines[at + 1] == "           only the real one:  mcp"
    assert "agrees     unknown flag: message  contract.md 1.5" in lines


def test_without_turns_none_is_taken_and_facts_that_need_one_say_so(tmp_path: Path, contract: Any) -> None:
    calls = tmp_path / "calls"
    ended = contract(double(tmp_path, agy_version="1.1.18", calls=str(calls)), "--json")
    assert ended.status == 0
    assert [each.conversation for each in noted_calls(calls)] == [None] * len(noted_calls(calls))
    assert noted_calls(calls)
    assert {each["why"] for each in ended.facts("not_tried").values()} == {"costs a turn, --turns makes it"}


def test_a_home_that_is_named_holds_what_the_real_agy_writes_and_nothing_else_does(
    tmp_path: Path, contract: Any, home: Path
) -> None:
    other = tmp_path / "other"
    other.mkdir()
    agy = double(tmp_path, agy_version="1.1.18")
    assert contract(agy, "--turns", "--home", str(other)).status == 0
    assert any((other / ".gemini/antigravity-cli/brain").iterdir())
    assert list(home.iterdir()) == []


def test_facts_that_need_an_account_are_not_tried_where_there_is_none(tmp_path: Path, contract: Any) -> None:
    agy = double(tmp_path, agy_version="1.1.18", switches=(("account", "signed-out"),))
    ended = contract(agy, "--turns", "--json")
    assert ended.status == 0
    untried = ended.facts("not_tried")
    assert {each["why"] for each in untried.values()} <= {"not signed in", "text turn: not signed in"}
    assert {"models: form", "text turn: exit status", "json turn: keys"} <= set(untried)


def test_an_agy_that_updates_itself_between_two_calls_is_noticed(tmp_path: Path, contract: Any) -> None:
    old = write_double(tmp_path / "old", DoubleSettings(agy_version="1.2.7"))
    new = write_double(tmp_path / "new", DoubleSettings(agy_version="1.2.9"))
    which = f"if [ -e {tmp_path}/updated ]; then agy={new}; else agy={old}; fi\n"
    agy = write_stand_in(
        tmp_path / "bin", f'{which}[ "$1" = models ] && touch {tmp_path}/updated\nexec $agy "$@"'
    )
    ended = contract(agy)
    assert ended.status == 1
    assert "it became 1.2.9 between the calls: run this again" in ended.out.splitlines()


def test_a_call_that_hangs_leaves_its_facts_untried_and_the_others_alone(tmp_path: Path, home: Path) -> None:
    calls = [replace(call, limit=0.5 if call.name == "models" else call.limit) for call in CALLS]
    agy = double(tmp_path, agy_version="1.1.18")
    slow = write_stand_in(tmp_path / "slow", f'[ "$*" = models ] && exec sleep 1000\nexec {agy} "$@"')
    found = compared(slow, {"HOME": str(home), "PATH": os.environ["PATH"]}, turns=False, calls=calls)
    untried = {each.fact.name: each.why for each in found.facts if each.verdict == "not_tried"}
    assert untried["models: form"] == "it did not end within 0.5 s"
    assert not found.differs
    assert "models as json: keys" not in untried


def test_a_version_after_the_newest_known_is_compared_with_that_and_assumed(
    tmp_path: Path, contract: Any
) -> None:
    ended = contract(double(tmp_path, agy_version="1.9.0"))
    assert ended.status == 0
    assert ended.out.splitlines()[1] == (
        "the double of 1.9.0 is assumed to behave as 1.3.3, the newest that is known"
    )


@pytest.mark.parametrize(
    ("lines", "options", "said"),
    [
        ("exit 0", (), "did not say its version; is it an agy? --agy-version V names one"),
        ("exit 0", ("--agy-version", "new"), "'new' is not a version such as 1.2.10"),
        ("exit 0", ("--home", "/no/such/folder"), "--home /no/such/folder is not a folder"),
    ],
)
def test_what_cannot_be_compared_is_a_usage_error(
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    lines: str,
    options: tuple[str, ...],
    said: str,
) -> None:
    agy = write_stand_in(tmp_path / "bin", lines)
    assert main(["contract", "--real", str(agy), *options]) == 2
    assert said in capsys.readouterr().err
