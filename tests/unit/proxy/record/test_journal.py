import fcntl
import os
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agy_proxy.record.journal import (
    Frame,
    await_finisher,
    journal_name,
    list_journals,
    lock_if_finished,
    netstrings,
    read_journal,
    read_start,
)
from tests.support.journals import (
    MONOTONIC,
    end_frames,
    frame,
    netpairs,
    netstring,
    start_facts,
    start_frame,
    write_journal,
)


def test_every_fact_of_the_start_is_read(tmp_path: Path) -> None:
    before = netpairs({b"/h/t.jsonl": b"4183", b"/h/last.json": b"20:99", b"/h/new.log": b""})
    path = write_journal(
        tmp_path,
        start_frame(
            (b"agy", b"", b"-p", b"\xff"),
            before=before,
            nested=b"1",
            stdout=b"file",
            stdout_file=b"8:17 /tmp/a b",
            stdout_offset=b"7",
        ),
    )
    start = read_journal(path).start
    assert start is not None
    assert start.argv == (b"agy", b"", b"-p", b"\xff")
    assert dict(start.before) == {b"/h/t.jsonl": 4183, b"/h/last.json": 20, b"/h/new.log": None}
    assert start.stdout_file is not None
    assert (start.stdout_file.path, start.stdout_file.identity, start.stdout_file.offset) == (
        b"/tmp/a b",
        "8:17",
        7,
    )
    assert (start.pid, start.ppid, start.nested, start.env) == (
        4711,
        4700,
        True,
        (b"TERM=dumb", b"LANG=C.UTF-8"),
    )


def test_a_whole_journal_is_complete_and_one_without_exit_or_end_is_not(tmp_path: Path) -> None:
    ended = end_frames()
    assert read_journal(write_journal(tmp_path, start_frame(), ended)).complete
    killed = write_journal(tmp_path, start_frame(), frame("o", MONOTONIC, b"part"), pid=2)
    assert not read_journal(killed).complete
    no_end = write_journal(tmp_path, start_frame(), frame("x", MONOTONIC, b"0"), pid=3)
    assert not read_journal(no_end).complete


def test_every_cut_leaves_the_whole_frames_before_it(tmp_path: Path) -> None:
    parts = (
        start_frame(),
        frame("o", MONOTONIC, b"one\n"),
        frame("e", MONOTONIC + 1, b"2 3 4\n"),
        end_frames(),
    )
    whole = read_journal(write_journal(tmp_path, *parts))
    data = b"".join(parts)
    ends = [0]
    for got in whole.frames:
        ends.append(ends[-1] + len(frame(got.code, got.at, got.payload)))
    for cut in range(len(data)):
        journal = read_journal(write_journal(tmp_path, data[:cut]))
        kept = sum(end <= cut for end in ends[1:])
        assert journal.frames == whole.frames[:kept]
        assert journal.torn == (cut not in ends)
        assert (journal.start is None) == (cut < ends[1])


def test_a_frame_torn_by_a_killed_standby_does_not_swallow_what_the_next_one_wrote(tmp_path: Path) -> None:
    note = frame("n", MONOTONIC, b"the recording is incomplete: the standby was killed")
    torn = frame("o", MONOTONIC, b"got" + b"x" * 300)[:-300]
    later = frame("o", MONOTONIC, b"later")
    journal = read_journal(write_journal(tmp_path, start_frame(), torn, note, later, end_frames()))
    assert [each.payload for each in journal.frames if each.code == "o"] == [b"got", b"later"]
    assert journal.first("x") is not None
    assert journal.torn
    printed = frame("o", MONOTONIC, note)
    sound = read_journal(write_journal(tmp_path, start_frame(), printed, end_frames()))
    assert (sound.torn, sound.frames[1].payload) == (False, note)
    cut = frame("o", MONOTONIC, b"later")[:-1]
    killed = read_journal(write_journal(tmp_path, start_frame(), printed, cut))
    assert (killed.torn, killed.frames[1].payload) == (True, note)


@given(st.lists(st.tuples(st.sampled_from("oemizspxcEn"), st.integers(0, 2**63), st.binary(max_size=200))))
def test_any_frames_are_read_as_written(
    tmp_path_factory: pytest.TempPathFactory, frames: list[tuple[str, int, bytes]]
) -> None:
    path = write_journal(tmp_path_factory.mktemp("j"), *(frame(*each) for each in frames))
    journal = read_journal(path)
    assert journal.frames == tuple(Frame(*each) for each in frames)
    assert not journal.torn


@given(st.binary(max_size=300))
def test_any_bytes_are_read_without_an_error(tmp_path_factory: pytest.TempPathFactory, data: bytes) -> None:
    journal = read_journal(write_journal(tmp_path_factory.mktemp("j"), data))
    assert journal.start is None
    assert read_start(data) is None


@pytest.mark.parametrize("data", [b"3:ab", b"x:a,", b"1:ab", b":,", b"1", b"-1:,"])
def test_netstrings_refuse_what_is_none(data: bytes) -> None:
    with pytest.raises(ValueError, match="at byte"):
        netstrings(data)


def test_a_start_that_lacks_a_needed_key_is_no_start() -> None:
    facts = start_facts()
    assert read_start(netpairs(facts)) is not None
    for key in (b"argv", b"cwd", b"realtime_ns", b"monotonic_ns", b"pid"):
        assert read_start(netpairs({k: v for k, v in facts.items() if k != key})) is None
    assert read_start(netpairs(facts) + netstring(b"alone")) is None


def test_journals_are_listed_by_the_time_their_calls_began(tmp_path: Path) -> None:
    write_journal(tmp_path, began=100, pid=2)
    write_journal(tmp_path, began=20, pid=3)
    write_journal(tmp_path, began=100, pid=1)
    for other in ("errors.log", "x-1.journal", "1.journal", "5-6.saved"):
        (tmp_path / other).touch()
    assert [path.name for path in list_journals(tmp_path)] == [
        "20-3.journal",
        "100-1.journal",
        "100-2.journal",
    ]
    assert list_journals(tmp_path / "none") == ()
    assert journal_name(tmp_path / "20-3.journal") == (20, 3)


def test_a_journal_that_someone_still_holds_is_not_taken(tmp_path: Path) -> None:
    path = write_journal(tmp_path, start_frame())
    with path.open("ab") as standby:
        fcntl.flock(standby, fcntl.LOCK_SH)
        assert lock_if_finished(path) is None
    fd = lock_if_finished(path)
    assert fd is not None
    assert lock_if_finished(path) is None
    os.close(fd)
    again = lock_if_finished(path)
    assert again is not None
    os.close(again)
    path.unlink()
    assert lock_if_finished(path) is None


def test_a_finisher_is_waited_for_and_a_call_that_is_not_over_is_not(tmp_path: Path) -> None:
    path = write_journal(tmp_path, start_frame())
    assert not await_finisher(path)
    with path.open("ab") as standby:
        fcntl.flock(standby, fcntl.LOCK_SH)
        assert not await_finisher(path)
    finisher = lock_if_finished(path)
    assert finisher is not None
    with ThreadPoolExecutor() as pool:
        waiting = pool.submit(await_finisher, path)
        waiter = f"-> FLOCK  ADVISORY  READ {os.getpid()} "
        while waiter not in Path("/proc/locks").read_text():
            assert not waiting.done()
        os.close(finisher)
        assert waiting.result()
    path.unlink()
    assert not await_finisher(path)
