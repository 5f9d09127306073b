"""Checking a cassette, and accepting what was edited by hand."""

import os
import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

from agy_cassettes.cassette import open_regular, read_layout
from agy_cassettes.document import read_record
from agy_cassettes.emitter import emit_record, end_line
from agy_cassettes.errors import CassetteError
from agy_cassettes.interaction import Record
from agy_cassettes.layout import Entry, Problem, Torn, scan_layout
from agy_cassettes.limits import LIMITS, Limits
from agy_cassettes.node import FormatError
from agy_cassettes.rewrite import replacing
from agy_cassettes.sidecar import folder_of, read_sidecar, sidecars
from agy_cassettes.torn import keep_torn

_ORIGIN = re.compile(rb"^(  recorded: \{[^\n]*\borigin: )captured\b", re.MULTILINE)


@dataclass(frozen=True, slots=True, kw_only=True)
class VerifyReport:
    """What `verify` found in one file; `errors` name all that is wrong, torn tails and repeated ids too."""

    file: Path
    records: int
    torn: Torn | None
    edited: tuple[Entry, ...]
    duplicates: tuple[str, ...]
    errors: tuple[Problem, ...]

    def is_sound(self, *, strict: bool = False) -> bool:
        """Tell whether nothing is wrong; with `strict` an edited record is."""
        return not self.errors and not (strict and self.edited)


def verify(path: Path, limits: Limits = LIMITS) -> VerifyReport:
    """Read a whole cassette with its sidecars and report all that is wrong.

    Raises `CassetteError` only where there is no file to read.
    """
    with open_regular(path, limits) as file:
        layout = read_layout(file, limits)
        errors = list(layout.problems)
        for entry in layout.entries:
            file.seek(entry.offset)
            errors += _record_problems(path, file.read(entry.length), entry, limits)
    if layout.torn is not None:
        name = layout.torn.id or "without an id"
        errors.append(
            Problem(layout.torn.line, f"record {name} is torn: {layout.torn.length} bytes, no end mark")
        )
    return VerifyReport(
        file=path,
        records=len(layout.entries),
        torn=layout.torn,
        edited=tuple(entry for entry in layout.entries if entry.state == "edited"),
        duplicates=layout.duplicates,
        errors=tuple(sorted(set(errors))),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Accepted:
    """What `accept` changed: the ids of edited records, and the torn tail with the file that keeps it."""

    edited: tuple[str, ...] = ()
    torn: Torn | None = None
    torn_file: Path | None = None


def accept(path: Path, *, clock: Callable[[], int]) -> Accepted:
    """Give each record that was edited by hand a new hash and ``origin: edited``, and cut off a torn tail.

    An invented record stays invented. The bytes of a torn tail are kept beside the cassette, as an append
    keeps them; `clock` gives nanoseconds since the epoch, for that file's name. Raises `UserError`.
    """
    open_regular(path).close()
    with replacing(path) as new, open_regular(path) as old:
        layout = scan_layout(old, os.fstat(old.fileno()).st_size)
        if layout.problems:
            raise CassetteError(path, layout.problems[0].what, line=layout.problems[0].line)
        edited = tuple(entry for entry in layout.entries if entry.state == "edited")
        at = 0
        old.seek(0)
        for entry in edited:
            new.write(old.read(entry.offset - at))
            new.write(_accepted(path, entry, old.read(entry.length)))
            at = entry.offset + entry.length
        new.write(old.read(layout.torn.offset - at if layout.torn else -1))
        kept = None if layout.torn is None else keep_torn(path, layout.torn, old.read(), clock)
    return Accepted(edited=tuple(entry.id for entry in edited), torn=layout.torn, torn_file=kept)


def _accepted(path: Path, entry: Entry, data: bytes) -> bytes:
    try:
        record = read_record(data, entry.line)
    except FormatError as error:
        raise CassetteError(path, error.what, line=error.line) from error
    if record.recorded.origin != "invented":
        record = replace(record, recorded=replace(record.recorded, origin="edited"))
    lines = _ORIGIN.sub(rb"\1edited", data[: data.rindex(b"\n  end: ") + 1], count=1)
    patched = lines + end_line(entry.id, lines)
    # Only where the hand has changed how the record is written does it need writing anew.
    return patched if _reads_as(patched, record) else emit_record(record)


def _reads_as(data: bytes, record: Record) -> bool:
    try:
        return read_record(data, 1) == record
    except FormatError:
        return False


def _record_problems(path: Path, data: bytes, entry: Entry, limits: Limits) -> list[Problem]:
    try:
        record = read_record(data, entry.line, limits)
    except FormatError as error:
        return [Problem(error.line, error.what)]
    found = []
    for sidecar in sidecars(record):
        try:
            read_sidecar(folder_of(path), sidecar)
        except CassetteError as error:
            found.append(Problem(entry.line, f"{error.path}: {error.what}"))
    return found
