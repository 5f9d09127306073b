"""Print mode on a terminal: only the output is tapped, and all else stays the caller's."""

import json
import os
import signal
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.support.direct_or_shim import Agy, until
from tests.support.shell import Shell

Make = Callable[..., Agy]

LOOKS = """
import fcntl, json, os, sys, termios
def of(fd):
    try:
        modes = termios.tcgetattr(fd)
    except termios.error:
        return os.fstat(fd).st_mode >> 12
    modes[1] &= ~termios.OPOST
    modes[6] = [each if isinstance(each, int) else each.decode('latin-1') for each in modes[6]]
    return modes, list(os.get_terminal_size(fd))
def control():
    try:
        os.close(os.open('/dev/tty', os.O_RDWR))
    except OSError:
        return None
    return os.getsid(0), os.getpgrp() == os.tcgetpgrp(os.open('/dev/tty', os.O_RDWR))
seen = {'streams': [of(fd) for fd in (0, 1, 2)], 'tty': control()}
with open(sys.argv[1] + '.new', 'w') as file:
    json.dump(seen, file)
os.rename(sys.argv[1] + '.new', sys.argv[1])
os.write(1, b'out\\n')
os.write(2, b'err\\n')
"""
SHAPES = {
    "all three": "",
    "output a pipe": " | cat",
    "errors a file": " 2>errors",
    "output a file": " >out",
    "input null": " </dev/null",
    "input a pipe": " < <(echo)",
    "only errors": " </dev/null | cat",
    "background": " & wait",
}


def _seen(target: Agy, shape: str) -> Any:
    told = target.folder / "told"
    told.unlink(missing_ok=True)
    with Shell(target, size=(31, 77)) as shell:
        shown = shell.told("agy", "told", then=shape)
        # The shell's own pid is the session.
        seen = json.loads(told.read_text().replace(str(shell.child.pid), '"shell"'))
    return seen, sorted(line for line in shown.split("\n") if line in ("out", "err"))


@pytest.mark.parametrize("shape", SHAPES.values(), ids=SHAPES.keys())
def test_agy_finds_the_same_terminals_set_the_same_way(shim: Make, tmp_path: Path, shape: str) -> None:
    behind = shim(LOOKS)
    direct = Agy(tmp_path / "real" / "agy", tmp_path)
    assert _seen(behind, shape) == _seen(direct, shape)


def test_what_agy_writes_to_the_terminal_is_recorded_before_the_terminal_changes_it(
    shim: Make,
) -> None:
    target = shim("import os\nos.write(1, b'one\\n')\nos.write(2, b'two\\n')\nos.write(1, b'\\tthree')\n")
    with Shell(target, size=(30, 70)) as shell:
        assert "one\ntwo\n        three" in shell.told("agy", "-p", "x", then="; echo")
    assert target.recorded_bytes("m") == b"one\ntwo\n\tthree"
    start = target.journal().start
    assert start is not None
    assert (start.stdin, start.stdout, start.stderr) == ("tty", "tty", "same")
    assert (start.tty, start.terminal) == ((30, 70), "tap")


def test_one_terminal_and_one_file_are_told_apart(shim: Make, tmp_path: Path) -> None:
    target = shim("echo out\necho err >&2\n", sh=True)
    with Shell(target) as shell:
        shell.told("agy", "-p", "x", then=" 2>errors")
    assert (tmp_path / "errors").read_text() == "err\n"
    assert target.recorded_bytes("o") == b"out\n"
    start = target.journal().start
    assert start is not None
    assert (start.stdout, start.stderr) == ("tty", "file")


LINES = 20_000
GREAT = f"""
import os
left = b'0123456789abcde\\n' * {LINES}
while left:
    left = left[os.write(1, left):]
"""


def test_much_output_arrives_whole(agy: Make) -> None:
    target = agy(GREAT)
    with Shell(target) as shell:
        shell.told("agy", "-p", "x")
        assert shell.seen.count(b"0123456789abcde\r\n") == LINES
    if target.recorded:
        assert target.recorded_bytes("m") == b"0123456789abcde\n" * (LINES)


SIZES = """
import os, signal, sys
def told(*_):
    os.write(1, b'%d rows, %d columns\\n' % tuple(os.get_terminal_size(1))[::-1])
signal.signal(signal.SIGWINCH, told)
told()
while os.read(0, 1) != b'q':
    pass
"""


def test_the_size_follows_the_terminals(agy: Make) -> None:
    target = agy(SIZES)
    with Shell(target, size=(20, 60)) as shell:
        shell.run("agy", "-p", "x")
        for size in ((20, 60), (25, 90), (18, 50)):
            shell.resize(*size)
            shell.shows("{} rows, {} columns".format(*size))
        shell.type("q\r")
        shell.prompts()
    if target.recorded:
        told = [frame.payload for frame in target.journal().frames if frame.code == "w"]
        assert told == [b"25 90", b"18 50"]


