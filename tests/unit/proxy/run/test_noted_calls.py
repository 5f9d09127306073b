"""The file of calls that doubles write, read back."""

import os
import subprocess
from pathlib import Path

import pytest

from agy_proxy.run.noted_calls import NotedCall, noted_calls
from fake_agy.double import write_double
from fake_agy.settings import DoubleSettings


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "calls"


def write(file: Path, *lines: tuple[object, ...]) -> None:
    file.write_text("".join(f"{line!a}\n" for line in lines), encoding="ascii")


def test_without_a_file_there_were_no_calls(file: Path) -> None:
    assert noted_calls(file) == ()


def test_calls_come_in_the_order_in_which_they_began(file: Path) -> None:
    write(
        file,
        ("began", "7-1", ["-p", "slow"]),
        ("began", "8-2", ["--version"]),
        ("ended", "8-2", None, None, False, 0),
        ("ended", "7-1", "slow", "an-id", True, 3),
    )
    assert noted_calls(file) == (
        NotedCall(("-p", "slow"), "slow", "an-id", resumed=True, exit=3),
        NotedCall(("--version",), exit=0),
    )


def test_a_call_without_an_end_has_the_prompt_of_its_arguments_and_no_exit(file: Path) -> None:
    write(file, ("began", "7-1", ["-c", "-p", "was ist ünd\udcff"]))
    (call,) = noted_calls(file)
    assert (call.prompt, call.conversation, call.exit) == ("was ist ünd\udcff", None, None)
    assert call.takes_turn


@pytest.mark.parametrize(
    ("argv", "stdin", "takes_turn"),
    [
        (["-p", "hello"], b"", True),
        ([], b"hello", True),
        (["--version"], b"", False),
        (["models"], b"", False),
        (["--no-such-flag"], b"", False),
    ],
)
def test_a_double_notes_which_of_its_calls_took_a_turn(
    tmp_path: Path, file: Path, argv: list[str], stdin: bytes, takes_turn: bool
) -> None:
    agy = write_double(tmp_path / "bin", DoubleSettings(calls=str(file)))
    subprocess.run(
        [agy, *argv], input=stdin, env={"HOME": os.environ["HOME"]}, capture_output=True, check=False
    )
    (call,) = noted_calls(file)
    assert (call.argv, call.takes_turn) == (tuple(argv), takes_turn)
    assert call.exit is not None
