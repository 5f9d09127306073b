import os
from pathlib import Path

import pytest

from agy_cassettes import cassette as module
from agy_cassettes.cassette import Cassette
from agy_cassettes.errors import CassetteError
from agy_cassettes.interaction import Interaction, Record
from tests.support.cassettes import cassette_of
from tests.support.interactions import interaction, mark

RECORDS: tuple[Record, ...] = (
    interaction("01J0-1"),
    mark("01J0-2m"),
    interaction("01J0-3", stdout=b"x" * 1_100_000),
)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return cassette_of(tmp_path / "a.agy.yaml", RECORDS)


def test_records_come_by_place_by_id_and_in_order(path: Path) -> None:
    cassette = Cassette.open(path)
    assert cassette.record(0) == RECORDS[0]
    assert cassette.record("01J0-2m") == RECORDS[1]
    assert [record.id for record in cassette.records()] == ["01J0-1", "01J0-2m", "01J0-3"]
    assert [record.id for record in cassette.interactions()] == ["01J0-1", "01J0-3"]
    with pytest.raises(KeyError):
        cassette.record("01J0-9")
    with pytest.raises(IndexError):
        cassette.record(3)


def test_a_body_is_read_from_the_record_or_from_its_sidecar(path: Path) -> None:
    cassette = Cassette.open(path)
    small, _, large = cassette.records()
    assert isinstance(small, Interaction)
    assert isinstance(large, Interaction)
    assert cassette.read(small.response.stdout) == b"Half.\n"
    assert cassette.read(large.response.stdout) == b"x" * 1_100_000


def test_opening_parses_no_record(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def parse(*_: object) -> None:
        raise AssertionError

    monkeypatch.setattr(module, "read_record", parse)
    assert len(Cassette.open(path).entries) == 3


def test_a_record_is_given_as_its_bytes(path: Path) -> None:
    cassette = Cassette.open(path)
    data = b"".join(cassette.raw(entry) for entry in cassette.entries)
    assert path.read_bytes().endswith(data)


def test_an_edited_record_loads_with_one_notice_for_all(path: Path) -> None:
    path.write_bytes(path.read_bytes().replace(b"left?", b"gone?"))
    cassette = Cassette.open(path)
    assert [entry.state for entry in cassette.entries] == ["edited", "whole", "edited"]
    assert cassette.notices == (
        f"{path}:3: record 01J0-1 and 1 more edited since it was recorded;"
        " agy-proxy verify --accept marks it so",
    )
    assert isinstance(first := cassette.record(0), Interaction)
    assert first.request.prompt == "What is gone?"
    cassette.validate()


def test_a_torn_tail_is_reported_and_the_rest_is_there(path: Path) -> None:
    os.truncate(path, path.stat().st_size - 10)
    cassette = Cassette.open(path)
    assert [entry.id for entry in cassette.entries] == ["01J0-1", "01J0-2m"]
    assert cassette.torn is not None
    assert cassette.torn.id == "01J0-3"
    assert len(cassette.notices) == 1
    assert f"{path}:{cassette.torn.line}: record 01J0-3 is torn" in cassette.notices[0]
    with pytest.raises(CassetteError, match="01J0-3 is torn"):
        cassette.validate()


def test_a_missing_last_newline_is_told(path: Path) -> None:
    os.truncate(path, path.stat().st_size - 1)
    cassette = Cassette.open(path)
    assert len(cassette.entries) == 3
    assert "no newline; nothing else is missing" in cassette.notices[0]
    assert cassette.record(2).id == "01J0-3"


def test_a_file_that_changed_since_it_was_opened_is_no_record(path: Path) -> None:
    cassette = Cassette.open(path)
    path.write_bytes(b"\n" + path.read_bytes())
    with pytest.raises(CassetteError, match="changed while"):
        cassette.record(1)


def test_an_index_saves_the_second_scan(path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first = Cassette.open(path, state=tmp_path / "state")

    def scan(*_: object) -> None:
        raise AssertionError

    monkeypatch.setattr(module, "scan_layout", scan)
    assert Cassette.open(path, state=tmp_path / "state") == first


@pytest.mark.parametrize("change", ["append", "edit", "touch", "replace", "torn"])
def test_an_index_of_another_file_is_not_used(change: str, path: Path, tmp_path: Path) -> None:
    state = tmp_path / "state"
    Cassette.open(path, state=state)
    facts = path.stat()
    data = path.read_bytes()
    if change == "append":
        cassette_of(path, [interaction("01J0-4")])
    elif change == "edit":
        path.write_bytes(data.replace(b"left?", b"gone?"))
        os.utime(path, ns=(facts.st_atime_ns, facts.st_mtime_ns))
    elif change == "touch":
        os.utime(path, ns=(facts.st_atime_ns, facts.st_mtime_ns + 1))
    elif change == "replace":
        other = tmp_path / "b"
        other.write_bytes(data.replace(b"left?", b"gone?"))
        other.replace(path)
    else:
        os.truncate(path, len(data) - 5)
    assert Cassette.open(path, state=state) == Cassette.open(path)


@pytest.mark.parametrize("kept", [b"", b"{}", b"[]", b"\xff", b'{"facts": null}'])
def test_a_damaged_index_is_made_anew(kept: bytes, path: Path, tmp_path: Path) -> None:
    state = tmp_path / "state"
    Cassette.open(path, state=state)
    (file,) = (state / "index").iterdir()
    file.write_bytes(kept)
    assert Cassette.open(path, state=state) == Cassette.open(path)
    assert file.read_bytes() != kept


def test_a_state_folder_that_cannot_be_written_costs_only_time(path: Path, tmp_path: Path) -> None:
    (tmp_path / "state").write_text("a file")
    assert len(Cassette.open(path, state=tmp_path / "state").entries) == 3


def test_a_missing_libyaml_is_told_once(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "HAS_LIBYAML", False)
    monkeypatch.setattr(module, "_warned", set())
    told: list[str] = []
    Cassette.open(path, warn=told.append)
    Cassette.open(path, warn=told.append)
    assert told == ["agy-proxy: PyYAML has no libyaml here, so cassettes load about ten times slower"]
