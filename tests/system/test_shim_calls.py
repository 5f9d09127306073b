"""How many system calls a recorded call makes, counted by strace."""

import os
import re
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from agy_proxy.shim.script import interpreter
from tests.support.direct_or_shim import Agy, none_left, shim_before

BUDGET = 450 - 246
"""A recorded call makes at most 450, measured where `python -IS -c pass` alone makes 246."""

ECHO = Path("/bin/echo")


@pytest.fixture(autouse=True)
def nothing_left(tmp_path: Path) -> Iterator[None]:
    yield from none_left(tmp_path)


@pytest.fixture
def shim(tmp_path: Path) -> Agy:
    return shim_before(ECHO, tmp_path)


def calls(tmp_path: Path, *command: Path | str) -> list[str]:
    """The system calls of a command and of all it starts, one name each."""
    log = tmp_path / "calls"
    traced = ["strace", "-f", "-o", log, *command]
    subprocess.run(traced, stdin=subprocess.DEVNULL, capture_output=True, check=True)
    lines = log.read_text(errors="replace").splitlines()
    return [found[1] for line in lines if (found := re.match(r"\d+ +(\w+)\(", line))]


def test_a_recorded_call_keeps_to_its_budget_of_system_calls(shim: Agy, tmp_path: Path) -> None:
    bare = len(calls(tmp_path, interpreter(), "-IS", "-c", "pass"))
    agy = len(calls(tmp_path, ECHO, "-p", "x"))
    whole = len(calls(tmp_path, shim.path, "-p", "x"))
    print(f"system calls: {whole} in all, {bare} of a bare interpreter, {agy} of agy")
    assert whole - bare - agy <= BUDGET


def test_a_chunk_is_one_write_to_the_caller_and_one_to_the_journal(shim: Agy, tmp_path: Path) -> None:
    log = tmp_path / "calls"
    lines = "i=0; while [ $i -lt 50 ]; do echo $i; read -r _ <&3; i=$((i+1)); done"
    assert shim.settings is not None
    real = tmp_path / "chatty"
    real.write_text(f"#!/bin/sh\nexec 3<{tmp_path / 'gate'}\n{lines}\n")
    real.chmod(0o755)
    os.mkfifo(tmp_path / "gate")
    target = shim.with_settings(real=real)
    traced = ["strace", "-f", "-e", "trace=write,writev", "-o", str(log), str(target.path), "-p", "x"]
    with subprocess.Popen(traced, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE) as running:
        assert running.stdout is not None
        with (tmp_path / "gate").open("wb", buffering=0) as gate:
            for number in range(50):
                assert running.stdout.readline() == b"%d\n" % number
                gate.write(b"\n")
    made = log.read_text()
    chunks = [frame for frame in target.journal().frames if frame.code == "o"]
    assert len(chunks) == 50
    assert len(re.findall(r"writev\(\d+, \[\{iov_base=\"o ", made)) == 50
    # Each line is written by agy itself and by the pump.
    assert len(re.findall(r" write\(1, \"\d+\\n\"", made)) == 100
