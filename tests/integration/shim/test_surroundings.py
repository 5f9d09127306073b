"""Arguments, environment, folder, descriptors and limits are the caller's."""

import os
import resource
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.support.direct_or_shim import PATIENCE, Agy

Make = Callable[..., Agy]

ARGUMENTS = (
    "import os\nwords = open('/proc/self/cmdline', 'rb').read().split(b'\\0')[3:-1]\n"
    "os.write(1, b'\\0'.join(words))\n"
)
ENVIRONMENT = "cat /proc/$$/environ\n"

ARGV = {
    "none": (),
    "empty items": (b"", b"a", b""),
    "not utf-8": (b"-p", b"caf\xe9 \xff\xfe"),
    "a prompt that starts with a dash": (b"-p", b"-c is what I ask"),
    "what an interpreter would take": (b"-c", b"import os", b"-IS", b"--", b"--help", b"-"),
    "spaces, quotes, line breaks": (b"-p", b"a  b", b"'\"$x`\\", b"one\ntwo\r"),
    "emoji": (b"-p", "\U0001f600".encode()),
    "120 KB": (b"-p", b"word " * 24_000),
}


@pytest.mark.parametrize("argv", ARGV.values(), ids=ARGV.keys())
def test_arguments_arrive_byte_for_byte(agy: Make, argv: tuple[bytes, ...]) -> None:
    target = agy(ARGUMENTS)
    assert target.run(*argv).stdout == b"\0".join(argv)
    if target.recorded:
        start = target.journal().start
        assert start is not None
        assert start.argv == (b"agy", *argv)


ENVIRONMENTS: dict[str, list[bytes]] = {
    "empty": [],
    "of the C locale": [b"LANG=C"],
    "all of C": [b"LC_ALL=C", b"X=1"],
    "of POSIX": [b"LC_CTYPE=POSIX", b"A=1"],
    "of UTF-8": [b"LANG=C.UTF-8", b"LC_CTYPE=C.UTF-8"],
    "of an unknown locale": [b"LANG=xx_YY.ISO-8859-1", b"LC_CTYPE=nothing"],
    "not utf-8": [b"PATH=/bin", b"A=\xff\xfe", b"\xe9=1"],
    "in an odd order": [b"Z=1", b"A=2", b"M=", b"B=3=4"],
    "of Python": [b"PYTHONPATH=/nowhere", b"PYTHONHOME=/nowhere", b"PYTHONUTF8=0", b"PYTHONWARNINGS=error"],
}


@pytest.mark.parametrize("env", ENVIRONMENTS.values(), ids=ENVIRONMENTS.keys())
def test_the_environment_arrives_byte_for_byte(agy: Make, env: list[bytes]) -> None:
    target = agy(ENVIRONMENT, sh=True)
    given = {name: value for name, _, value in (entry.partition(b"=") for entry in env)}
    # The shell that stands for agy reports what it was given, before it changes anything.
    ended = target.run(env=given)
    assert ended.stderr == b""
    assert ended.stdout.split(b"\0")[:-1] == env


def test_duplicates_and_entries_without_a_value_stay(agy: Make) -> None:
    target = agy(ENVIRONMENT, sh=True)
    odd = b"A=1\0A=2\0nothing\0B=3\0"
    ended = subprocess.run(
        [sys.executable, "-c", STRANGE, target.path, odd.hex()],
        capture_output=True,
        timeout=PATIENCE,
        check=True,
    )
    assert ended.stdout == odd


STRANGE = """
import ctypes, sys
entries = bytes.fromhex(sys.argv[2]).split(b"\\0")[:-1]
words = (ctypes.c_char_p * 2)(sys.argv[1].encode(), None)
env = (ctypes.c_char_p * (len(entries) + 1))(*entries, None)
ctypes.CDLL(None).execve(sys.argv[1].encode(), words, env)
"""


