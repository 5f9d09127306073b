"""Stdin reaches agy as the caller sends it, recorded or not."""

import os
import socket
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from agy_proxy.record.journal import Frame
from tests.support.direct_or_shim import PATIENCE, Agy, until

Make = Callable[..., Agy]

ECHO = "import os\nwhile part := os.read(0, 65536):\n    os.write(1, part)\nos.write(2, b'eof')\n"
PROMPTED = ("-p", "hello")
ON_STDIN: tuple[str, ...] = ()

both = pytest.mark.parametrize("args", [PROMPTED, ON_STDIN], ids=["prompt flag", "no prompt flag"])


@both
@pytest.mark.parametrize(
    "body", [b"", b"one\ntwo", bytes(range(256)) * 2000], ids=["empty", "text", "binary"]
)
def test_stdin_arrives_whole_and_ends(agy: Make, args: tuple[str, ...], body: bytes) -> None:
    target = agy(ECHO)
    ended = target.run(*args, input=body)
    assert (ended.stdout, ended.stderr) == (body, b"eof")
    if target.recorded:
        recorded = args == ON_STDIN
        assert target.recorded_bytes("i") == (body if recorded else b"")
        assert (target.journal().first("z") is not None) == recorded


@both
def test_an_open_silent_stdin_stays_open(agy: Make, args: tuple[str, ...]) -> None:
    target = agy("import os, select\nos.write(1, ascii(select.select([0], [], [], 0.2)[0]).encode())\n")
    running = target.start(*args, stdin=subprocess.PIPE)
    assert running.stdout is not None
    assert running.stdout.read() == b"[]"
    assert running.wait(PATIENCE) == 0
    running.communicate()


@both
def test_input_is_answered_as_it_arrives(agy: Make, args: tuple[str, ...]) -> None:
    target = agy(ECHO)
    running = target.start(*args, stdin=subprocess.PIPE, bufsize=0)
    assert running.stdin is not None
    assert running.stdout is not None
    for line in (b"one\n", b"two\n"):
        running.stdin.write(line)
        assert running.stdout.readline() == line
    assert running.communicate() == (b"", b"eof")


@both
def test_a_closed_stdin_is_closed(agy: Make, args: tuple[str, ...]) -> None:
    target = agy("import os\ntry:\n    os.fstat(0)\nexcept OSError:\n    os.write(1, b'closed')\n")
    ended = subprocess.run(
        ["/bin/sh", "-c", 'exec "$0" "$@" <&-', target.path, *args], capture_output=True, check=True
    )
    assert ended.stdout == b"closed"


@both
def test_a_caller_gets_a_broken_pipe_once_agy_has_closed_its_stdin(
    agy: Make, tmp_path: Path, args: tuple[str, ...]
) -> None:
    gate = tmp_path / "gate"
    os.mkfifo(gate)
    target = agy(f"import os\nos.close(0)\nos.write(1, b'.')\nopen({str(gate)!r}).read()\n")
    running = target.start(*args, stdin=subprocess.PIPE, bufsize=0)
    assert running.stdin is not None
    assert running.stdout is not None
    running.stdout.read(1)
    stdin = running.stdin
    os.set_blocking(stdin.fileno(), False)
    until(lambda: _broken(stdin.fileno()), "a broken pipe")
    gate.write_bytes(b"")
    stdin.close()
    assert running.wait(PATIENCE) == 0
    running.stdout.close()
    assert running.stderr is not None
    running.stderr.close()


def _by_time(target: Agy) -> list[Frame]:
    return sorted(target.journal().frames, key=lambda frame: frame.at)


def _broken(fd: int) -> bool:
    try:
        os.write(fd, b"x")
    except BlockingIOError:
        return False
    except BrokenPipeError:
        return True
    return False


@both
def test_a_socket_may_be_closed_by_half(agy: Make, args: tuple[str, ...]) -> None:
    target = agy(ECHO)
    ours, agys = socket.socketpair()
    running = target.start(*args, stdin=agys)
    agys.close()
    body = b"\xff\n" * 100_000
    ours.sendall(body)
    ours.shutdown(socket.SHUT_WR)
    assert running.communicate(timeout=PATIENCE) == (body, b"eof")
    ours.close()


@both
def test_a_prompt_may_come_in_pieces_with_pauses(agy: Make, args: tuple[str, ...]) -> None:
    target = agy("import os\nwhile part := os.read(0, 1):\n    os.write(1, part)\n")
    running = target.start(*args, stdin=subprocess.PIPE, bufsize=0)
    assert running.stdin is not None
    assert running.stdout is not None
    for piece in (b"h\xc3", b"\xa9", b"\x00\xff"):
        running.stdin.write(piece)
        assert b"".join(running.stdout.read(1) for _ in piece) == piece
    assert running.communicate(timeout=PATIENCE) == (b"", b"")
    if target.recorded and args == ON_STDIN:
        assert target.recorded_bytes("i") == b"h\xc3\xa9\x00\xff"


@both
def test_an_agy_that_never_reads_ends_all_the_same(agy: Make, args: tuple[str, ...]) -> None:
    target = agy("exit 4\n", sh=True)
    ended = target.run(*args, input=bytes(1_000_000))
    assert ended.returncode == 4


def test_a_prompt_from_a_file_is_written_down_and_read_by_agy_itself(agy: Make, tmp_path: Path) -> None:
    target = agy(
        "import os, stat\nos.write(2, b'%a' % stat.S_ISREG(os.fstat(0).st_mode))\n"
        "os.write(1, os.read(0, 5))\n"
    )
    prompt = tmp_path / "prompt"
    prompt.write_bytes(b"skip a prompt")
    with prompt.open("rb") as file:
        file.seek(5)
        running = target.start(stdin=file)
        assert running.communicate(timeout=PATIENCE) == (b"a pro", b"True")
        assert os.lseek(file.fileno(), 0, os.SEEK_CUR) == 10
    if target.recorded:
        assert target.recorded_bytes("i") == b"a prompt"


@pytest.mark.parametrize("args", [("--version",), ("models",), ("-p", "x")], ids=" ".join)
def test_stdin_is_the_callers_own_where_it_is_not_recorded(shim: Make, args: tuple[str, ...]) -> None:
    target = shim("import os\nos.write(1, b'%d' % os.fstat(0).st_ino)\n")
    read_end, write_end = os.pipe()
    assert target.run(*args, stdin=read_end).stdout == b"%d" % os.fstat(read_end).st_ino
    os.close(read_end)
    os.close(write_end)


def test_stream_json_input_is_recorded_as_it_comes(shim: Make) -> None:
    target = shim(ECHO)
    args = ("--input-format", "stream-json", "--output-format", "stream-json")
    running = target.start(*args, stdin=subprocess.PIPE, bufsize=0)
    assert running.stdin is not None
    assert running.stdout is not None
    for line in (b'{"a": 1}\n', b'{"b": 2}\n'):
        running.stdin.write(line)
        assert running.stdout.readline() == line
    running.communicate()
    codes = "".join(frame.code for frame in _by_time(target) if frame.code in "ioz")
    assert codes == "ioioz"
