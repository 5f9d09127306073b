"""A session on a terminal: agy has one of its own, and who sits at the caller's one sees no difference."""

import json
import os
import signal
import termios
from collections.abc import Callable
from pathlib import Path
from typing import Any

import psutil
import pytest

from tests.support.direct_or_shim import Agy, gone, until
from tests.support.shell import OnTerminal, Shell

Make = Callable[..., Agy]

SIZES = """
import os, signal
def told(*_):
    os.write(1, b'%d rows, %d columns\\n' % tuple(os.get_terminal_size(0))[::-1])
signal.signal(signal.SIGWINCH, told)
told()
while os.read(0, 1) != b'q':
    pass
"""


def test_the_size_follows_the_terminals_twice(agy: Make) -> None:
    target = agy(SIZES)
    with Shell(target, size=(20, 60)) as shell:
        shell.run("agy")
        for size in ((20, 60), (25, 90), (18, 50)):
            shell.resize(*size)
            shell.shows("{} rows, {} columns".format(*size))
        shell.type("q\r")
        shell.prompts()
    if target.recorded:
        told = [frame.payload for frame in target.journal().frames if frame.code == "w"]
        assert told == [b"25 90", b"18 50"]
        start = target.journal().start
        assert start is not None
        assert (start.tty, start.terminal) == ((20, 60), "session")
        assert target.recorded_bytes("i") == b"q\r"


LOOKS = """
import json, os, termios
def of(fd):
    modes = termios.tcgetattr(fd)
    modes[6] = [each if isinstance(each, int) else each.decode('latin-1') for each in modes[6]]
    return modes, list(os.get_terminal_size(fd)), os.ttyname(fd) == os.ttyname(0)
tty = os.open('/dev/tty', os.O_RDWR)
seen = [of(0), of(1), of(2), os.getpgrp() == os.tcgetpgrp(tty), os.getpgrp() == os.getpid()]
with open('told.new', 'w') as file:
    json.dump(seen, file)
os.rename('told.new', 'told')
"""


def test_agy_finds_a_terminal_set_the_same_way(shim: Make, tmp_path: Path) -> None:
    behind = shim(LOOKS)
    seen: list[Any] = []
    for target in (behind, Agy(tmp_path / "real" / "agy", tmp_path)):
        with Shell(target, size=(31, 77)) as shell:
            shell.told("stty", "-echoctl", "-ixon", "tostop")
            shell.told("agy")
        seen.append(json.loads((tmp_path / "told").read_text()))
    assert seen[0] == seen[1]


COUNTS = """
import os, signal
caught = (2, 3, 20)
signal.pthread_sigmask(signal.SIG_BLOCK, caught)
os.write(1, b'begins\\n')
for turn in range(20):
    os.write(1, b'turn %d got %d\\n' % (turn, signal.sigwait(caught)))
again = signal.sigtimedwait(caught, 0.2)
os.write(1, b'then %a\\n' % (again,))
"""


@pytest.mark.parametrize(
    ("key", "number"), [("\x03", signal.SIGINT), ("\x1c", signal.SIGQUIT), ("\x1a", signal.SIGTSTP)]
)
def test_a_key_is_one_signal(agy: Make, key: str, number: int) -> None:
    target = agy(COUNTS)
    with Shell(target, size=(50, 80)) as shell:
        shell.run("agy")
        shell.shows("begins")
        for turn in range(20):
            shell.type(key)
            shell.shows(f"turn {turn} got {int(number)}")
        shell.shows("then None")
        shell.prompts()


@pytest.mark.parametrize(("key", "status"), [("\x03", 130), ("\x1c", 131)])
def test_a_key_that_kills_agy_leaves_the_shell_its_status(agy: Make, key: str, status: int) -> None:
    target = agy("ulimit -c 0\necho begins\nwhile :; do sleep 0.01; done\n", sh=True)
    with Shell(target) as shell:
        shell.run("agy")
        shell.shows("begins")
        shell.type(key)
        shell.prompts()
        assert f"status {status}" in shell.told("echo", then=" status $?")


RAW = """
import os, signal, termios, tty
old = termios.tcgetattr(0)
def stop():
    termios.tcsetattr(0, termios.TCSANOW, old)
    os.write(1, b'stops\\r\\n')
    os.kill(0, signal.SIGTSTP)
    raw()
def raw():
    new = termios.tcgetattr(0)
    new[0] &= ~(termios.ICRNL | termios.IXON)
    new[1] &= ~termios.OPOST
    new[3] &= ~(termios.ICANON | termios.ECHO | termios.ISIG)
    termios.tcsetattr(0, termios.TCSANOW, new)
    os.write(1, b'begins\\r\\n')
raw()
while True:
    key = os.read(0, 1)
    if key == b'\\x1a':
        stop()
    elif key == b'q':
        break
    else:
        os.write(1, b'key %a\\r\\n' % key)
termios.tcsetattr(0, termios.TCSANOW, old)
"""


