"""Trouble with the recording is never trouble with the call."""

import resource
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from agy_proxy.record.journal import list_journals
from tests.support.direct_or_shim import PATIENCE, Agy, processes_of, shim_before, until

Make = Callable[..., Agy]

SAYS = "head -c 1000000 /dev/zero\necho err >&2\nexit 3\n"


def _unharmed(ended: "subprocess.CompletedProcess[bytes]") -> None:
    assert (len(ended.stdout), ended.stderr, ended.returncode) == (1_000_000, b"err\n", 3)


@pytest.mark.parametrize("size", [0, 100, 700, 4096, 70_000, 500_000])
def test_a_journal_that_can_not_grow_ends_the_recording_alone(shim: Make, size: int) -> None:
    target = shim(SAYS, sh=True)
    _unharmed(target.run(preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))))
    for path in list_journals(target.journals):
        journal = target.journal()
        assert path.stat().st_size <= size
        assert not journal.torn
        assert not journal.complete or journal.notes()


def test_a_full_disk_ends_the_recording_alone(tmp_path: Path, shim: Make) -> None:
    target = shim(SAYS, sh=True)
    small = tmp_path / "small"
    small.mkdir()
    target = target.with_settings(journal_dir=small, errors_log=tmp_path / "errors.log")
    mounted = f"mount -t tmpfs -o size=400k none {small} && exec {target.path}"
    inside = ["unshare", "--user", "--map-root-user", "--mount", "/bin/sh", "-c"]
    if subprocess.run([*inside, f"mount -t tmpfs none {small}"], capture_output=True, check=False).returncode:
        mounted = f"ulimit -f 400; exec {target.path}"
        inside = ["/bin/sh", "-c"]
    ended = subprocess.run([*inside, mounted], capture_output=True, timeout=PATIENCE, check=False)
    _unharmed(ended)
    assert "the recording is incomplete" in target.errors()


def test_after_a_full_disk_the_exit_is_still_written_down(shim: Make) -> None:
    target = shim(SAYS, sh=True)
    target.run(preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (300_000, 300_000)))
    journal = target.journal()
    ended = journal.first("x")
    assert ended is not None
    assert ended.payload.split()[0] == b"768"
    assert journal.notes() == ("the recording is incomplete: file too large",)


def test_a_missing_journal_folder_is_made(shim: Make) -> None:
    target = shim(SAYS, sh=True)
    target.journals.rmdir()
    _unharmed(target.run())
    assert target.journal().complete
    assert target.journals.stat().st_mode & 0o777 == 0o700


def test_a_journal_is_the_users_alone(shim: Make) -> None:
    target = shim(SAYS, sh=True)
    target.run(umask=0)
    (path,) = list_journals(target.journals)
    assert path.stat().st_mode & 0o777 == 0o600


def test_without_a_place_for_the_journal_the_shim_becomes_agy(tmp_path: Path, shim: Make) -> None:
    target = shim("echo $$\n", sh=True)
    nowhere = target.with_settings(journal_dir=tmp_path / "no" / "where")
    running = nowhere.start()
    assert running.communicate(timeout=PATIENCE) == (b"%d\n" % running.pid, b"")
    assert "a call was not recorded: no such file or directory" in target.errors()


FORK_FAILS = """
import posix
real_fork, forks = posix.fork, []
def fork():
    forks.append(1)
    if len(forks) == {nth}:
        raise BlockingIOError(11, "no more processes")
    return real_fork()
posix.fork = fork
"""


@pytest.mark.parametrize("nth", [1, 2], ids=["for the standby", "for agy"])
def test_without_room_for_a_process_the_shim_becomes_agy(shim: Make, tmp_path: Path, nth: int) -> None:
    target = shim("import os\nos.write(1, b'%d %s' % (os.getpid(), os.read(0, 10)))\n")
    text = target.path.read_text()
    target.path.write_text(text.replace("import _signal\n", "import _signal" + FORK_FAILS.format(nth=nth), 1))
    running = target.start(stdin=subprocess.PIPE)
    until(lambda: len(processes_of(tmp_path)) == 1, "an agy without a standby")
    out, err = running.communicate(b"untouched", timeout=PATIENCE)
    assert (out, err) == (b"%d untouched" % running.pid, b"")
    assert not list_journals(target.journals)
    assert "a call was not recorded: no more processes" in target.errors()


def test_an_error_of_our_own_is_never_printed(tmp_path: Path) -> None:
    nowhere = tmp_path / "no"
    target = shim_before(Path("/bin/true"), tmp_path, errors_log=nowhere / "log", journal_dir=nowhere / "way")
    ended = target.run()
    assert (ended.stdout, ended.stderr, ended.returncode) == (b"", b"", 0)
