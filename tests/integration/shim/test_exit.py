"""How agy ends is how the shim ends."""

import os
import resource
import signal
from collections.abc import Callable

import pytest

from tests.support.direct_or_shim import Agy

Make = Callable[..., Agy]

TERMINATING = sorted(
    {*range(1, 32), 34, 64}
    - {signal.SIGSTOP, signal.SIGTSTP, signal.SIGTTIN, signal.SIGTTOU, signal.SIGCONT}
    - {signal.SIGCHLD, signal.SIGURG, signal.SIGWINCH}
)

DIES = """
import os, signal, sys
n = int(sys.argv[1])
if n != 9:
    signal.signal(n, signal.SIG_DFL)
os.kill(os.getpid(), n)
"""


@pytest.mark.parametrize("code", [0, 1, 2, 3, 125, 126, 127, 128, 255])
def test_the_exit_code_is_the_same(agy: Make, code: int) -> None:
    target = agy('exit "$1"\n', sh=True)
    assert target.run(str(code)).returncode == code
    if target.recorded:
        ended = target.journal().first("x")
        assert ended is not None
        assert ended.payload.split()[0] == b"%d" % (code << 8)


@pytest.mark.parametrize("number", TERMINATING)
def test_death_by_a_signal_is_death_by_that_signal(agy: Make, number: int) -> None:
    target = agy(DIES)
    assert target.run(str(number)).returncode == -number
    if target.recorded:
        ended = target.journal().first("x")
        assert ended is not None
        assert os.WTERMSIG(int(ended.payload.split()[0])) == number


@pytest.mark.parametrize("number", [signal.SIGSEGV, signal.SIGABRT])
def test_only_agy_leaves_a_core(agy: Make, number: int, tmp_path: object) -> None:
    target = agy(DIES)
    running = target.start(
        str(number),
        cwd=str(tmp_path),
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CORE, (resource.RLIM_INFINITY,) * 2),
    )
    _, status = os.waitpid(running.pid, 0)
    running.returncode = os.waitstatus_to_exitcode(status)
    running.communicate()
    assert os.WTERMSIG(status) == number
    if target.recorded:
        assert not os.WCOREDUMP(status)


def test_output_before_a_death_arrives(agy: Make) -> None:
    target = agy("echo last words\nkill -KILL $$\n", sh=True)
    ended = target.run()
    assert (ended.stdout, ended.returncode) == (b"last words\n", -9)


def test_where_no_signal_kills_it_the_shim_exits_with_128_and_the_signal(shim: Make) -> None:
    # As process 1 of a container: a default action does nothing there.
    target = shim("kill -TERM $$\n", sh=True)
    text = target.path.read_text()
    spared = "import _signal, posix\nposix.kill = lambda pid, number: None\n"
    target.path.write_text(text.replace("import _signal\n", spared, 1))
    assert target.run().returncode == 128 + signal.SIGTERM


def test_the_most_memory_that_agy_had_is_written_down(shim: Make) -> None:
    target = shim("import os\nheld = b'x' * 60_000_000\ndel held\nos._exit(3)\n")
    assert target.run().returncode == 3
    frame = target.journal().first("x")
    assert frame is not None
    status, _, memory = frame.payload.partition(b" ")
    assert status == b"768"
    assert 60_000_000 < int(memory) < 200_000_000
