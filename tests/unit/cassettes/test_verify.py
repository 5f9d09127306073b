import errno
import os
from functools import partial
from pathlib import Path

import pytest

from agy_cassettes.appender import open_for_append
from agy_cassettes.cassette import Cassette
from agy_cassettes.document import read_record
from agy_cassettes.emitter import emit_record, header
from agy_cassettes.errors import CassetteError
from agy_cassettes.interaction import Recorded
from agy_cassettes.sidecar import folder_of
from agy_cassettes.verify import Accepted, accept, verify
from tests.support.cassettes import cassette_of, clock
from tests.support.interactions import AT, BY, interaction, mark

RECORDS = (interaction("01J0-1"), mark("01J0-2m", note="x"), interaction("01J0-3"))


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return cassette_of(tmp_path / "a.agy.yaml", RECORDS)


def edit(path: Path, old: bytes, new: bytes, count: int = -1) -> None:
    data = path.read_bytes()
    assert old in data
    path.write_bytes(data.replace(old, new, count))


def test_a_sound_cassette_has_nothing_to_tell(path: Path) -> None:
    report = verify(path)
    assert (report.records, report.torn, report.edited, report.duplicates, report.errors) == (
        3,
        None,
        (),
        (),
        (),
    )
    assert report.is_sound(strict=True)


def test_an_edited_record_is_sound_unless_strict(path: Path) -> None:
    edit(path, b"left?", b"gone?", 1)
    report = verify(path)
    assert [entry.id for entry in report.edited] == ["01J0-1"]
    assert report.is_sound()
    assert not report.is_sound(strict=True)


def test_a_torn_tail_is_named(path: Path) -> None:
    os.truncate(path, path.stat().st_size - 5)
    report = verify(path)
    assert report.torn is not None
    assert report.torn.id == "01J0-3"
    assert [error.line for error in report.errors] == [report.torn.line]
    assert "record 01J0-3 is torn" in report.errors[0].what


def test_all_that_is_wrong_is_told_not_only_the_first(path: Path) -> None:
    edit(path, b"exit: {code: 0}", b"exit: {code: 999}")
    edit(path, b'note: "x"', b"note: [x]")
    with path.open("ab") as file:
        file.write(emit_record(interaction("01J0-1")) + b"======= \n")
    report = verify(path)
    assert [error.line for error in report.errors] == sorted(error.line for error in report.errors)
    told = [error.what for error in report.errors]
    parts = ("code must", "note is", "a second time", "conflict")
    assert [sum(part in what for what in told) for part in parts] == [2, 1, 1, 1]
    assert report.duplicates == ("01J0-1",)
    assert not report.is_sound()


def test_a_missing_or_damaged_sidecar_is_told_with_its_records_line(tmp_path: Path) -> None:
    records = [interaction("01J0-1"), interaction("01J0-2", stdout=b"x" * 1_100_000)]
    path = cassette_of(tmp_path / "a.agy.yaml", records)
    (sidecar,) = folder_of(path).iterdir()
    sidecar.write_bytes(b"y")
    (error,) = verify(path).errors
    assert error.line == Cassette.open(path).entries[1].line
    assert sidecar.name in error.what


def test_accepting_gives_a_new_hash_and_origin_and_changes_nothing_else(path: Path) -> None:
    edit(path, b"left?", b"gone?", 1)
    edit(path, b"    stdin: null\n", b"    stdin: null  # nothing was typed\n", 1)
    edit(path, b'note: "x"', b'note: "y"')
    before = path.read_bytes()
    assert accept(path, clock=clock).edited == ("01J0-1", "01J0-2m")
    cassette = Cassette.open(path)
    assert [entry.state for entry in cassette.entries] == ["whole"] * 3
    assert [record.recorded.origin for record in cassette.records()] == ["edited", "edited", "captured"]
    assert b"# nothing was typed" in path.read_bytes()
    changed = set(path.read_bytes().splitlines()) - set(before.splitlines())
    assert len(changed) == 4
    assert accept(path, clock=clock) == Accepted()