def test_keys_come_to_a_program_that_sets_its_terminal_raw(agy: Make) -> None:
    target = agy(RAW)
    with Shell(target) as shell:
        shell.run("agy")
        shell.shows("begins")
        for key in "\x03\x1c\x04\r\n\x11\x13\x16a\x7f":
            shell.type(key)
            shell.shows(f"key {key.encode()!a}")
        shell.type("q")
        shell.prompts()
        assert "status 0" in shell.told("echo", then=" status $?")


def test_a_program_that_stops_itself_stops_the_job_and_fg_goes_on(agy: Make) -> None:
    target = agy(RAW)
    with Shell(target) as shell:
        shell.run("agy")
        for turn in range(3):
            shell.shows_times("begins", turn + 1)
            shell.type("\x1a")
            shell.shows_times("Stopped", turn + 1)
            shell.prompts()
            shell.type("fg\r")
        shell.shows_times("begins", 4)
        shell.type("a")
        shell.shows("key b'a'")
        shell.type("q")
        shell.prompts()


@pytest.mark.parametrize("again", ["bg", "kill -CONT %1"])
def test_a_session_that_goes_on_in_the_background_stops_again(agy: Make, again: str) -> None:
    target = agy(RAW)
    with Shell(target) as shell:
        shell.run("agy")
        shell.shows("begins")
        shell.type("\x1a")
        shell.shows("Stopped")
        shell.prompts()
        shell.told("eval", again)
        until(lambda: "Stopped (tty output)" in shell.told("jobs", "-l"), "another stop")
        shell.type("fg\r")
        shell.shows("begins")
        shell.type("q")
        shell.prompts()


def test_a_session_that_begins_in_the_background_waits_for_the_foreground(agy: Make) -> None:
    target = agy(RAW)
    with Shell(target) as shell:
        shell.run("agy", then=" &")
        until(lambda: "Stopped (tty output)" in shell.told("jobs", "-l"), "the stop")
        shell.type("fg\r")
        shell.shows("begins")
        shell.type("q")
        shell.prompts()


LINES = "echo begins\nwhile read line; do echo got $line; done\necho end\n"


def test_ctrl_z_stops_the_job_and_fg_goes_on(agy: Make) -> None:
    target = agy(LINES, sh=True)
    with Shell(target) as shell:
        shell.run("agy")
        shell.shows("begins")
        for turn in range(3):
            shell.type("\x1a")
            shell.shows_times("Stopped", turn + 1)
            shell.prompts()
            shell.type("fg\r")
            shell.until(lambda: shell.text().split("\n")[-1] == "agy", "the job again")
            shell.type(f"turn {turn}\r")
            shell.shows(f"got turn {turn}")
        shell.type("\x04")
        shell.shows("end")
        shell.prompts()
        assert "status 0" in shell.told("echo", then=" status $?")


def test_ctrl_z_stops_all_of_the_job(agy: Make) -> None:
    target = agy(LINES, sh=True)
    with Shell(target) as shell:
        shell.run("sh", "-c", "agy; echo then")
        shell.shows("begins")
        shell.type("\x1a")
        shell.shows("Stopped")
        shell.prompts()
        shell.type("fg\r")
        shell.until(lambda: shell.text().split("\n")[-1].startswith("sh -c"), "the job again")
        shell.type("\x04")
        shell.shows("then")
        shell.prompts()


def test_what_is_typed_while_the_shim_is_stopped_is_the_shells(shim: Make) -> None:
    target = shim(LINES, sh=True)
    with Shell(target) as shell:
        shell.run("agy")
        shell.shows("begins")
        job = psutil.Process(shell.child.pid).children()[0]
        job.send_signal(signal.SIGSTOP)
        shell.shows("Stopped")
        shell.prompts()
        assert "mine" in shell.told("echo", "mine").split("\n")
        shell.type("fg\r")
        shell.until(lambda: shell.text().split("\n")[-1] == "agy", "the job again")
        shell.type("again\r")
        shell.shows("got again")
        shell.type("\x04")
        shell.prompts()
    assert target.recorded_bytes("i") == b"again\r\x04"


ASKS = """
import os, termios
old = termios.tcgetattr(0)
new = termios.tcgetattr(0)
new[3] &= ~(termios.ICANON | termios.ECHO)
termios.tcsetattr(0, termios.TCSANOW, new)
os.write(1, b'\\x1b[6n\\x1b]11;?\\x07')
answer = b''
while not answer.endswith(b'!'):
    answer += os.read(0, 1)
termios.tcsetattr(0, termios.TCSANOW, old)
os.write(1, b'answer %a\\n' % answer)
"""


def test_questions_to_the_terminal_and_its_answers_pass(agy: Make) -> None:
    target = agy(ASKS)
    with Shell(target) as shell:
        shell.run("agy")
        shell.writes(b"\x1b[6n\x1b]11;?\x07")
        shell.type("\x1b[3;7R\x1b]11;rgb:0/0/0\x07!")
        shell.shows(r"answer b'\x1b[3;7R\x1b]11;rgb:0/0/0\x07!'")
        shell.prompts()


