"""What agy prints reaches the caller as it was printed, and is written down."""

import fcntl
import os
import select
import socket
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.support.direct_or_shim import PATIENCE, Agy, processes_of, until
from tests.support.figures import scaled

Make = Callable[..., Agy]

PRINTS = "import os, sys\nos.write(1, bytes.fromhex(sys.argv[1]))\nos.write(2, bytes.fromhex(sys.argv[2]))\n"

BODIES = {
    "text": b"one\ntwo\n",
    "binary": bytes(range(256)),
    "empty": b"",
    "no final newline": b"a\nb",
    "crlf": b"a\r\nb\r\n",
    "escapes": b"\x1b[31mred\x1b[0m\x07\x1b]0;title\x07\r50%\r100%\n",
    "not utf-8": b"\xff\xfe caf\xe9\n",
    "trailing spaces, nel, ls, bom": "a  \n\x85\u2028\ufeff\U0001f600\n".encode(),
}


@pytest.mark.parametrize("body", BODIES.values(), ids=BODIES.keys())
def test_every_byte_arrives_on_its_stream(agy: Make, body: bytes) -> None:
    target = agy(PRINTS)
    ended = target.run(body.hex(), body[::-1].hex())
    assert (ended.stdout, ended.stderr, ended.returncode) == (body, body[::-1], 0)
    if target.recorded:
        assert (target.recorded_bytes("o"), target.recorded_bytes("e")) == (body, body[::-1])
        assert target.journal().complete


def test_much_output_arrives_whole(agy: Make) -> None:
    size = scaled(200_000_000)
    target = agy(
        "import os, sys\nleft = int(sys.argv[1]); at = 0\nblock = bytes(range(251)) * 261\n"
        "while left:\n"
        "    n = os.write(1, block[at:][:left]); left -= n; at = (at + n) % len(block)\n"
    )
    running = target.start(str(size))
    assert running.stdout is not None
    block = bytes(range(251)) * 261
    got = 0
    while piece := running.stdout.read(len(block)):
        assert piece == block[: len(piece)]
        got += len(piece)
    assert (got, running.wait()) == (size, 0)
    assert running.stderr is not None
    assert running.stderr.read() == b""
    running.stdout.close()
    running.stderr.close()
    if target.recorded:
        assert len(target.recorded_bytes("o")) == size


STEPS = """
import os
for number in range(200):
    os.write(1 + number % 2, b"%d\\n" % number)
"""


def test_two_streams_keep_their_order_each(agy: Make) -> None:
    target = agy(STEPS)
    ended = target.run()
    assert ended.stdout == b"".join(b"%d\n" % n for n in range(0, 200, 2))
    assert ended.stderr == b"".join(b"%d\n" % n for n in range(1, 200, 2))


def test_nothing_waits_for_a_line_or_for_the_end(agy: Make) -> None:
    target = agy("import os\nos.write(1, b'hal')\nos.read(0, 1)\nos.write(1, b'f')\n")
    running = target.start("-p", "x", stdin=subprocess.PIPE)
    assert running.stdout is not None
    assert running.stdin is not None
    assert os.read(running.stdout.fileno(), 100) == b"hal"
    running.stdin.write(b".")
    running.stdin.flush()
    assert running.communicate() == (b"f", b"")


@pytest.mark.parametrize("kind", ["pipe", "socket"])
def test_both_streams_in_one_keep_the_order_of_writing(agy: Make, kind: str) -> None:
    target = agy("import os\nfor n in range(2000):\n    os.write(1 + n % 2, b'%d\\n' % n)\n")
    read_end, write_end = _pair(kind)
    running = target.start(stdout=write_end, stderr=write_end)
    os.close(write_end)
    assert _read_all(read_end) == b"".join(b"%d\n" % n for n in range(2000))
    assert running.wait(PATIENCE) == 0
    if target.recorded:
        start = target.journal().start
        assert start is not None
        assert (start.stdout, start.stderr) == (kind, "same")
        assert target.recorded_bytes("m") == b"".join(b"%d\n" % n for n in range(2000))


KINDS = """
import os, stat, fcntl
told = []
for fd in (0, 1, 2):
    try:
        mode = os.fstat(fd).st_mode
        kind = stat.filemode(mode)[0]
        told.append(kind + ("n" if fcntl.fcntl(fd, fcntl.F_GETFL) & os.O_NONBLOCK else ""))
    except OSError:
        told.append("closed")
with open(TOLD, "w") as file:
    file.write(" ".join(told))
"""


def _told(target: Agy, kinds: Path, **streams: int) -> list[str]:
    assert target.run(capture_output=False, **streams).returncode == 0
    return kinds.read_text().split()


