"""``install`` and ``uninstall`` write and take away one file, and nothing that is not ours."""

import json
import os
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from agy_cassettes.cassette import Cassette
from agy_proxy.cli.main import main
from agy_proxy.record.journal import list_journals, lock_if_finished
from agy_proxy.shim.install import list_installs, state_folder
from fake_agy.double import is_double
from tests.support.cassettes import cassette_of
from tests.support.interactions import interaction

AGY = '#!/bin/sh\nif [ "$1" = --version ]; then echo 1.2.10; else echo "real: $2"; fi\n'


@pytest.fixture
def real(tmp_path: Path) -> Path:
    folder = tmp_path / "real"
    folder.mkdir()
    (folder / "agy").write_text(AGY)
    (folder / "agy").chmod(0o755)
    return folder / "agy"


def ask(agy: Path, prompt: str) -> subprocess.CompletedProcess[str]:
    """Calls agy as a client would that filters the environment."""
    env = {"PATH": "/usr/bin:/bin", "HOME": str(agy.parent)}
    return subprocess.run(
        [agy, "-p", prompt], env=env, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False
    )


def prompts(cassette: Path) -> list[object]:
    return [each.request.prompt for each in Cassette.open(cassette).interactions()]


def until(holds: Callable[[], bool]) -> bool:
    """Whether it comes to hold: the finisher works in the background."""
    deadline = time.monotonic() + 30
    while not holds() and time.monotonic() < deadline:
        time.sleep(0.02)
    return holds()


def taken(journal: Path) -> int:
    """The journal's only lock, once its shim and finisher are done with it."""
    deadline = time.monotonic() + 30
    while (fd := lock_if_finished(journal)) is None:
        assert time.monotonic() < deadline
        time.sleep(0.02)
    return fd


