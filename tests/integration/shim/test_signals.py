"""Signals reach agy once, whoever they were sent to."""

import fcntl
import os
import random
import signal
import subprocess
import termios
from collections.abc import Callable
from pathlib import Path
from typing import Any

import psutil
import pytest

from tests.support.direct_or_shim import PATIENCE, Agy, gone, until
from tests.support.figures import drawn_seed, scaled

Make = Callable[..., Agy]

COUNTS = """
import os, signal
caught = [n for n in signal.valid_signals() if n not in (9, 19)]
signal.pthread_sigmask(signal.SIG_BLOCK, caught)
os.write(1, b"%d\\n" % os.getpid())
while True:
    n = signal.sigwait(caught)
    os.write(1, b"%d\\n" % n)
    if n == signal.SIGTERM:
        break
"""

FORWARDED = sorted(
    {*range(1, 32), 34, 64} - {signal.SIGKILL, signal.SIGSTOP, signal.SIGCHLD, signal.SIGTERM, signal.SIGCONT}
)


class Counting:
    """A running agy that tells each signal it gets."""

    def __init__(self, target: Agy, **options: Any) -> None:
        options = options or {"start_new_session": True}
        self.running = target.start(**options)
        assert self.running.stdout is not None
        self.out = self.running.stdout
        agys = int(self.out.readline())
        shim = psutil.Process(self.running.pid)
        self.others = [each.pid for each in (shim, *shim.children()) if each.pid != agys]
        # What came to the group before agy did is not agy's; the standby tells by when it hears of agy.
        until(lambda: target.settings is None or _has_begun(target), "the standby's word that agy has begun")

    def send(self, number: int, *, group: bool) -> None:
        (os.killpg if group else os.kill)(self.running.pid, number)

    def told(self) -> int:
        """The next signal that agy got, once it is pending in no process: two that are would merge."""
        number = int(self.out.readline())
        until(lambda: not any(map(_pending, self.others)), "the end of a signal's handling")
        return number

    def end(self) -> list[int]:
        self.send(signal.SIGTERM, group=False)
        rest = [int(line) for line in self.out]
        self.out.close()
        assert self.running.stderr is not None
        self.running.stderr.close()
        assert self.running.wait(PATIENCE) == 0
        return rest


def _has_begun(target: Agy) -> bool:
    return any(frame.code == "p" for frame in target.journal().frames)


def _pending(pid: int) -> bool:
    lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    return any(int(line.split()[1], 16) for line in lines if line.startswith("ShdPnd"))


@pytest.mark.parametrize("group", [False, True], ids=["pid", "group"])
def test_every_signal_arrives_exactly_once(agy: Make, *, group: bool) -> None:
    counting = Counting(agy(COUNTS))
    for number in FORWARDED:
        counting.send(number, group=group)
        assert counting.told() == number
    assert counting.end() == [signal.SIGTERM]


def test_hundreds_of_signals_to_process_and_group_arrive_exactly_once_each(agy: Make) -> None:
    chance = random.Random(drawn_seed())
    target = agy(COUNTS)
    counting = Counting(target)
    numbers = [signal.SIGUSR1, signal.SIGUSR2, signal.SIGINT, signal.SIGHUP, 40]
    for _ in range(scaled(2000)):
        number = chance.choice(numbers)
        counting.send(number, group=chance.random() < 0.5)
        assert counting.told() == number
    assert counting.end() == [signal.SIGTERM]


def test_a_signal_is_journalled_with_its_sender_and_its_reach(shim: Make) -> None:
    target = shim(COUNTS)
    counting = Counting(target)
    for group in (False, True):
        counting.send(signal.SIGUSR1, group=group)
        counting.told()
    counting.end()
    told = [frame.payload for frame in target.journal().frames if frame.code == "s"]
    me = os.getpid()
    assert told == [b"10 %d 0" % me, b"10 %d 1" % me, b"15 %d 0" % me]


@pytest.mark.parametrize("group", [False, True], ids=["pid", "group"])
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGKILL])
def test_a_signal_that_kills_agy_kills_in_the_same_way(agy: Make, number: int, *, group: bool) -> None:
    # Python's own handler would be asked only after the read, where a signal comes just before that.
    target = agy(
        "import os, signal\nsignal.signal(2, signal.SIG_DFL)\n"
        "os.write(1, b'%d\\n' % os.getpid())\nos.read(0, 1)\n"
    )
    running = target.start("-p", "x", stdin=subprocess.PIPE, start_new_session=True)
    assert running.stdout is not None
    agys = int(running.stdout.readline())
    (os.killpg if group else os.kill)(running.pid, number)
    assert running.wait(PATIENCE) == -number
    until(lambda: gone(agys), "agy's death")
    running.communicate()


