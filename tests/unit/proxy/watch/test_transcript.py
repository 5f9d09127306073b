"""Rows are told once each, whatever happens to their file."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agy_proxy.watch.chunk_series import ChunkSeries
from agy_proxy.watch.events import Damaged, Event, Row
from agy_proxy.watch.store import known
from agy_proxy.watch.transcript import Transcript, followed, followed_chunks
from tests.support.watched_store import line


def told(events: list[Event]) -> list[int | str | None]:
    return [each.index if isinstance(each, Row) else type(each).__name__ for each in events]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "transcript.jsonl"


def test_what_was_there_is_old_and_a_line_begun_before_is_told_whole(path: Path) -> None:
    path.write_bytes(line(0) + line(1)[:9])
    transcript = followed("c", "transcript", path, known(path))
    assert transcript.look(1.0) == []
    with path.open("ab") as file:
        file.write(line(1)[9:] + line(2))
    events = transcript.look(2.0)
    assert told(events) == [1, 2]
    assert [event.at for event in events] == [2.0, 2.0]


def test_a_file_that_is_empty_at_first_is_told_from_its_first_row(path: Path) -> None:
    path.touch()
    transcript = followed("c", "transcript", path, known(path))
    path.write_bytes(line(0))
    assert told(transcript.look(1.0)) == [0]


def test_a_compaction_tells_that_it_happened_and_only_the_rows_that_are_new(path: Path) -> None:
    path.write_bytes(line(0) + line(1))
    transcript = followed("c", "transcript", path, known(path))
    with path.open("ab") as file:
        file.write(line(2))
    assert told(transcript.look(1.0)) == [2]
    path.write_bytes(line(1) + line(2) + line(3))
    assert told(transcript.look(2.0)) == ["Rewritten", 3]
    other = path.with_name("other")
    other.write_bytes(line(3) + line(4))
    other.replace(path)
    assert told(transcript.look(3.0)) == ["Rewritten", 4]


def test_a_file_that_was_replaced_before_the_first_look_is_told_whole(path: Path) -> None:
    path.write_bytes(line(0) + line(1))
    before = known(path)
    other = path.with_name("other")
    other.write_bytes(line(7))
    other.replace(path)
    assert told(followed("c", "transcript", path, before).look(1.0)) == [7]


def test_repeated_and_late_indices_are_marked(path: Path) -> None:
    transcript = followed("c", "transcript", path, None)
    path.write_bytes(line(0) + line(2) + line(1) + line(2, "again"))
    found = [(each.index, each.again, each.late) for each in transcript.look(1.0) if isinstance(each, Row)]
    assert found == [(0, False, False), (2, False, False), (1, False, True), (2, True, False)]


def test_a_line_that_is_no_object_is_damaged_and_costs_no_other(path: Path) -> None:
    transcript = followed("c", "transcript", path, None)
    path.write_bytes(b"{broken\n" + line(1) + b"[1]\n")
    events = transcript.look(1.0)
    assert told(events) == ["Damaged", 1, "Damaged"]
    assert isinstance(events[0], Damaged)
    assert events[0].line == b"{broken\n"


def test_chunks_are_one_file_though_one_ends_within_a_line(tmp_path: Path) -> None:
    flat = tmp_path / "transcript.jsonl"
    flat.write_bytes(line(0))
    folder = tmp_path / "chunks"
    folder.mkdir()
    (folder / "00000000.jsonl").write_bytes(line(0) + line(1) + line(2)[:20])
    whole = followed("c", "transcript", flat, known(flat))
    chunks = followed_chunks("c", "chunks/transcript", folder, whole)
    assert told(chunks.look(1.0)) == [1]
    (folder / "00000001.jsonl").write_bytes(line(2)[20:] + line(3))
    assert told(chunks.look(2.0)) == [2, 3]
    (folder / "00000000.jsonl").write_bytes(line(9))
    (folder / "00000001.jsonl").unlink()
    assert told(chunks.look(3.0)) == ["Rewritten", 9]


Step = tuple[str, int]
STEPS = st.lists(st.tuples(st.sampled_from(["add", "part", "look", "drop"]), st.integers(0, 3)), max_size=25)


@given(steps=STEPS)
def test_every_row_that_was_whole_at_a_look_is_told_exactly_once(
    tmp_path_factory: pytest.TempPathFactory, steps: list[Step]
) -> None:
    path = tmp_path_factory.mktemp("t") / "transcript.jsonl"
    transcript = followed("c", "transcript", path, None)
    whole: list[bytes] = []
    held, number = b"", 0
    found: list[int | None] = []
    for step, amount in [*steps, ("look", 0)]:
        if step == "add":
            for _ in range(amount):
                held += line(number)
                number += 1
        elif step == "part":
            # The rows are written in pieces that end anywhere.
            done = path.read_bytes() if path.exists() else b""
            whole_text = b"".join(whole) + held
            path.write_bytes(done + whole_text[len(done) :][: amount * 37])
        elif step == "drop":
            flushed = b"".join(whole) + held
            path.write_bytes(flushed)
            whole, held = flushed.splitlines(keepends=True)[amount:], b""
            found += [each.index for each in transcript.look(1.0) if isinstance(each, Row)]
            path.write_bytes(b"".join(whole))
        found += [each.index for each in transcript.look(1.0) if isinstance(each, Row)]
    path.write_bytes(b"".join(whole) + held)
    found += [each.index for each in transcript.look(2.0) if isinstance(each, Row)]
    assert found == list(range(number))


def test_a_series_without_a_folder_says_nothing(tmp_path: Path) -> None:
    assert ChunkSeries(tmp_path / "none").change() is None
    assert Transcript("c", "chunks/transcript", ChunkSeries(tmp_path / "none")).look(1.0) == []
