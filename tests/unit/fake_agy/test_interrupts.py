"""Signals in a process of its own, since handlers are the whole process's."""

import os
import select
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import fake_agy

PACKAGE = Path(fake_agy.__file__).parents[1]
HEAD = f"""
import os, sys
sys.path.insert(0, {str(PACKAGE)!r})
from fake_agy.interrupts import Interrupted, Interrupts
interrupts = Interrupts()
interrupts.install()
"""


def started(program: str, **streams: Any) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-IS", "-c", HEAD + program]
    process: subprocess.Popen[bytes] = subprocess.Popen(command, stderr=subprocess.PIPE, **streams)
    return process


def said(process: subprocess.Popen[bytes]) -> bytes:
    assert process.stderr is not None
    assert select.select([process.stderr], [], [], 60)[0]
    return os.read(process.stderr.fileno(), 1 << 16)


@pytest.mark.parametrize(
    "waiting",
    [
        "interrupts.sleep(None)",
        "interrupts.sleep(600)",
        "interrupts.read(0)",
        "interrupts.write(1, b'x' * (1 << 20))",
        "interrupts.until((0,))",
    ],
)
def test_every_wait_takes_a_signal_at_once(waiting: str) -> None:
    program = f"""
os.write(2, b"waiting")
try:
    {waiting}
except Interrupted as interrupted:
    os.write(2, f"took {{interrupted.number}}".encode())
"""
    process = started(program, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert said(process) == b"waiting"
    process.send_signal(signal.SIGTERM)
    assert said(process) == b"took 15"
    process.communicate()


def test_nothing_but_a_wait_takes_one() -> None:
    program = """
os.write(2, b"busy")
while not interrupts._noted:
    pass
os.write(2, b"done")
try:
    interrupts.take()
except Interrupted:
    os.write(2, b"took")
"""
    process = started(program)
    assert said(process) == b"busy"
    process.send_signal(signal.SIGINT)
    process.wait(timeout=60)
    assert process.communicate()[1] == b"donetook"


def test_an_ignored_signal_leaves_the_wait_as_it_was() -> None:
    program = """
interrupts.ignores = lambda number: number == 2
os.write(2, b"waiting")
try:
    interrupts.sleep(None)
except Interrupted as interrupted:
    os.write(2, f"took {interrupted.number}".encode())
"""
    process = started(program)
    assert said(process) == b"waiting"
    process.send_signal(signal.SIGINT)
    process.send_signal(signal.SIGTERM)
    process.wait(timeout=60)
    assert process.communicate()[1] == b"took 15"


def test_what_nobody_takes_is_given_up() -> None:
    with Path("/dev/full").open("wb") as full:
        process = started("interrupts.write(1, b'x' * 9000); os.write(2, b'on')", stdout=full.fileno())
    assert process.communicate()[1] == b"on"


def test_a_pipe_that_the_caller_made_non_blocking_gets_everything() -> None:
    reader, writer = os.pipe()
    os.set_blocking(writer, False)
    process = started("interrupts.write(1, bytes(range(256)) * 4096)", stdout=writer)
    os.close(writer)
    with os.fdopen(reader, "rb") as file:
        assert file.read() == bytes(range(256)) * 4096
    assert process.communicate()[1] == b""
