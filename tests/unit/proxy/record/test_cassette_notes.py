from pathlib import Path

import pytest

from agy_proxy.record.cassette_notes import CassetteNotes, caught_up, holds_record

TRANSCRIPT = "${AGY_HOME}/brain/one/.system_generated/logs/transcript.jsonl"


def test_only_what_was_added_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    cassette = tmp_path / "c"
    cassette.write_text(f'- {{op: create, path: "{TRANSCRIPT}"}} REDACTED-email-3\n')
    notes = caught_up(CassetteNotes(), cassette)
    assert (notes.transcripts, notes.numbers) == (frozenset({TRANSCRIPT}), {"email": 3})
    monkeypatch.setattr("agy_proxy.record.cassette_notes.highest", lambda added: {"seen": len(added)})
    with cassette.open("a") as file:
        file.write("REDACTED-email-1\n")
    later = caught_up(notes, cassette)
    assert (later.transcripts, later.numbers) == (notes.transcripts, {"email": 3, "seen": 17})
    assert caught_up(later, cassette) == later


def test_a_replaced_or_shortened_cassette_is_read_anew(tmp_path: Path) -> None:
    cassette = tmp_path / "c"
    cassette.write_text("REDACTED-email-3\n")
    notes = caught_up(CassetteNotes(), cassette)
    other = tmp_path / "other"
    other.write_text("REDACTED-email-1 and longer\n")
    other.replace(cassette)
    assert caught_up(notes, cassette).numbers == {"email": 1}
    cassette.write_text("")
    assert caught_up(notes, cassette).numbers == {}


def test_notes_are_read_as_saved_and_damaged_ones_are_none(tmp_path: Path) -> None:
    path = tmp_path / "notes.json"
    notes = CassetteNotes("1:2", 3, frozenset({TRANSCRIPT}), {"email": 2})
    notes.save(path)
    assert CassetteNotes.load(path) == notes
    for damaged in ("", "[]", '{"identity":1}', '{"identity":"","size":"x","transcripts":[],"numbers":{}}'):
        path.write_text(damaged)
        assert CassetteNotes.load(path) == CassetteNotes()


def test_a_record_is_found_wherever_it_begins_and_not_within_a_body(tmp_path: Path) -> None:
    cassette = tmp_path / "c"
    wanted = '- id: "01J-7"\n'
    for lead in (0, 1, (1 << 22) - 5, (1 << 22) - len(wanted)):
        cassette.write_text("x" * lead + "\n" + wanted)
        assert holds_record(cassette, "01J-7")
        assert not holds_record(cassette, "01J-8")
    cassette.write_text("    " + wanted)
    assert not holds_record(cassette, "01J-7")
