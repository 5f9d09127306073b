"""What a process that agy left behind writes still arrives, and the shim doesn't wait for it."""

import os
import signal
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from agy_proxy.record.journal import list_journals, lock_if_finished
from tests.support.direct_or_shim import PATIENCE, Agy, processes_of, until

Make = Callable[..., Agy]

LINGERS = """
import os, sys
gate = sys.argv[1]
if os.fork():
    os.write(1, b"done\\n")
    os._exit(6)
open(gate).read()
os.write(1, b"late 1\\n")
open(gate).read()
os.write(2, b"late 2\\n")
"""


@pytest.fixture
def gate(tmp_path: Path) -> Path:
    path = tmp_path / "gate"
    os.mkfifo(path)
    return path


def _release(running: "subprocess.Popen[bytes]", gate: Path) -> None:
    """Lets the grandchild write what is left and end."""
    assert running.stdout is not None
    assert running.stdout.readline() == b"done\n"
    gate.write_bytes(b"")
    assert running.stdout.readline() == b"late 1\n"
    gate.write_bytes(b"")
    assert running.communicate(timeout=PATIENCE) == (b"", b"late 2\n")


def test_the_exit_is_seen_at_once_and_later_output_still_arrives(agy: Make, gate: Path) -> None:
    target = agy(LINGERS)
    running = target.start(str(gate))
    # The grandchild can't go on before the gate opens, so the exit did not wait for it.
    assert running.wait(PATIENCE) == 6
    _release(running, gate)
    if target.recorded:
        until(lambda: target.journal().first("c") is not None, "the end of the last stream")
        codes = "".join(frame.code for frame in sorted(target.journal().frames, key=lambda frame: frame.at))
        assert codes == "SpoxEoec"


def test_a_journal_is_locked_until_the_standby_is_gone(shim: Make, gate: Path) -> None:
    target = shim(LINGERS)
    running = target.start(str(gate))
    assert running.wait(PATIENCE) == 6
    (path,) = list_journals(target.journals)
    assert lock_if_finished(path) is None
    _release(running, gate)
    until(lambda: _lockable(path), "the journal's lock")


def _lockable(path: Path) -> bool:
    fd = lock_if_finished(path)
    if fd is None:
        return False
    os.close(fd)
    return True


def test_a_chatty_grandchild_does_not_hold_up_the_exit(agy: Make, tmp_path: Path) -> None:
    target = agy("import os\nif os.fork():\n    os._exit(0)\nwhile True:\n    os.write(1, bytes(4096))\n")
    running = target.start()
    assert running.stdout is not None
    fd = running.stdout.fileno()
    while running.poll() is None:
        os.read(fd, 65536)
    assert running.returncode == 0
    assert len(os.read(fd, 4096)) > 0
    running.stdout.close()
    assert running.stderr is not None
    running.stderr.close()
    until(lambda: not processes_of(tmp_path), "the grandchild's death of a broken pipe")


def test_a_grandchild_outlives_a_sigkill_on_the_shim_and_is_heard(shim: Make, gate: Path) -> None:
    target = shim(LINGERS.replace("os._exit(6)", "os.read(0, 1)"))
    running = target.start(str(gate), "-p", "x", stdin=subprocess.PIPE)
    assert running.stdout is not None
    assert running.stdout.readline() == b"done\n"
    running.send_signal(signal.SIGKILL)
    assert running.wait(PATIENCE) == -9
    gate.write_bytes(b"")
    assert running.stdout.readline() == b"late 1\n"
    gate.write_bytes(b"")
    assert running.communicate(timeout=PATIENCE) == (b"", b"late 2\n")


def test_a_grandchild_reads_on_from_stdin(agy: Make) -> None:
    target = agy(
        "import os\nif os.fork():\n    os._exit(0)\n"
        "while part := os.read(0, 100):\n    os.write(1, part)\nos.write(1, b'eof')\n"
    )
    running = target.start(stdin=subprocess.PIPE)
    assert running.wait(PATIENCE) == 0
    assert running.communicate(b"still here ", timeout=PATIENCE)[0] == b"still here eof"


def test_no_process_is_left_when_agy_left_none(shim: Make, tmp_path: Path) -> None:
    target = shim("echo x\n", sh=True)
    for _ in range(5):
        target.run()
        assert processes_of(tmp_path) == []


def test_the_finisher_starts_detached_once_all_is_delivered(shim: Make, gate: Path, tmp_path: Path) -> None:
    told = tmp_path / "finished"
    script = (
        "read -r _ _ _ _ _ session _ </proc/$$/stat\n"
        f'echo "$(readlink /proc/$$/fd/0) $PWD $session $$" >{told}.new\nmv {told}.new {told}\n'
    )
    finish = ("/bin/sh", "-c", script)
    target = shim(LINGERS, finish=finish)
    running = target.start(str(gate))
    assert running.wait(PATIENCE) == 6
    assert not told.exists()
    _release(running, gate)
    until(told.exists, "the finisher")
    stdin, cwd, session, pid = told.read_text().split()
    assert (stdin, cwd, session) == (os.devnull, "/", pid)