def test_agy_may_exit_as_it_likes_on_a_signal(agy: Make) -> None:
    target = agy('trap "echo bye; exit 7" TERM\necho ready\nwhile :; do sleep 0.01; done\n', sh=True)
    running = target.start()
    assert running.stdout is not None
    assert running.stdout.readline() == b"ready\n"
    running.send_signal(signal.SIGTERM)
    assert running.communicate(timeout=PATIENCE) == (b"bye\n", b"")
    assert running.returncode == 7


def test_agy_is_in_the_callers_group_and_session(agy: Make) -> None:
    target = agy("import os\nos.write(1, b'%d %d' % (os.getpgid(0), os.getsid(0)))\n")
    assert target.run().stdout == b"%d %d" % (os.getpgid(0), os.getsid(0))


@pytest.mark.parametrize(
    "number", [signal.SIGINT, signal.SIGHUP, signal.SIGQUIT, signal.SIGTSTP, signal.SIGCHLD]
)
def test_what_the_caller_ignores_is_ignored_in_agy(agy: Make, number: int) -> None:
    target = agy(f"import os, signal\nos.write(1, b'%d' % signal.getsignal({number}))\n")
    running = target.start(preexec_fn=lambda: signal.signal(number, signal.SIG_IGN))
    assert running.communicate(timeout=PATIENCE)[0] == b"1"
    # With SIGCHLD ignored in the child only, this process still learns how it ended.
    assert running.returncode == 0


def test_the_callers_signal_mask_is_agys(agy: Make) -> None:
    target = agy("import os, signal\nos.write(1, ascii(sorted(signal.pthread_sigmask(0, ()))).encode())\n")
    blocked = {signal.SIGUSR1, signal.SIGTERM, 40}
    running = target.start(preexec_fn=lambda: signal.pthread_sigmask(signal.SIG_SETMASK, blocked))
    expected = ascii(sorted(blocked)).encode()
    assert running.communicate(timeout=PATIENCE)[0] == expected


def test_sigpipe_is_at_its_default_in_agy_or_ignored_by_a_setting(shim: Make) -> None:
    target = shim("grep SigIgn /proc/self/status\n", sh=True)
    assert int(target.run().stdout.split()[1], 16) & (1 << 12 | 1 << 24) == 0
    ignoring = target.with_settings(sigpipe="ignore")
    assert int(ignoring.run().stdout.split()[1], 16) & (1 << 12 | 1 << 24) == 1 << 12


def test_a_timer_that_the_caller_set_goes_off_in_agy(agy: Make) -> None:
    target = agy("import os\nos.write(1, b'ready')\nos.read(0, 1)\n")
    running = target.start(
        "-p", "x", stdin=subprocess.PIPE, preexec_fn=lambda: signal.setitimer(signal.ITIMER_REAL, 0.5)
    )
    assert running.wait(PATIENCE) == -signal.SIGALRM
    running.communicate()


@pytest.mark.parametrize("number", [signal.SIGSTOP, signal.SIGTSTP])
def test_an_agy_that_stops_stops_the_shim_and_sigcont_wakes_both(agy: Make, number: int) -> None:
    target = agy(
        "import os, signal\nos.write(1, b'%d\\n' % os.getpid())\n"
        f"os.kill(os.getpid(), {number})\nos.write(1, b'awake\\n')\n"
    )
    running = target.start(process_group=0)
    assert running.stdout is not None
    agys = int(running.stdout.readline())
    pid, status = os.waitpid(running.pid, os.WUNTRACED)
    assert (pid, os.WIFSTOPPED(status), os.WSTOPSIG(status)) == (running.pid, True, number)
    assert Path(f"/proc/{agys}/stat").read_text().rpartition(")")[2].split()[0] == "T"
    os.kill(running.pid, signal.SIGCONT)
    assert running.communicate(timeout=PATIENCE)[0] == b"awake\n"
    assert running.returncode == 0


def test_a_stop_sent_to_the_shim_alone_leaves_agy_running(shim: Make) -> None:
    target = shim("import os\nos.write(1, b'%d\\n' % os.getpid())\nos.read(0, 1)\n")
    running = target.start("-p", "x", stdin=subprocess.PIPE)
    assert running.stdout is not None
    agys = int(running.stdout.readline())
    running.send_signal(signal.SIGSTOP)
    os.waitpid(running.pid, os.WUNTRACED)
    assert Path(f"/proc/{agys}/stat").read_text().rpartition(")")[2].split()[0] in "SR"
    running.send_signal(signal.SIGCONT)
    running.communicate(b".", timeout=PATIENCE)
    assert running.returncode == 0