def test_the_folder_and_the_umask_are_the_callers(agy: Make, tmp_path: Path) -> None:
    target = agy("import os\nmask = os.umask(0)\nos.write(1, b'%o %s' % (mask, os.getcwdb()))\n")
    ended = target.run(cwd=tmp_path, umask=0o27)
    assert ended.stdout == b"27 " + os.fsencode(tmp_path)


def test_a_deleted_folder_is_no_trouble(agy: Make, tmp_path: Path) -> None:
    target = agy("import os\nos.write(1, os.readlink(b'/proc/self/cwd'))\n")
    gone = tmp_path / "gone"
    gone.mkdir()
    ended = subprocess.run(
        ["/bin/sh", "-c", 'cd "$1" && rmdir "$1" && exec "$0"', target.path, gone],
        capture_output=True,
        timeout=PATIENCE,
        check=False,
    )
    assert (ended.stdout, ended.stderr, ended.returncode) == (os.fsencode(gone) + b" (deleted)", b"", 0)


LISTS = (
    "import os\nfor fd in sorted(map(int, os.listdir('/proc/self/fd'))):\n"
    "    try:\n        os.write(1, b'%d %s\\n' % (fd, os.readlink(b'/proc/self/fd/%d' % fd)))\n"
    "    except OSError:\n        pass\n"
)


def test_other_descriptors_are_agys_and_nobody_elses(agy: Make) -> None:
    target = agy(
        "import os\nos.write(40, b'hello')\nos.close(40)\nos.write(1, b'.')\nos.read(0, 1)\n" + LISTS
    )
    read_end, write_end = os.pipe()
    os.dup2(write_end, 40)
    os.close(write_end)
    running = target.start("-p", "x", pass_fds=(40,), stdin=subprocess.PIPE)
    os.close(40)
    assert running.stdout is not None
    assert running.stdout.read(1) == b"."
    # Its end is seen here although agy, and the shim, still run.
    assert os.read(read_end, 10) == b"hello"
    assert os.read(read_end, 10) == b""
    assert running.poll() is None
    out, _ = running.communicate(b".", timeout=PATIENCE)
    assert [line.split()[0] for line in out.splitlines()] == [b"0", b"1", b"2"]
    os.close(read_end)


def test_a_stream_that_agy_closes_ends_for_the_caller(agy: Make) -> None:
    target = agy("import os\nos.write(1, b'x')\nos.close(1)\nos.read(0, 1)\n")
    running = target.start("-p", "x", stdin=subprocess.PIPE)
    assert running.stdout is not None
    assert running.stdout.read() == b"x"
    assert running.poll() is None
    running.communicate(b".", timeout=PATIENCE)


@pytest.mark.parametrize("limit", range(4, 24, 2))
def test_few_descriptors_are_enough(agy: Make, limit: int) -> None:
    target = agy("import os\nos.write(1, b'out')\nos.write(2, b'err')\nos._exit(3)\n")
    ended = target.run(preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (limit, limit)))
    assert (ended.stdout, ended.stderr, ended.returncode) == (b"out", b"err", 3)


def test_limits_and_niceness_are_the_callers(agy: Make) -> None:
    target = agy(
        "import os, resource\n"
        "os.write(1, ascii([os.nice(0), *map(resource.getrlimit, (0, 1, 4, 7))]).encode())\n"
    )

    def before() -> None:
        os.nice(3)
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        resource.setrlimit(resource.RLIMIT_NOFILE, (100, 200))

    ended = target.run(preexec_fn=before)
    files = resource.getrlimit(resource.RLIMIT_FSIZE)
    cpu = resource.getrlimit(resource.RLIMIT_CPU)
    assert ended.stdout == ascii([os.nice(0) + 3, cpu, files, (0, 0), (100, 200)]).encode()


@pytest.mark.parametrize("mode", ["passthrough", "fake"])
def test_what_is_only_passed_through_is_executed_in_place(shim: Make, mode: str) -> None:
    target = shim("import os\nos.write(1, b'%d' % os.getpid())\n").with_settings(mode=mode)
    running = target.start()
    assert running.communicate(timeout=PATIENCE)[0] == b"%d" % running.pid
    assert not list(target.journals.iterdir())
