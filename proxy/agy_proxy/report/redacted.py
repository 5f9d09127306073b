"""A record as it may be printed: what redaction missed when it was recorded is taken out now."""

from dataclasses import replace

from agy_cassettes.interaction import Record, Recorded
from agy_cassettes.redact.placeholders import unnumbered
from agy_cassettes.redact.records import redact_record
from agy_cassettes.redact.redactor import Redactor


def redacted(record: Record, redactor: Redactor) -> Record:
    """The record without secrets, chunk sizes to match; what it says of its own redaction stays as it was."""
    clean = redact_record(record, redactor, unnumbered)
    return replace(clean, recorded=_noted(record.recorded, redactor))


def _noted(recorded: Recorded, redactor: Redactor) -> Recorded:
    note = recorded.extra.get("note")
    if not isinstance(note, str):
        return recorded
    return replace(recorded, extra={**recorded.extra, "note": redactor.redact_text(note)})