def test_sigchld_sent_from_outside_does_nothing(shim: Make) -> None:
    target = shim(COUNTS)
    counting = Counting(target)
    counting.send(signal.SIGCHLD, group=False)
    assert counting.end() == [signal.SIGTERM]


TOOLS = {
    "timeout": ["timeout", "-s", "INT", "0.5"],
    "timeout --foreground": ["timeout", "--foreground", "-s", "INT", "0.5"],
    "timeout -k": ["timeout", "-s", "TERM", "-k", "10", "0.5"],
    "setsid -w": ["setsid", "-w", "timeout", "-s", "INT", "0.5"],
}


@pytest.mark.parametrize("tool", TOOLS.values(), ids=TOOLS.keys())
def test_tools_that_send_signals_see_no_difference(agy: Make, tool: list[str]) -> None:
    target = agy(
        "import os, signal\ncaught = (2, 15)\nsignal.pthread_sigmask(signal.SIG_BLOCK, caught)\n"
        "n = signal.sigwait(caught)\nagain = signal.sigtimedwait(caught, 0.3)\n"
        "os.write(1, b'%d %a' % (n, again))\nos._exit(5)\n"
    )
    ended = subprocess.run(
        [*tool, target.path], stdin=subprocess.DEVNULL, capture_output=True, timeout=PATIENCE, check=False
    )
    # timeout itself sends a signal to the command and then to its own group: direct they merge or come twice.
    assert ended.stdout.split()[0] == (b"15" if "TERM" in tool else b"2")
    assert ended.returncode == 124


@pytest.mark.parametrize(("key", "number"), [(b"\x03", signal.SIGINT), (b"\x1c", signal.SIGQUIT)])
def test_a_key_on_the_terminal_is_one_signal(agy: Make, key: bytes, number: int) -> None:
    master, slave = os.openpty()

    def on_terminal() -> None:
        os.setsid()
        fcntl.ioctl(slave, termios.TIOCSCTTY, 0)

    counting = Counting(agy(COUNTS), stdin=slave, preexec_fn=on_terminal)
    for _ in range(20):
        os.write(master, key)
        assert counting.told() == number
    assert counting.end() == [signal.SIGTERM]
    os.close(master)
    os.close(slave)


def test_a_key_that_stops_stops_the_job_and_it_goes_on_in_the_foreground(agy: Make) -> None:
    master, slave = os.openpty()
    target = agy("import os\nos.write(1, b'%d\\n' % os.getpid())\nos.read(0, 100)\nos.write(1, b'2\\n')\n")

    def in_foreground() -> None:
        # A job of a shell: a group of its own, below a session leader that holds the terminal.
        os.setpgid(0, 0)
        signal.signal(signal.SIGTTOU, signal.SIG_IGN)
        os.tcsetpgrp(slave, os.getpid())
        signal.signal(signal.SIGTTOU, signal.SIG_DFL)

    shell = os.fork()
    if shell == 0:
        status = 1
        try:
            signal.alarm(PATIENCE)
            os.setsid()
            fcntl.ioctl(slave, termios.TIOCSCTTY, 0)
            job = target.start("-p", "x", stdin=slave, preexec_fn=in_foreground)
            assert job.stdout is not None
            agys = int(job.stdout.readline())
            standby = (each.pid for each in psutil.Process(job.pid).children() if each.pid != agys)
            others = [job.pid, *standby]
            for _ in range(3):
                os.write(master, b"\x1a")
                _, stopped = os.waitpid(job.pid, os.WUNTRACED)
                assert os.WSTOPSIG(stopped) == signal.SIGTSTP
                os.killpg(job.pid, signal.SIGCONT)
                os.waitpid(job.pid, os.WCONTINUED)
                # A stop would take away a SIGCONT that is still pending.
                until(lambda: not any(map(_pending, others)), "the end of SIGCONT's handling")
            os.write(master, b"\n")
            assert job.stdout.readline() == b"2\n"
            status = job.wait(PATIENCE)
        finally:
            os._exit(status)
    assert os.waitstatus_to_exitcode(os.waitpid(shell, 0)[1]) == 0
    os.close(master)
    os.close(slave)
