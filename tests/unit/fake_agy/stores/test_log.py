"""The log of a call: lines that clients search, and where they lie (contract.md 2.9, stores.md 1.5)."""

import re
from pathlib import Path

import pytest

from fake_agy.clock import clock_of
from fake_agy.stores.layout import Layout, layout_of
from fake_agy.stores.log import open_log

LINE = re.compile(r"^[IWE]\d{4} \d\d:\d\d:\d\d\.\d{6} \d+ [a-z_]+\.go:\d+\] .")
CLOCK = clock_of("2026-05-28T13:36:19.959748Z", None, lambda _seconds: None)


@pytest.fixture
def place(tmp_path: Path) -> Layout:
    return layout_of(str(tmp_path))


def test_a_line_has_level_date_time_process_and_place(place: Layout, tmp_path: Path) -> None:
    log = open_log(place, str(tmp_path / "mine.log"), CLOCK, 73304)
    line = log.write("printmode.go:71", "Print mode: starting")
    log.write("server.go:1", "odd", "W")
    log.close()
    lines = (tmp_path / "mine.log").read_text().splitlines()

    assert lines[0] + "\n" == line
    assert lines[0].endswith(" 73304 printmode.go:71] Print mode: starting")
    assert lines[0].partition(".")[2].startswith("9597")
    assert all(LINE.match(each) for each in lines)
    assert lines[1].startswith("W0528 ")
    assert not (Path(place.root) / "log").exists()


def test_an_early_line_says_that_logging_was_not_set_up(tmp_path: Path, place: Layout) -> None:
    line = open_log(place, str(tmp_path / "x"), CLOCK, 1).write("a.go:1", "text", early=True)

    assert line.startswith("ERROR: logging before google.Init: I0528 ")
    assert (tmp_path / "x").read_text() == line


def test_a_log_of_the_store_is_named_by_its_start_and_the_newest_is_linked(place: Layout) -> None:
    folder = Path(place.root) / "log"
    open_log(place, None, CLOCK, 1).write("a.go:1", "first")
    later = clock_of("2026-05-28T13:36:21Z", None, lambda _seconds: None)
    open_log(place, None, later, 2).write("a.go:1", "second")
    names = sorted(path.name for path in folder.iterdir())

    assert len(names) == 3
    assert all(re.fullmatch(r"cli-\d{8}_\d{6}\.log", name) for name in names[:2])
    assert (folder / "cli.log").readlink() == Path(names[1])
    assert (folder / "cli.log").read_text().endswith("second\n")
    assert all(path.stat().st_mode & 0o777 == 0o600 for path in folder.glob("cli-*"))


def test_two_calls_of_one_second_share_a_file_and_lose_no_line(place: Layout) -> None:
    logs = [open_log(place, None, CLOCK, pid) for pid in (1, 2)]
    for log in (*logs, *logs):
        log.write("a.go:1", "x")

    assert len((Path(place.root) / "log" / "cli.log").read_text().splitlines()) == 4
