"""What was recorded with redactors of one's own is replayed with them."""

import subprocess
import sys
from pathlib import Path

import pytest

from fake_agy.double import write_double
from fake_agy.settings import DoubleSettings

REDACTORS = 'import re\nredactors = {"badge": re.compile(r"EMP-\\d{6}")}\n'
ASK = ("agy", "-p", "id EMP-123456")


def agy_proxy(folder: Path, *argv: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "agy_proxy", *argv]
    return subprocess.run(
        command, cwd=folder, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False
    )


@pytest.fixture
def recorded(tmp_path: Path) -> str:
    """What the recorded client printed; the cassette and the redactors lie in `tmp_path`."""
    write_double(tmp_path / "double", DoubleSettings())
    (tmp_path / "r.py").write_text(REDACTORS)
    options = ("--real", "double/agy", "--home", "temp", "--redactors", "r.py")
    ended = agy_proxy(tmp_path, "record", "a.agy.yaml", *options, "--", *ASK)
    assert ended.returncode == 0, ended.stderr
    assert "EMP-123456" not in (tmp_path / "a.agy.yaml").read_text()
    return ended.stdout


def test_a_prompt_that_an_own_redactor_found_is_recognised(tmp_path: Path, recorded: str) -> None:
    ended = agy_proxy(tmp_path, "replay", "a.agy.yaml", "--redactors", "r.py", "--", *ASK)
    assert ended.returncode == 0, ended.stderr
    assert ended.stdout == recorded.replace("EMP-123456", "REDACTED-badge-1")


def test_an_installed_player_recognises_it_too(tmp_path: Path, recorded: str) -> None:
    installed = agy_proxy(tmp_path, "install", "bin", "--replay", "a.agy.yaml", "--redactors", "r.py")
    assert installed.returncode == 0, installed.stderr
    ended = subprocess.run([tmp_path / "bin" / "agy", *ASK[1:]], capture_output=True, text=True, check=False)
    assert ended.returncode == 0, ended.stderr
    assert ended.stdout == recorded.replace("EMP-123456", "REDACTED-badge-1")


@pytest.mark.usefixtures("recorded")
@pytest.mark.parametrize("option", ["--redactors", "--matchers"])
def test_a_file_that_ends_the_program_is_refused_before_the_client_starts(
    tmp_path: Path, option: str
) -> None:
    (tmp_path / "exit.py").write_text("import sys\nsys.exit(0)\n")
    ended = agy_proxy(tmp_path, "replay", "a.agy.yaml", option, "exit.py", "--", "echo", "started")
    assert (ended.returncode, ended.stdout) == (2, "")
    assert "SystemExit: 0" in ended.stderr


@pytest.mark.parametrize("home", ["temp", "."])
def test_write_store_without_the_callers_home_is_refused(tmp_path: Path, home: str) -> None:
    ended = agy_proxy(tmp_path, "replay", "a.agy.yaml", "--write-store", "--home", home, "--", "true")
    assert ended.returncode == 2
    assert "--write-store goes with --home keep only" in ended.stderr