@pytest.mark.parametrize("blocking", [True, False])
@pytest.mark.parametrize("kind", ["pipe", "socket"])
def test_kind_and_blocking_mode_of_a_stream_stay(
    agy: Make, tmp_path: Path, kind: str, *, blocking: bool
) -> None:
    target = agy(f"TOLD = {str(tmp_path / 'kinds')!r}\n" + KINDS)
    read_end, write_end = _pair(kind)
    os.set_blocking(write_end, blocking)
    letter = {"pipe": "p", "socket": "s"}[kind] + ("" if blocking else "n")
    told = _told(target, tmp_path / "kinds", stdin=subprocess.DEVNULL, stdout=write_end, stderr=write_end)
    assert told == ["c", letter, letter]
    os.close(read_end)
    os.close(write_end)


def test_streams_of_different_kinds_stay_apart(agy: Make, tmp_path: Path) -> None:
    target = agy(f"TOLD = {str(tmp_path / 'kinds')!r}\n" + KINDS)
    pipe = _pair("pipe")
    sockets = _pair("socket")
    told = _told(target, tmp_path / "kinds", stdin=pipe[0], stdout=sockets[1], stderr=pipe[1])
    assert told == ["p", "s", "p"]
    for fd in (*pipe, *sockets):
        os.close(fd)


@pytest.mark.parametrize("closed", [(0,), (1,), (2,), (0, 1), (0, 2), (1, 2), (0, 1, 2)], ids=str)
def test_closed_streams_stay_closed_and_leave_no_descriptor(
    agy: Make, tmp_path: Path, closed: tuple[int, ...]
) -> None:
    told = tmp_path / "fds"
    target = agy(
        "import os\nopen_ones = []\nfor fd in range(64):\n    try:\n        os.fstat(fd)\n"
        "        open_ones.append(fd)\n    except OSError:\n        pass\n"
        f"os.write(os.open({str(told)!r}, os.O_WRONLY | os.O_CREAT), repr(open_ones).encode())\n"
    )
    shut = " ".join(f"{fd}>&-" for fd in closed)
    ended = subprocess.run(
        ["/bin/sh", "-c", f'"$0" {shut}', target.path],
        stdin=subprocess.DEVNULL,
        timeout=PATIENCE,
        check=False,
    )
    assert ended.returncode == 0
    assert told.read_text() == repr([fd for fd in (0, 1, 2) if fd not in closed])
    if target.recorded:
        start = target.journal().start
        assert start is not None
        kinds = (start.stdin, start.stdout, start.stderr)
        assert [fd for fd in (0, 1, 2) if kinds[fd] == "closed"] == list(closed)


def test_much_goes_through_a_pipe_that_does_not_block(agy: Make) -> None:
    target = agy(
        "import os, select\ndata = bytes(range(256)) * 12000\nat = 0\n"
        "while at < len(data):\n"
        "    select.select([], [1], [])\n"
        "    try:\n        at += os.write(1, data[at:at + 65536])\n"
        "    except BlockingIOError:\n        pass\n"
    )
    read_end, write_end = _pair("pipe")
    os.set_blocking(write_end, False)
    running = target.start(stdout=write_end)
    os.close(write_end)
    assert _read_all(read_end) == bytes(range(256)) * 12000
    assert running.wait(PATIENCE) == 0
    assert running.stderr is not None
    running.stderr.close()


FLAGS = """
import os, stat, fcntl
flags = fcntl.fcntl(1, fcntl.F_GETFL)
where = os.lseek(1, 0, 1)
os.write(2, b"%a %a %d" % (stat.S_ISREG(os.fstat(1).st_mode), bool(flags & os.O_APPEND), where))
os.write(1, b"written\\n")
"""


@pytest.mark.parametrize("append", [False, True])
def test_a_file_is_inherited_with_its_offset_and_flags(agy: Make, tmp_path: Path, *, append: bool) -> None:
    target = agy(FLAGS)
    file = tmp_path / "out"
    file.write_bytes(b"0123456789")
    fd = os.open(file, os.O_WRONLY | (os.O_APPEND if append else 0))
    if not append:
        os.lseek(fd, 4, os.SEEK_SET)
    running = target.start(stdout=fd)
    _, told = running.communicate(timeout=PATIENCE)
    os.close(fd)
    assert told == b"True %a %d" % (append, 0 if append else 4)
    assert file.read_bytes() == (b"0123456789written\n" if append else b"0123written\n")
    if target.recorded:
        journal = target.journal()
        assert journal.start is not None
        assert journal.start.stdout_file is not None
        assert journal.start.stdout_file.offset == (10 if append else 4)
        assert journal.start.stdout_file.path == os.fsencode(file)
        ends = journal.first("f")
        assert ends is not None
        assert ends.payload == b"10:stdout_end,2:%d," % (18 if append else 12)


def test_output_to_the_null_device_is_inherited_and_only_said(agy: Make) -> None:
    target = agy("import os\nos.write(1, b'lost')\nos.write(2, b'%d' % os.fstat(1).st_rdev)\n")
    running = target.start(stdout=subprocess.DEVNULL)
    _, told = running.communicate(timeout=PATIENCE)
    assert told == b"%d" % os.stat(os.devnull).st_rdev  # noqa: PTH116 - os is what is compared with
    if target.recorded:
        assert target.recorded_bytes("o") == b""


