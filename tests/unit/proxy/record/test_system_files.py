"""Everything below a conversation's system folder but its transcripts, in whole rows and whole files."""

import os
from pathlib import Path

import pytest

from agy_proxy.record.system_files import MOST, SystemFiles


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name in ("logs/chunks/transcript", "messages", "steps/3"):
        (tmp_path / name).mkdir(parents=True)
    return tmp_path


def seen(files: SystemFiles, folder: Path, *, rest: bool = False) -> list[tuple[str, str, bytes]]:
    found = [(Path(os.fsdecode(path)), change) for path, change in files.changes(rest=rest)]
    return [(str(path.relative_to(folder)), change.op, change.data) for path, change in found]


def test_what_is_there_is_old_unless_the_conversation_is_fresh(folder: Path) -> None:
    (folder / "messages/a.json").write_text("{}")
    assert seen(SystemFiles(bytes(folder), fresh=False), folder) == []
    assert seen(SystemFiles(bytes(folder), fresh=True), folder) == [("messages/a.json", "create", b"{}")]


def test_chunks_come_in_whole_rows_and_other_files_as_they_are(folder: Path) -> None:
    files = SystemFiles(bytes(folder), fresh=False)
    (folder / "logs/chunks/transcript/00000000.jsonl").write_bytes(b"row\npart")
    (folder / "steps/3/output.txt").write_bytes(b"no newline")
    assert seen(files, folder) == [
        ("logs/chunks/transcript/00000000.jsonl", "create", b"row\n"),
        ("steps/3/output.txt", "create", b"no newline"),
    ]
    assert seen(files, folder, rest=True) == [("logs/chunks/transcript/00000000.jsonl", "append", b"part")]


def test_transcripts_links_and_drafts_are_left_alone(folder: Path) -> None:
    files = SystemFiles(bytes(folder), fresh=True)
    (folder / "logs/transcript.jsonl").write_text("row\n")
    (folder / "logs/transcript_full.jsonl").write_text("row\n")
    (folder / "messages/link.json").symlink_to(folder / "logs/transcript.jsonl")
    (folder / "messages/.read.json.12").write_text("draft")
    (folder / "out").symlink_to("/etc")
    assert seen(files, folder) == []


def test_what_is_no_text_or_too_large_is_counted_and_not_read(folder: Path) -> None:
    files = SystemFiles(bytes(folder), fresh=True)
    (folder / "messages/binary.json").write_bytes(b"\xff\xfe")
    with (folder / "messages/huge.json").open("wb") as huge:
        huge.truncate(MOST + 1)
    (folder / "messages/cut.json").write_bytes("é".encode()[:1])
    assert [name for name, *_ in seen(files, folder)] == ["messages/cut.json"]
    assert len(files.skipped) == 2
    assert [name for name, *_ in seen(files, folder)] == []
