"""A shim that is killed takes agy with it and loses nothing that agy wrote."""

import os
import random
import signal
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

import psutil
import pytest

from agy_proxy.record.journal import list_journals, read_journal
from tests.support.direct_or_shim import PATIENCE, Agy, gone, processes_of, until
from tests.support.figures import drawn_seed, scaled

Make = Callable[..., Agy]

BUSY = """
import os
os.write(1, b"%d\\n" % os.getpid())
n = 0
while True:
    os.write(1, b"%09d\\n" % n * 100)
    n += 1
"""


def test_sigkill_on_the_shim_loses_nothing_that_agy_wrote(shim: Make) -> None:
    target = shim(BUSY)
    running = target.start()
    assert running.stdout is not None
    agys = int(running.stdout.readline())
    running.stdout.read(100_000)
    running.kill()
    assert running.wait(PATIENCE) == -9
    until(lambda: gone(agys), "agy's death")
    # All of it, without a hole, up to where agy was when it died.
    rest = b"".join([*running.stdout])
    running.stdout.close()
    assert running.stderr is not None
    running.stderr.close()
    whole = target.recorded_bytes("o")
    assert whole.endswith(rest)
    lines = whole.split(b"\n")[1:]
    expected = (b"%09d" % (at // 100) for at in range(len(lines)))
    assert all(line == wanted for line, wanted in zip(lines[:-1], expected, strict=False))
    assert not target.journal().complete
    assert not target.journal().torn


def test_sigkill_at_any_moment_leaves_no_agy_and_no_open_pipe(shim: Make, tmp_path: Path) -> None:
    chance = random.Random(drawn_seed())
    target = shim(BUSY)
    for _ in range(scaled(150)):
        running = target.start()
        # Not a wait for something: the moment of death is what is drawn.
        time.sleep(chance.uniform(0.0, 0.03))
        running.kill()
        out, err = running.communicate(timeout=PATIENCE)
        assert running.returncode == -9
        lines = out.split(b"\n")[1:]
        assert err == b""
        assert all(line == b"%09d" % (at // 100) for at, line in enumerate(lines[:-1]))
        until(lambda: not processes_of(tmp_path), "the end of all that the shim started")
    for path in list_journals(target.journals):
        assert not read_journal(path).torn


def test_sigkill_on_the_group_kills_all_of_it(shim: Make, tmp_path: Path) -> None:
    target = shim(BUSY)
    running = target.start(start_new_session=True)
    assert running.stdout is not None
    running.stdout.readline()
    os.killpg(running.pid, signal.SIGKILL)
    running.communicate(timeout=PATIENCE)
    assert running.returncode == -9
    until(lambda: not processes_of(tmp_path), "the end of the group")


def _standby(running: "subprocess.Popen[bytes]", agys: int) -> psutil.Process:
    (standby,) = (each for each in psutil.Process(running.pid).children() if each.pid != agys)
    return standby


def test_the_run_goes_on_when_the_standby_is_killed(shim: Make) -> None:
    target = shim(
        "import os, signal\nsignal.pthread_sigmask(signal.SIG_BLOCK, (10,))\n"
        "os.write(1, b'%d\\n' % os.getpid())\n"
        "signal.sigwait((10,))\nos.write(1, b'once\\n')\nsignal.sigwait((10,))\nos.write(1, b'twice\\n')\n"
        "os._exit(3)\n"
    )
    running = target.start(start_new_session=True)
    assert running.stdout is not None
    agys = int(running.stdout.readline())
    first = _standby(running, agys)
    first.kill()
    until(lambda: _replaced(running, agys, first.pid), "another standby")
    os.kill(running.pid, signal.SIGUSR1)
    assert running.stdout.readline() == b"once\n"
    os.killpg(running.pid, signal.SIGUSR1)
    assert running.communicate(timeout=PATIENCE) == (b"twice\n", b"")
    assert running.returncode == 3
    assert "the standby was killed" in target.errors()
    assert target.journal().notes() == ("the recording is incomplete: the standby was killed",)
    assert target.recorded_bytes("o").endswith(b"once\ntwice\n")


def _replaced(running: "subprocess.Popen[bytes]", agys: int, old: int) -> bool:
    return any(each.pid not in (agys, old) for each in psutil.Process(running.pid).children())


def test_the_second_standby_kills_agy_as_the_first_would_have(shim: Make) -> None:
    target = shim(BUSY.replace("while True:", "while os.getppid() and os.read(0, 1):"))
    running = target.start("-p", "x", stdin=subprocess.PIPE)
    assert running.stdout is not None
    agys = int(running.stdout.readline())
    first = _standby(running, agys)
    first.kill()
    until(lambda: _replaced(running, agys, first.pid), "another standby")
    running.kill()
    running.communicate(timeout=PATIENCE)
    until(lambda: gone(agys), "agy's death")


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_shim_that_waits_for_its_caller_to_read_can_be_ended(agy: Make, number: int) -> None:
    target = agy("import os\nos.write(1, bytes(100_000))\n")
    running = target.start()
    assert running.stdout is not None
    assert os.read(running.stdout.fileno(), 1) == b"\0"
    if target.recorded:
        until(lambda: len(psutil.Process(running.pid).children()) == 1, "agy's end")
    running.send_signal(number)
    assert running.wait(PATIENCE) == -number
    running.communicate()