@pytest.mark.parametrize("size", [60_000, 65_536])
def test_a_caller_that_waits_before_it_reads_gets_all_that_fits_a_pipe(agy: Make, size: int) -> None:
    target = agy("import os, sys\nos.write(1, bytes(int(sys.argv[1])))\n")
    running = target.start(str(size))
    assert running.wait(PATIENCE) == 0
    assert len(running.communicate()[0]) == size


def test_a_caller_that_does_not_read_holds_up_the_exit(agy: Make) -> None:
    target = agy("import os\nos.write(1, bytes(65_537))\nos.write(2, b'.')\n")
    running = target.start()
    assert running.stderr is not None
    if target.recorded:
        # Through the shim one more pipe is filled, so agy itself may be through.
        until(lambda: _waiting(running.stdout) == 65_536, "a full pipe")
    assert running.poll() is None
    assert len(running.communicate(timeout=PATIENCE)[0]) == 65_537
    assert running.returncode == 0


def test_a_silent_agy_dies_of_its_first_write_after_the_caller_has_gone(agy: Make, tmp_path: Path) -> None:
    target = agy(
        "import os, signal\nsignal.signal(signal.SIGPIPE, signal.SIG_DFL)\nos.write(2, b'ready')\n"
        "os.read(0, 1)\nos.write(1, b'x')\nos.write(2, b'lived')\n"
    )
    running = target.start("-p", "x", stdin=subprocess.PIPE)
    assert running.stdout is not None
    assert running.stderr is not None
    assert running.stdin is not None
    assert os.read(running.stderr.fileno(), 100) == b"ready"
    running.stdout.close()
    if target.recorded:
        until(lambda: _writers_end_is_closed(tmp_path), "the shim's seeing that the caller is gone")
    running.stdin.write(b".")
    running.stdin.flush()
    assert running.wait(PATIENCE) == -13
    assert running.stderr.read() == b""
    running.stdin.close()
    running.stderr.close()


def test_a_busy_agy_dies_of_a_caller_that_has_gone_at_most_128_kib_later(agy: Make, tmp_path: Path) -> None:
    target = agy(
        "import os, signal\nsignal.signal(signal.SIGPIPE, signal.SIG_DFL)\nos.write(1, b'start')\n"
        f"count = os.open({str(tmp_path / 'count')!r}, os.O_WRONLY | os.O_CREAT)\n"
        "n = 0\nwhile n < 10_000_000:\n"
        "    n += os.write(1, bytes(1000))\n    os.pwrite(count, b'%d' % n, 0)\n"
    )
    running = target.start()
    assert running.stdout is not None
    assert running.stderr is not None
    assert os.read(running.stdout.fileno(), 5) == b"start"
    # The pipe fills up while nobody reads; then its reader goes away.
    until(_settled(tmp_path / "count"), "an agy that waits")
    running.stdout.close()
    assert running.wait(PATIENCE) == -13
    assert running.stderr.read() == b""
    running.stderr.close()
    taken = int((tmp_path / "count").read_text())
    assert taken <= 65_536 + (131_072 if target.recorded else 0)


def test_the_journal_holds_what_the_caller_took_and_no_more(shim: Make) -> None:
    target = shim("import os, signal\nsignal.signal(13, 0)\nwhile True:\n    os.write(1, bytes(4096))\n")
    running = target.start()
    assert running.stdout is not None
    assert running.stderr is not None
    got = len(running.stdout.read(500_000))
    running.stdout.close()
    running.stderr.close()
    assert running.wait(PATIENCE) == -13
    recorded = len(target.recorded_bytes("o"))
    assert got <= recorded <= got + 65_536 + 65_536


def _pair(kind: str) -> tuple[int, int]:
    if kind == "pipe":
        return os.pipe()
    one, other = socket.socketpair()
    return one.detach(), other.detach()


def _read_all(fd: int) -> bytes:
    parts: list[bytes] = []
    while True:
        assert select.select([fd], [], [], PATIENCE)[0]
        part = os.read(fd, 65536)
        if not part:
            os.close(fd)
            return b"".join(parts)
        parts.append(part)


def _waiting(stream: object) -> int:
    fd = stream.fileno()  # type: ignore[attr-defined]  # a pipe's file object
    return int.from_bytes(fcntl.ioctl(fd, 0x541B, bytes(4)), "little")


def _settled(path: Path) -> Callable[[], bool]:
    """True once the file has kept its content over many looks."""
    seen: list[bytes] = []

    def look() -> bool:
        seen.append(path.read_bytes() if path.exists() else b"%d" % len(seen))
        return len(seen) > 50 and len(set(seen[-50:])) == 1

    return look


def _writers_end_is_closed(folder: Path) -> bool:
    """Whether no process but agy holds a pipe at its descriptor 1."""
    return not any(
        str(folder / "bin") in word and Path(f"/proc/{each.pid}/fd/1").is_symlink()
        for each in processes_of(folder)
        for word in each.cmdline()
    )
