"""However a command ends, it is a status and at most one line."""

import os
import subprocess
import sys
from pathlib import Path

import click
import pytest

from agy_cassettes.errors import CassetteError, UserError
from agy_proxy.cli import entry
from tests.support.cassettes import cassette_of
from tests.support.interactions import interaction


def command_that_raises(error: BaseException) -> click.Command:
    @click.command
    def command() -> None:
        raise error

    return command


FAULT = "a fault of tool itself: ValueError: x; AGY_PROXY_TRACEBACK=1 shows where"
ENDS = [
    (UserError("no client was given"), 2, "tool: no client was given\n"),
    (UserError("the client was not found", status=127), 127, "tool: the client was not found\n"),
    (CassetteError("a.agy.yaml", "it is torn", line=1), 2, "tool: a.agy.yaml:1: it is torn\n"),
    (UserError("no \x1b[31mred"), 2, "tool: no \\x1b[31mred\n"),
    (click.UsageError("No such option '--fats'."), 2, "tool: no such option '--fats'; see tool --help\n"),
    (click.FileError("a.txt", "Is a directory."), 1, "tool: could not open file 'a.txt': Is a directory\n"),
    (
        PermissionError(13, "Permission denied", "/x/y"),
        2,
        "tool: /x/y: permission denied; check who may read and write there\n",
    ),
    (OSError(28, "No space left on device"), 2, "tool: no space left on device; make room there\n"),
    (UserError("boom\nx"), 2, "tool: boom x\n"),
    (KeyboardInterrupt(), 130, ""),
    (click.Abort(), 130, ""),
    (BrokenPipeError(32, "Broken pipe"), 141, ""),
    (ValueError("x"), 125, f"tool: {FAULT}\n"),
]


