from collections.abc import Iterator
from pathlib import Path

import pytest

from agy_cassettes.redact.placeholders import Placeholders
from agy_proxy.record import cassette_notes
from agy_proxy.record.cassette_notes import catch_up, holds_record
from agy_proxy.record.ledger import Ledger, open_ledger

TRANSCRIPT = "${AGY_HOME}/brain/one/.system_generated/logs/transcript.jsonl"


@pytest.fixture
def ledger(tmp_path: Path) -> Iterator[Ledger]:
    with open_ledger(tmp_path / "ledger") as opened:
        yield opened


def next_email(ledger: Ledger) -> bytes:
    return Placeholders(ledger)("email", b"ada@example.org")


def test_only_what_was_added_is_read(tmp_path: Path, ledger: Ledger, monkeypatch: pytest.MonkeyPatch) -> None:
    cassette = tmp_path / "c"
    cassette.write_text(f'- {{op: create, path: "{TRANSCRIPT}"}} REDACTED-email-3\n')
    catch_up(ledger, cassette)
    assert ledger.has_transcript(TRANSCRIPT)
    assert not ledger.has_transcript(TRANSCRIPT.replace("one", "two"))
    read: list[bytes] = []

    def seen(added: bytes) -> dict[str, int]:
        read.append(added)
        return {}

    monkeypatch.setattr(cassette_notes, "highest", seen)
    with cassette.open("a") as file:
        file.write("REDACTED-email-1\n")
    catch_up(ledger, cassette)
    catch_up(ledger, cassette)
    assert read == [b"REDACTED-email-1\n"]
    assert ledger.has_transcript(TRANSCRIPT)
    assert next_email(ledger) == b"REDACTED-email-4"


def test_a_long_cassette_is_read_in_parts_that_end_with_lines(
    tmp_path: Path, ledger: Ledger, monkeypatch: pytest.MonkeyPatch
) -> None:
    cassette = tmp_path / "c"
    lines = [
        f'path: "{TRANSCRIPT.replace("one", str(number))}" REDACTED-email-{number}' for number in range(99)
    ]
    cassette.write_text("\n".join(lines))
    monkeypatch.setattr(cassette_notes, "_PART", 100)
    catch_up(ledger, cassette)
    assert all(ledger.has_transcript(TRANSCRIPT.replace("one", str(number))) for number in range(99))
    assert next_email(ledger) == b"REDACTED-email-99"


@pytest.mark.parametrize("way", ["replaced", "shortened", "emptied", "written anew and longer"])
def test_another_cassette_is_read_anew_and_its_numbers_are_not_given_either(
    tmp_path: Path, ledger: Ledger, way: str
) -> None:
    cassette = tmp_path / "c"
    cassette.write_text(f'path: "{TRANSCRIPT}" REDACTED-email-3\n')
    catch_up(ledger, cassette)
    new = f'path: "{TRANSCRIPT.replace("one", "two")}" REDACTED-email-7\n'
    match way:
        case "replaced":
            other = tmp_path / "other"
            other.write_text(new * 9)
            other.replace(cassette)
        case "shortened":
            cassette.write_text(new[:-1])
        case "emptied":
            cassette.write_text("")
        case _:
            cassette.write_text(new * 9)
    catch_up(ledger, cassette)
    assert not ledger.has_transcript(TRANSCRIPT)
    assert ledger.has_transcript(TRANSCRIPT.replace("one", "two")) == (way != "emptied")
    assert next_email(ledger) == b"REDACTED-email-%d" % (4 if way == "emptied" else 8)


def test_a_record_is_found_wherever_it_begins_and_not_within_a_body(tmp_path: Path) -> None:
    cassette = tmp_path / "c"
    wanted = '- id: "01J-7"\n'
    for lead in (0, 1, (1 << 22) - 5, (1 << 22) - len(wanted)):
        cassette.write_text("x" * lead + "\n" + wanted)
        assert holds_record(cassette, "01J-7")
        assert not holds_record(cassette, "01J-8")
    cassette.write_text("    " + wanted)
    assert not holds_record(cassette, "01J-7")