COUNTS = """
import os, signal
caught = (2, 3)
signal.pthread_sigmask(signal.SIG_BLOCK, caught)
os.write(1, b'%d begins\\n' % os.getpid())
for turn in range(20):
    os.write(1, b'turn %d got %d\\n' % (turn, signal.sigwait(caught)))
again = signal.sigtimedwait(caught, 0.2)
os.write(1, b'then %a\\n' % (again,))
"""


@pytest.mark.parametrize(("key", "number"), [("\x03", signal.SIGINT), ("\x1c", signal.SIGQUIT)])
def test_a_key_is_one_signal(agy: Make, key: str, number: int) -> None:
    target = agy(COUNTS)
    with Shell(target, size=(50, 80)) as shell:
        shell.run("agy", "-p", "x")
        shell.shows("begins")
        for turn in range(20):
            shell.type(key)
            shell.shows(f"turn {turn} got {number}")
        shell.shows("then None")
        shell.prompts()


@pytest.mark.parametrize(("key", "status"), [("\x03", 130), ("\x1c", 131)])
def test_a_key_that_kills_agy_leaves_the_shell_its_status(agy: Make, key: str, status: int) -> None:
    target = agy("ulimit -c 0\necho begins\nwhile :; do sleep 0.01; done\n", sh=True)
    with Shell(target) as shell:
        shell.run("agy", "-p", "x")
        shell.shows("begins")
        shell.type(key)
        shell.prompts()
        assert f"status {status}" in shell.told("echo", then=" status $?")


STOPS = "echo begins\nread line\necho got $line\n"


def test_ctrl_z_stops_the_job_and_fg_goes_on(agy: Make) -> None:
    target = agy(STOPS, sh=True)
    with Shell(target) as shell:
        shell.run("agy", "-p", "x")
        shell.shows("begins")
        for turn in range(3):
            shell.type("\x1a")
            shell.shows_times("Stopped", turn + 1)
            shell.prompts()
            shell.resize(24, 80 + turn)
            shell.type("fg\r")
            shell.until(lambda: shell.text().split("\n")[-1].startswith("agy -p x"), "the job again")
        shell.type("hello\r")
        shell.shows("got hello")
        shell.prompts()
        assert "status 0" in shell.told("echo", then=" status $?")


def test_a_job_in_the_background_writes_on_and_stops_when_it_reads(agy: Make) -> None:
    target = agy(STOPS, sh=True)
    with Shell(target) as shell:
        shell.run("agy", "-p", "x", then=" &")
        shell.shows("begins")
        until(lambda: "Stopped" in shell.told("jobs"), "the job's stop")
        shell.run("fg")
        shell.until(lambda: shell.text().split("\n")[-1].startswith("agy -p x"), "the job again")
        shell.type("hello\r")
        shell.shows("got hello")
        shell.prompts()


ASKS = """
import os, termios
old = termios.tcgetattr(0)
new = termios.tcgetattr(0)
new[3] &= ~(termios.ICANON | termios.ECHO)
termios.tcsetattr(0, termios.TCSANOW, new)
os.write(1, b'\\x1b[6n')
answer = b''
while not answer.endswith(b'R'):
    answer += os.read(0, 1)
termios.tcsetattr(0, termios.TCSANOW, old)
os.write(1, b'answer %a\\n' % answer)
"""


def test_a_question_to_the_terminal_gets_its_answer(agy: Make) -> None:
    target = agy(ASKS)
    with Shell(target) as shell:
        shell.run("agy", "-p", "x")
        shell.writes(b"\x1b[6n")
        shell.type("\x1b[3;7R")
        shell.shows(r"answer b'\x1b[3;7R'")
        shell.prompts()
    if target.recorded:
        assert target.recorded_bytes("i") == b""


def test_a_process_left_behind_still_writes_to_the_terminal(agy: Make, tmp_path: Path) -> None:
    gate = tmp_path / "gate"
    target = agy(f"mkfifo {gate}\n(read x <{gate}; echo late) &\necho early\n", sh=True)
    with Shell(target) as shell:
        shell.told("agy", "-p", "x")
        gate.write_text("x\n")
        shell.shows("late")


def test_sigkill_on_the_shim_shows_all_that_agy_wrote(agy: Make) -> None:
    target = agy("echo begins $PPID $$\nwhile :; do sleep 0.01; done\n", sh=True)
    with Shell(target) as shell:
        shell.run("agy", "-p", "x")
        shell.shows("begins")
        parent, agys = shell.text().split("\n")[1].split()[1:]
        os.kill(int(parent if target.recorded else agys), signal.SIGKILL)
        shell.shows("Killed")
        assert "status 137" in shell.text() or "status 137" in shell.told("echo", then=" status $?")