@pytest.mark.parametrize(("error", "status", "told"), ENDS, ids=lambda value: type(value).__name__)
def test_every_end_has_its_status_and_one_line(
    error: BaseException,
    status: int,
    told: str,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(entry, "silence", lambda _stream: None)
    assert entry.run(command_that_raises(error), [], name="tool") == status
    captured = capsys.readouterr()
    assert (captured.out, captured.err) == ("", told)


@pytest.mark.parametrize(("returned", "status"), [(None, 0), (0, 0), (1, 1), (125, 125)])
def test_what_a_verb_returns_is_the_status(returned: int | None, status: int) -> None:
    @click.command
    def command() -> int | None:
        return returned

    assert entry.run(command, [], name="tool") == status


def test_a_verb_may_end_the_process_itself() -> None:
    with pytest.raises(SystemExit) as ended:
        entry.run(command_that_raises(SystemExit(7)), [], name="tool")
    assert ended.value.code == 7


def test_a_secret_in_a_message_is_not_printed(capsys: pytest.CaptureFixture[str]) -> None:
    secret = "ghp_" + "a1B2" * 9
    entry.run(command_that_raises(UserError(f"can't read {secret}")), [], name="tool")
    assert secret not in capsys.readouterr().err


def test_a_path_at_home_does_not_name_the_user(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", "/home/zaphodb")
    told = UserError("/home/zaphodb/a.agy.yaml differs from /home/trillianm/a.agy.yaml")
    entry.run(command_that_raises(told), [], name="tool")
    assert capsys.readouterr().err == ("tool: ~/a.agy.yaml differs from /home/REDACTED-user-0/a.agy.yaml\n")


def agy_proxy(*argv: str, stdout: int = subprocess.PIPE, **env: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "agy_proxy", *argv]
    return subprocess.run(
        command, stdout=stdout, stderr=subprocess.PIPE, text=True, env={**os.environ, **env}, check=False
    )


def test_help_lists_every_verb_with_what_it_does() -> None:
    ended = agy_proxy("--help")
    assert (ended.returncode, ended.stderr) == (0, "")
    assert "record" in ended.stdout
    assert "Tell whether cassettes are whole and unedited." in ended.stdout


def test_without_a_verb_the_help_is_on_stderr_with_status_2() -> None:
    ended = agy_proxy()
    assert (ended.returncode, ended.stdout) == (2, "")
    assert ended.stderr.startswith("Usage: agy-proxy")


@pytest.mark.parametrize(
    ("argv", "told"),
    [
        (["recrod"], "agy-proxy: no such command 'recrod'"),
        (["verify"], "agy-proxy: missing argument 'CASSETTE...'; see agy-proxy verify --help\n"),
        (["merge", "--git"], "agy-proxy: option '--git' requires an argument; see agy-proxy merge --help\n"),
        (["verify", "--fast", "x"], "agy-proxy: no such option '--fast'"),
    ],
)
def test_a_usage_error_is_one_line_with_status_2(argv: list[str], told: str) -> None:
    ended = agy_proxy(*argv)
    assert (ended.returncode, ended.stdout) == (2, "")
    assert ended.stderr.startswith(told)
    assert ended.stderr.count("\n") == 1


def test_a_reader_that_goes_away_is_no_error() -> None:
    reading, writing = os.pipe()
    os.close(reading)
    try:
        ended = agy_proxy("--help", stdout=writing)
    finally:
        os.close(writing)
    assert (ended.returncode, ended.stderr) == (141, "")


def test_starting_a_verb_imports_no_other_verb(tmp_path: Path) -> None:
    program = (
        "import sys; from agy_proxy.cli.main import main\n"
        "main(['verify', '--help'])\n"
        "print(sorted(name for name in sys.modules if name.startswith('agy_proxy.cli.')))"
    )
    command = [sys.executable, "-c", program]
    ended = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True)
    assert ended.stdout.splitlines()[-1] == str(
        [f"agy_proxy.cli.{name}" for name in ("entry", "main", "page", "verify")]
    )


def test_a_shell_can_complete_the_verbs() -> None:
    ended = agy_proxy(_AGY_PROXY_COMPLETE="bash_complete", COMP_WORDS="agy-proxy ver", COMP_CWORD="1")
    assert (ended.returncode, ended.stdout, ended.stderr) == (0, "plain,verify\n", "")


CLOSED = [
    ("--help", ">&-"),
    ("show", ">&-"),
    ("show --json", ">&-"),
    ("verify", ">&-"),
    ("scan --json", ">&-"),
    ("sync", ">&-"),
    ("doctor", "<&- >&- 2>&-"),
]


@pytest.mark.parametrize(("asked", "closed"), CLOSED)
def test_a_closed_stream_is_no_fault(tmp_path: Path, asked: str, closed: str) -> None:
    cassette = cassette_of(tmp_path / "a.agy.yaml", [interaction()])
    verb, *options = asked.split()
    paths = [str(cassette)] if verb in {"show", "verify", "scan"} else []
    command = ["/bin/sh", "-c", f'exec "$0" -m agy_proxy "$@" {closed}', sys.executable, verb, *options]
    ended = subprocess.run([*command, *paths], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert (ended.returncode, ended.stderr) == (0, "")


def test_an_error_with_stderr_closed_still_has_its_status() -> None:
    command = ["/bin/sh", "-c", 'exec "$0" -m agy_proxy show none.agy.yaml 2>&-', sys.executable]
    assert subprocess.run(command, capture_output=True, check=False).returncode == 2


def test_a_working_directory_that_is_gone_is_named(tmp_path: Path) -> None:
    gone = tmp_path / "gone"
    gone.mkdir()
    script = 'cd "$1" && rmdir "$1" && exec "$0" -m agy_proxy install bin --fake'
    ended = subprocess.run(
        ["/bin/sh", "-c", script, sys.executable, str(gone)], capture_output=True, text=True, check=False
    )
    assert ended.returncode == 2
    assert ended.stderr == "agy-proxy: the working directory is gone; change to a folder that is there\n"
