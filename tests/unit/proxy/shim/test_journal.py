import os
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from agy_proxy.record.journal import netstrings as read_netstrings
from agy_proxy.record.journal import read_journal
from agy_proxy.shim.isolated.journal import above_streams, log_error, netstrings, open_journal


@given(st.lists(st.binary()))
def test_netstrings_are_read_back(items: list[bytes]) -> None:
    assert list(read_netstrings(netstrings(*items))) == items


def test_frames_are_read_back_whatever_their_bytes(tmp_path: Path) -> None:
    journal, path = open_journal(os.fsencode(tmp_path), 12, None)
    journal.start(b"x", 1)
    bodies = [b"", b"\n", bytes(range(256)), b"o 1 1\n"]
    for body in bodies:
        journal.frame(b"o", body, 5)
    journal.close()
    read = read_journal(Path(os.fsdecode(path)))
    assert [(frame.code, frame.at, frame.payload) for frame in read.frames[1:]] == [
        ("o", 5, b) for b in bodies
    ]
    assert Path(os.fsdecode(path)).name == f"12-{os.getpid()}.journal"


def test_a_descriptor_of_a_closed_stream_is_moved_out_of_the_way() -> None:
    fd = os.open(os.devnull, os.O_RDONLY)
    low = fd < 3
    moved = above_streams(fd)
    assert moved >= 3
    assert low or moved == fd
    os.close(moved)


def test_an_error_is_a_line_of_the_log(tmp_path: Path) -> None:
    log = tmp_path / "errors.log"
    for what in ("one", "two \udcff"):
        log_error(os.fsencode(log), what)
    lines = log.read_text().splitlines()
    assert [line.split(" ", 2)[2] for line in lines] == ["one", "two \\udcff"]
    assert log.stat().st_mode & 0o777 == 0o600


def test_an_error_that_can_not_be_logged_is_let_go(tmp_path: Path) -> None:
    log_error(os.fsencode(tmp_path / "no" / "log"), "x")
    log_error(None, "x")
