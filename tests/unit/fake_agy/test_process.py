"""The double as a process: its streams, its end, and the line it leaves in the file of calls."""

import ast
import os
import signal
import subprocess
from pathlib import Path
from typing import Any

import pytest

from fake_agy.process import stream_kind
from fake_agy.settings import DoubleSettings
from tests.support.double import Double, make_double


def counted(folder: Path, settings: DoubleSettings | None = None) -> tuple[Double, Path]:
    calls = folder / "calls"
    return make_double(folder, (settings or DoubleSettings())._replace(calls=str(calls))), calls


def lines(calls: Path) -> list[tuple[Any, ...]]:
    return [ast.literal_eval(line) for line in calls.read_text().splitlines()]


def test_a_call_is_counted_when_it_begins_and_when_it_ends(tmp_path: Path) -> None:
    double, calls = counted(tmp_path)
    double.call("-p", "grüß")
    double.call("-c", "-p", "again")
    conversation = double.last_conversation()
    first, ended, second, again = lines(calls)

    assert (first[0], first[2]) == ("began", ["-p", "grüß"])
    assert ended == ("ended", first[1], "grüß", conversation, False, 0)
    assert again == ("ended", second[1], "again", conversation, True, 0)
    assert first[1].split("-")[0].isdigit()
    assert first[1] != second[1]


def test_a_call_without_a_turn_has_no_prompt_and_no_conversation(tmp_path: Path) -> None:
    double, calls = counted(tmp_path)
    double.call("--version")
    double.call("--no-such-flag")

    assert [line[2:] for line in lines(calls) if line[0] == "ended"] == [
        (None, None, False, 0),
        (None, None, False, 2),
    ]


def test_a_call_that_is_killed_never_ends(tmp_path: Path) -> None:
    double, calls = counted(tmp_path, DoubleSettings(turns=((("hang", {}),),)))
    process = subprocess.Popen(**double.command("-p", "x"), stdin=subprocess.DEVNULL)
    while not double.prompts():
        assert process.poll() is None
    process.kill()
    process.wait()

    assert [line[0] for line in lines(calls)] == ["began"]


def test_a_file_of_calls_that_can_not_be_written_is_one_line_and_125(tmp_path: Path) -> None:
    double = make_double(tmp_path, DoubleSettings(calls="/nowhere/calls"))
    called = double.call("-p", "x")

    assert (called.code, called.out) == (125, "")
    assert called.err.startswith("fake-agy: ")
    assert called.err.count("\n") == 1


def test_a_stream_is_a_terminal_a_device_a_pipe_or_a_file(tmp_path: Path) -> None:
    leader, follower = os.openpty()
    reader, writer = os.pipe()
    (tmp_path / "file").write_text("")
    file, null = os.open(tmp_path / "file", os.O_RDONLY), os.open("/dev/null", os.O_RDONLY)
    kinds = [stream_kind(each) for each in (follower, null, reader, file)]
    for each in (leader, follower, reader, writer, file, null):
        os.close(each)

    assert kinds == ["terminal", "device", "pipe", "file"]


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_while_it_waits_for_its_prompt_ends_it(tmp_path: Path, number: signal.Signals) -> None:
    double, calls = counted(tmp_path)
    process = subprocess.Popen(**double.command(), stdin=subprocess.PIPE, stderr=subprocess.PIPE)
    while not calls.exists():
        assert process.poll() is None
    process.send_signal(number)

    assert process.wait(timeout=60) == 1
    assert process.communicate() == (None, b"")