def test_accepting_writes_anew_what_a_hand_wrote_in_another_form(path: Path) -> None:
    edit(path, b"recorded: {", b"recorded: {  ", 1)
    edit(path, b"origin: captured", b'"origin": "captured"', 1)
    assert accept(path, clock=clock).edited == ("01J0-1",)
    assert Cassette.open(path).record(0).recorded.origin == "edited"


def test_an_invented_record_stays_invented(tmp_path: Path) -> None:
    recorded = Recorded(at=AT, by=BY, origin="invented")
    path = cassette_of(tmp_path / "a.agy.yaml", [interaction(recorded=recorded)])
    edit(path, b"left?", b"gone?")
    accept(path, clock=clock)
    assert Cassette.open(path).record(0).recorded.origin == "invented"
    assert verify(path).edited == ()


def test_accepting_cuts_off_a_torn_tail_and_keeps_it_as_an_append_does(path: Path) -> None:
    edit(path, b"left?", b"gone?", 1)
    os.truncate(path, path.stat().st_size - 5)
    offset = Cassette.open(path).entries[-1].offset + Cassette.open(path).entries[-1].length
    tail = path.read_bytes()[offset:]
    twin = path.with_name("twin.agy.yaml")
    twin.write_bytes(path.read_bytes())
    accepted = accept(path, clock=clock)
    assert accepted.torn is not None
    assert (accepted.torn.id, accepted.torn.length) == ("01J0-3", len(tail))
    assert accepted.torn_file is not None
    assert accepted.torn_file.read_bytes() == tail
    with open_for_append(twin, clock=clock) as end:
        assert end.torn == accepted.torn
        assert end.torn_file is not None
        assert end.torn_file.name == accepted.torn_file.name.replace(path.name, twin.name)
        assert end.torn_file.read_bytes() == tail
    assert verify(path).errors == ()
    assert [entry.id for entry in Cassette.open(path).entries] == ["01J0-1", "01J0-2m"]


def test_a_torn_tail_that_cannot_be_kept_is_not_cut_off(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    os.truncate(path, path.stat().st_size - 5)
    before = path.read_bytes()
    real = os.open

    def full(name: str | Path, flags: int, mode: int = 0o777) -> int:
        if ".torn-" in os.fspath(name):
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        return real(name, flags, mode)

    monkeypatch.setattr(os, "open", full)
    with pytest.raises(CassetteError, match="torn tail could not be put to"):
        accept(path, clock=clock)
    assert path.read_bytes() == before


def test_accepting_ends_the_last_line(path: Path) -> None:
    edit(path, b"left?", b"gone?")
    os.truncate(path, path.stat().st_size - 1)
    accept(path, clock=clock)
    assert path.read_bytes().endswith(b'"\n')
    assert Cassette.open(path).notices == ()


@pytest.mark.parametrize("content", [b"x", header() + b"- id: 1\n- id: 2\n"])
def test_what_is_no_cassette_is_not_accepted(content: bytes, tmp_path: Path) -> None:
    path = tmp_path / "a.agy.yaml"
    path.write_bytes(content)
    with pytest.raises(CassetteError):
        accept(path, clock=clock)
    assert path.read_bytes() == content


def test_a_record_that_cannot_be_read_is_not_accepted(path: Path) -> None:
    edit(path, b"code: 0", b"code: x", 1)
    before = path.read_bytes()
    with pytest.raises(CassetteError, match="not a whole number"):
        accept(path, clock=clock)
    assert path.read_bytes() == before


def test_a_missing_file_is_told_and_not_made(tmp_path: Path) -> None:
    for check in (verify, partial(accept, clock=clock)):
        with pytest.raises(CassetteError, match="no such cassette"):
            check(tmp_path / "a.agy.yaml")
    assert list(tmp_path.iterdir()) == []


def test_unknown_keys_are_kept_when_a_record_is_written_anew(path: Path) -> None:
    data = Cassette.open(path).raw(Cassette.open(path).entries[0])
    data = data.replace(b"  files:", b'  from_the_future: {a: [1, "x", !!binary "/w=="]}\n  files:')
    record = read_record(data, 1)
    assert b'from_the_future: {a: [1, "x", !!binary "/w=="]}\n' in emit_record(record)
