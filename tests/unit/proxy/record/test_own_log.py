"""Which default log is a call's: the one whose lines bear its process's number."""

import os
from pathlib import Path

import pytest

from agy_proxy.record.own_log import OwnLog
from agy_proxy.watch.tail import Change

LINE = "I1201 10:00:00.123456 {pid} server.go:747] Created conversation c\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "cli-20261201_100000.log").write_text(LINE.format(pid=11))
    (tmp_path / "cli-20261201_100001.log").write_text(
        "ERROR: logging before google.Init: " + LINE.format(pid=12)
    )
    (tmp_path / "cli.log").symlink_to("cli-20261201_100001.log")
    return tmp_path


def names(found: list[tuple[bytes, Change]]) -> list[tuple[str, bytes]]:
    return [(Path(os.fsdecode(path)).name, change.data) for path, change in found]


def test_the_log_is_found_by_the_number_and_followed(folder: Path) -> None:
    log = OwnLog(bytes(folder), 0)
    assert log.changes(None, rest=False) == []
    assert names(log.changes(11, rest=False)) == [("cli-20261201_100000.log", LINE.format(pid=11).encode())]
    with (folder / "cli-20261201_100000.log").open("a") as file:
        file.write("more\nhalf")
    assert names(log.changes(11, rest=False)) == [("cli-20261201_100000.log", b"more\n")]
    assert names(log.changes(11, rest=True)) == [("cli-20261201_100000.log", b"half")]
    assert log.link() is None


def test_the_link_is_told_once_where_it_points_to_the_log(folder: Path) -> None:
    log = OwnLog(bytes(folder), 0)
    log.changes(12, rest=False)
    told = log.link()
    assert told is not None
    assert told[:2] == (bytes(folder / "cli.log"), b"cli-20261201_100001.log")
    assert told[2] == (folder / "cli.log").lstat().st_mtime_ns
    assert log.link() is None


def test_a_log_that_is_empty_yet_is_looked_at_again(folder: Path) -> None:
    log = OwnLog(bytes(folder), 0)
    path = folder / "cli-20261201_100002.log"
    path.touch()
    assert log.changes(13, rest=False) == []
    path.write_text(LINE.format(pid=13))
    assert names(log.changes(13, rest=False)) == [(path.name, LINE.format(pid=13).encode())]


def test_older_logs_other_names_and_links_are_not_taken(folder: Path) -> None:
    started = (folder / "cli-20261201_100000.log").stat().st_mtime_ns + 5_000_000_000
    assert OwnLog(bytes(folder), started).changes(11, rest=False) == []
    (folder / "other.log").write_text(LINE.format(pid=14))
    (folder / "cli-1.log").symlink_to("other.log")
    assert OwnLog(bytes(folder), 0).changes(14, rest=False) == []
    assert OwnLog(bytes(folder / "none"), 0).changes(14, rest=False) == []


def test_calls_that_share_a_log_get_each_their_own_lines(folder: Path) -> None:
    path = folder / "cli-20261201_100000.log"
    log = OwnLog(bytes(folder), 0)
    assert log.changes(15, rest=False) == []
    mine, other = LINE.format(pid=15), LINE.format(pid=11)
    with path.open("a") as file:
        file.write(mine + "more of it\n" + other + mine)
    ((_, change),) = log.changes(15, rest=False)
    assert (change.op, change.data.decode()) == ("append", mine + "more of it\n" + mine)