def test_an_installed_recorder_records_and_uninstall_saves_the_rest(
    tmp_path: Path, real: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder, cassette = tmp_path / "bin", tmp_path / "a.agy.yaml"
    assert main(["install", str(folder), "--record", str(cassette), "--real", str(real)]) == 0
    assert capsys.readouterr().out == f"{folder / 'agy'} records into {cassette}\n"
    ended = ask(folder / "agy", "one")
    assert (ended.returncode, ended.stdout, ended.stderr) == (0, "real: one\n", "")
    assert main(["uninstall", str(folder)]) == 0
    assert capsys.readouterr().out == f"{folder / 'agy'} is taken away\n"
    assert not (folder / "agy").exists()
    assert until(lambda: prompts(cassette) == ["one"])


def test_a_call_is_saved_in_the_background(tmp_path: Path, real: Path) -> None:
    folder, cassette = tmp_path / "bin", tmp_path / "a.agy.yaml"
    main(["install", str(folder), "--record", str(cassette), "--real", str(real)])
    ask(folder / "agy", "one")
    assert until(lambda: cassette.exists() and prompts(cassette) == ["one"])


def test_sync_tells_what_it_saved(tmp_path: Path, real: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder, cassette = tmp_path / "bin", tmp_path / "a.agy.yaml"
    main(["install", str(folder), "--record", str(cassette), "--real", str(real)])
    capsys.readouterr()
    assert main(["sync", "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == {
        "version": 1,
        "installs": [
            {"agy": str(folder / "agy"), "cassette": str(cassette), "saved": 0, "troubles": []},
        ],
    }


def test_what_cannot_be_saved_is_told_with_status_1_and_costs_no_other_install(
    tmp_path: Path, real: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    cassettes = {name: tmp_path / f"{name}.agy.yaml" for name in ("a", "b", "c")}
    redactors = tmp_path / "r.py"
    redactors.write_text('import re\nredactors = {"badge": re.compile("EMP")}')
    for name, cassette in cassettes.items():
        extra = ["--redactors", str(redactors)] if name == "a" else []
        main(["install", str(tmp_path / name), "--record", str(cassette), "--real", str(real), *extra])
    redactors.unlink()
    cassettes["b"].mkdir()
    for name in cassettes:
        ask(tmp_path / name / "agy", "one")
    assert until(lambda: cassettes["c"].exists() and prompts(cassettes["c"]) == ["one"])
    capsys.readouterr()
    assert main(["sync", "--json"]) == 1
    told = json.loads(capsys.readouterr().out)["installs"]
    assert [bool(each["troubles"]) for each in told] == [True, True, False]
    assert main(["sync", str(tmp_path / "c")]) == 0
    assert main(["uninstall", str(tmp_path / "b")]) == 1


def test_sync_waits_for_a_finisher_and_tells_what_it_could_not_save(
    tmp_path: Path, real: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    folder, cassette = tmp_path / "bin", tmp_path / "a.agy.yaml"
    main(["install", str(folder), "--record", str(cassette), "--real", str(real)])
    cassette.mkdir()
    ask(folder / "agy", "one")
    (install,) = list_installs(os.environ)
    (journal,) = list_journals(state_folder(os.environ).journals(install.id))
    finishers = [taken(journal)]

    def await_its_end(_journal: Path) -> bool:
        os.close(finishers.pop())
        return True

    monkeypatch.setattr("agy_proxy.run.installed.await_finisher", await_its_end)
    capsys.readouterr()
    assert main(["sync", "--json"]) == 1
    (told,) = json.loads(capsys.readouterr().out)["installs"]
    assert told["troubles"]
    assert not finishers


def test_sync_without_an_install_says_so(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["sync"]) == 0
    assert capsys.readouterr().out == "no shim that records is installed\n"
    assert main(["sync", str(tmp_path)]) == 2
    assert "nothing that records is installed" in capsys.readouterr().err


def test_an_installed_player_answers_once_each_and_then_refuses(tmp_path: Path) -> None:
    cassette = cassette_of(
        tmp_path / "a.agy.yaml",
        [interaction(prompt="one", stdout=b"answer\n", timing=[(1, "o", 7), (1, "x", 1)])],
    )
    folder = tmp_path / "bin"
    assert main(["install", str(folder), "--replay", str(cassette)]) == 0
    assert ask(folder / "agy", "one").stdout == "answer\n"
    used_up = ask(folder / "agy", "one")
    assert (used_up.returncode, used_up.stdout) == (125, "")
    assert main(["install", str(folder), "--replay", str(cassette)]) == 0
    assert ask(folder / "agy", "one").stdout == "answer\n"


def test_an_installed_player_answers_from_a_cassette_that_has_changed(tmp_path: Path) -> None:
    cassette = cassette_of(tmp_path / "a.agy.yaml", [interaction(prompt="one")])
    folder = tmp_path / "bin"
    main(["install", str(folder), "--replay", str(cassette), "--speed", "max"])
    cassette_of(cassette, [interaction("01J0-2", prompt="two", stdout=b"second\n")])
    assert ask(folder / "agy", "two").stdout == "second\n"


def test_the_double_is_written_as_it_is_and_taken_away(tmp_path: Path) -> None:
    folder = tmp_path / "bin"
    assert main(["install", str(folder), "--fake", "--agy-version", "1.1.5"]) == 0
    assert is_double(folder / "agy")
    version = subprocess.run([folder / "agy", "--version"], capture_output=True, text=True, check=True)
    assert version.stdout == "1.1.5\n"
    assert main(["uninstall", str(folder)]) == 0
    assert not (folder / "agy").exists()


def test_a_passage_only_calls_the_real_agy(tmp_path: Path, real: Path) -> None:
    folder = tmp_path / "bin"
    assert main(["install", str(folder), "--passthrough", "--real", str(real)]) == 0
    assert ask(folder / "agy", "one").stdout == "real: one\n"


def test_an_agy_that_is_not_ours_is_left_alone(real: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for argv in (["install", str(real.parent), "--passthrough"], ["uninstall", str(real.parent)]):
        assert main(argv) == 2
        assert "not a shim of agy-proxy" in capsys.readouterr().err
    assert main(["install", str(real.parent), "--fake"]) == 2
    assert real.read_text() == AGY


@pytest.mark.parametrize("kind", [["--fake"], ["--passthrough"]])
def test_folders_that_install_made_go_with_what_is_taken_away(tmp_path: Path, kind: list[str]) -> None:
    folder = tmp_path / "a" / "bin"
    for _ in range(2):
        assert main(["install", str(folder), *kind]) == 0
    assert main(["uninstall", str(folder)]) == 0
    assert list(tmp_path.iterdir()) == []
    (tmp_path / "there").mkdir()
    main(["install", str(tmp_path / "there"), *kind])
    main(["uninstall", str(tmp_path / "there")])
    assert list(tmp_path.iterdir()) == [tmp_path / "there"]


@pytest.mark.parametrize("kind", ["--fake", "--passthrough"])
@pytest.mark.parametrize(
    ("folder", "told"),
    [
        ("file", "file is a file; name a folder"),
        ("holder", "holder/agy is not a "),
        (
            "/proc/x",
            "the folder /proc/x can't be made: no such file or directory; name one that you may write to",
        ),
    ],
)
def test_a_place_where_nothing_can_be_installed_is_told_with_what_to_do(
    tmp_path: Path, kind: str, folder: str, told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "file").write_text("")
    (tmp_path / "holder" / "agy").mkdir(parents=True)
    assert main(["install", str(tmp_path / folder), kind]) == 2
    assert told in capsys.readouterr().err


@pytest.mark.parametrize(
    ("argv", "told"),
    [
        ([], "give one of --record CASSETTE, --replay CASSETTE, --fake and --passthrough"),
        (["--fake", "--passthrough"], "give one of"),
        (["--fake", "--mode", "once"], "--mode does not go with --fake"),
        (["--passthrough", "--keep-journals"], "--keep-journals does not go with --passthrough"),
        (["--record", "a", "--seed", "2"], "--seed does not go with --record"),
        (["--record", "a", "--keep", "some"], "--keep 'some' is not understood"),
        (["--record", "a", "--redact", "off", "--redactors", "r.py"], "contradict each other"),
        (["--replay", "none.agy.yaml"], "no such cassette"),
        (["--fake", "--redactors", "r.py"], "--redactors does not go with --fake"),
        (["--replay", "none.agy.yaml", "--speed", "fast"], "'fast' is no number above 0 and not max"),
        (["--fake", "--home", "none"], "is not a folder"),
    ],
)
def test_what_does_not_go_together_is_refused_and_nothing_is_written(
    tmp_path: Path,
    argv: list[str],
    told: str,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["install", "bin", *argv]) == 2
    assert told in capsys.readouterr().err
    assert not (tmp_path / "bin" / "agy").exists()


def test_the_json_names_what_was_written(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder, cassette = tmp_path / "bin", tmp_path / "a.agy.yaml"
    assert main(["install", str(folder), "--record", str(cassette), "--keep", "last=3", "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == {
        "version": 1,
        "agy": str(folder / "agy"),
        "verb": "record",
        "cassette": str(cassette),
    }
    assert main(["uninstall", str(folder), "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == {"version": 1, "removed": str(folder / "agy")}
    assert list_installs({"XDG_STATE_HOME": str(tmp_path / "none"), "HOME": "/"}) == ()


def test_an_installed_recorder_keeps_no_more_than_it_should(tmp_path: Path, real: Path) -> None:
    folder, cassette = tmp_path / "bin", tmp_path / "a.agy.yaml"
    cassette_of(cassette, [interaction("01J0-1", prompt="zero")])
    main(["install", str(folder), "--record", str(cassette), "--real", str(real), "--keep", "last=1"])
    ask(folder / "agy", "one")
    assert until(lambda: prompts(cassette) == ["one"])