def test_the_errors_of_a_session_may_go_to_a_file(agy: Make, tmp_path: Path) -> None:
    target = agy("echo out\necho err >&2\nread x\necho got $x\n", sh=True)
    with Shell(target) as shell:
        shell.run("agy", then=" 2>errors")
        shell.shows("out")
        shell.type("hi\r")
        shell.shows("got hi")
        shell.prompts()
    assert (tmp_path / "errors").read_text() == "err\n"
    if target.recorded:
        assert target.recorded_bytes("o") == b"out\r\nhi\r\ngot hi\r\n"


def test_a_process_left_behind_lives_on(agy: Make, tmp_path: Path) -> None:
    for name in ("one", "two"):
        os.mkfifo(tmp_path / name)
    target = agy(
        "(read x <one; echo late) &\n"
        "(read x <two; echo done >done) </dev/null >/dev/null 2>&1 &\necho early\n",
        sh=True,
    )
    with Shell(target) as shell:
        assert "early" in shell.told("agy")
        (tmp_path / "one").write_text("x\n")
        shell.shows("late")
        (tmp_path / "two").write_text("x\n")
        until((tmp_path / "done").exists, "what was left behind")


def modes_of(shown: OnTerminal) -> Any:
    return termios.tcgetattr(shown.child.child_fd)


WRAPPED = ["sh", "-c", "echo ready; read go; agy; echo status $?; read end"]


def _begun(target: Agy) -> tuple[OnTerminal, Any, psutil.Process]:
    """A session below a shell that has no job control and sets no modes; the modes before, and the job."""
    shown = OnTerminal(WRAPPED, found_first=target.path.parent)
    shown.shows("ready")
    before = modes_of(shown)
    shown.type("\r")
    shown.shows("begins")
    (job,) = psutil.Process(shown.child.pid).children()
    return shown, before, job


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGKILL, signal.SIGHUP, signal.SIGSEGV])
def test_the_terminal_is_as_it_was_when_the_shim_is_killed(shim: Make, number: int) -> None:
    target = shim(RAW)
    shown, before, job = _begun(target)
    with shown:
        assert modes_of(shown) != before
        everyone = job.children(recursive=True)
        job.send_signal(number)
        shown.shows(f"status {128 + number}")
        until(lambda: bool(modes_of(shown) == before), "the terminal as it was")
        until(lambda: all(gone(each.pid) for each in everyone), "the end of all")


def test_the_terminal_is_as_it_was_when_agy_is_killed(shim: Make) -> None:
    target = shim(RAW)
    shown, before, job = _begun(target)
    with shown:
        (standby,) = job.children()
        (agy,) = standby.children()
        agy.kill()
        shown.shows("status 137")
        assert modes_of(shown) == before


def test_the_terminal_is_as_it_was_when_the_standby_is_killed(shim: Make) -> None:
    target = shim(RAW)
    shown, before, job = _begun(target)
    with shown:
        (standby,) = job.children()
        (agy,) = standby.children()
        standby.kill()
        shown.shows("status 137")
        assert modes_of(shown) == before
        until(lambda: gone(agy.pid), "agy's death")
    assert "the standby was killed" in target.errors()


def test_the_terminal_is_as_agy_leaves_it(agy: Make) -> None:
    target = agy("stty -echo susp ^Y\necho begins\nread x\n", sh=True)
    shown, before, _ = _begun(target)
    with shown:
        shown.type("\r")
        shown.shows("status 0")
        after = modes_of(shown)
        assert before[3] & ~termios.ECHO == after[3]
        assert after[6][termios.VSUSP] == b"\x19"


def test_a_window_that_is_closed_ends_all_of_it(agy: Make) -> None:
    target = agy(RAW)
    with Shell(target) as shell:
        shell.run("agy")
        shell.shows("begins")
        everyone = psutil.Process(shell.child.pid).children(recursive=True)
        shell.hang_up()
        until(lambda: all(gone(each.pid) for each in everyone), "the end of all")


SIGNALLED = """
import os, signal
caught = [n for n in signal.valid_signals() if n not in (9, 19, 17, 18, 20, 21, 22)]
signal.pthread_sigmask(signal.SIG_BLOCK, caught)
os.write(1, b'begins\\n')
while True:
    n = signal.sigwait(caught)
    os.write(1, b'got %d\\n' % n)
    if n == signal.SIGTERM:
        break
"""
SENT = sorted({*range(1, 32), 34, 64} - {9, 17, 18, 19, 20, 21, 22, 15})


def test_every_signal_to_the_process_arrives_once(agy: Make) -> None:
    target = agy(SIGNALLED)
    shown, _, job = _begun(target)
    with shown:
        for number in SENT:
            job.send_signal(number)
            shown.writes(b"got %d\r\n" % number)
        job.send_signal(signal.SIGTERM)
        shown.shows("status 0")
        told = [line for line in shown.seen.decode().split() if line.isdigit()]
        assert told == [*map(str, SENT), "15", "0"]
