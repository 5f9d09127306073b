"""Where the records of a cassette lie: found by their first and last lines, without reading any YAML.

Only a record begins in the first column, and only its end mark begins with two spaces and ``end:``: the text
of a body is always indented deeper, so that none can feign either.
"""

import hashlib
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import BinaryIO, Literal, NamedTuple

from agy_cassettes.header import check_header
from agy_cassettes.limits import LIMITS, Limits
from agy_cassettes.node import FormatError

_WINDOW = 1024 * 1024
_STRUCTURE = re.compile(rb"^(?:[^ \n#][^\n]*|  (?:end|id):[^\n]*)\n?", re.MULTILINE)
_START = re.compile(rb"- (?:id|mark):[^\n]*\n")
_ID = re.compile(rb'(?:- |  )id: "([^"\n]*)"\s*')
END_LINE = re.compile(rb'  end: "([A-Za-z0-9._:-]{1,128}) (sha256:[0-9a-f]{64})"\n?')
_MARKER = re.compile(rb"(?:<<<<<<<|=======|>>>>>>>|\|\|\|\|\|\|\|)(?:[ \n]|$)")
_TEXT = re.compile(rb"^[ \t]*[^ \t\n#][^\n]*", re.MULTILINE)
_MOST_PROBLEMS = 100
_LINE_BY_LINE = "; was the file merged line by line?"


class Entry(NamedTuple):
    """Where one record lies, in bytes from the start of the file, its line, and if its hash is right."""

    kind: Literal["interaction", "mark"]
    id: str
    offset: int
    length: int
    line: int
    state: Literal["whole", "edited"]


class Torn(NamedTuple):
    """A last record that was not written to its end; `id` where that much is there."""

    offset: int
    length: int
    line: int
    id: str | None


class Problem(NamedTuple):
    """What makes a file no sound cassette, and the line."""

    line: int
    what: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Layout:
    """The records of a file in order, and all that is wrong with their order.

    `ended` tells whether the file's last line has its newline; `torn` is no problem, but a thing to report.
    """

    entries: tuple[Entry, ...]
    torn: Torn | None
    problems: tuple[Problem, ...]
    ended: bool
    duplicates: tuple[str, ...] = ()


def scan_layout(file: BinaryIO, size: int, limits: Limits = LIMITS) -> Layout:
    """Find the records in the first `size` bytes of a file; never raises for what the file holds."""
    scan = _Scan(limits)
    for window in _windows(file, size):
        scan.feed(window)
    return scan.finish()


def _windows(file: BinaryIO, size: int) -> Iterator[bytes]:
    rest = b""
    file.seek(0)
    while size > 0 and (data := file.read(min(size, max(_WINDOW, len(rest))))):
        size -= len(data)
        cut = data.rfind(b"\n") + 1
        if cut:
            yield rest + data[:cut]
            rest = data[cut:]
        else:
            rest += data
    if rest:
        yield rest


class _Scan:
    def __init__(self, limits: Limits) -> None:
        self.limits = limits
        self.offset = 0
        self.line = 1
        self.ended = True
        self.header: list[bytes] | None = []
        self.start: Torn | None = None
        self.kind: Literal["interaction", "mark"] = "interaction"
        self.hash = hashlib.sha256()
        self.entries: list[Entry] = []
        self.ids: dict[str, int] = {}
        self.torn: Torn | None = None
        self.problems: list[Problem] = []
        self.duplicates: list[str] = []

    def feed(self, window: bytes) -> None:
        at = 0
        for match in _STRUCTURE.finditer(window):
            self.between(window[at : match.start()])
            self.structure(match[0])
            at = match.end()
        self.between(window[at:])
        self.ended = window.endswith(b"\n")

    def finish(self) -> Layout:
        self.check_header()
        if self.start is not None:
            self.torn = self.start._replace(length=self.offset - self.start.offset)
        return Layout(
            entries=tuple(self.entries),
            torn=self.torn,
            problems=tuple(sorted(self.problems)),
            ended=self.ended,
            duplicates=tuple(self.duplicates),
        )

    def between(self, data: bytes) -> None:
        if self.header is not None:
            self.header.append(data)
        elif self.start is not None:
            self.hash.update(data)
        elif data and (text := _TEXT.search(data)):
            line = self.line + data.count(b"\n", 0, text.start())
            self.problem("text that belongs to no record" + _LINE_BY_LINE, line)
        self.pass_by(data)

    def structure(self, line: bytes) -> None:
        if _MARKER.match(line):
            self.problem("a conflict marker of git; run: agy-proxy merge --git FILE")
        elif line.startswith(b"- "):
            self.begin(line)
        elif self.header is not None:
            self.header.append(line)
        elif self.start is None:
            self.outside(line)
        elif line.startswith(b"  end:"):
            self.end(line)
        elif line.startswith(b"  "):
            self.name(line)
            self.hash.update(line)
        else:
            self.problem("a line in the first column, inside a record" + _LINE_BY_LINE)
        self.pass_by(line)

    def begin(self, line: bytes) -> None:
        self.check_header()
        if self.start is not None:
            self.problem(f"a record begins before that of line {self.start.line} has ended" + _LINE_BY_LINE)
        elif len(self.entries) == self.limits.records:
            self.problem(f"more than {self.limits.records} records")
        self.start = Torn(self.offset, 0, self.line, None)
        self.kind = "mark" if line.startswith(b"- mark:") else "interaction"
        self.hash = hashlib.sha256(line)
        self.name(line)
        if _START.match(line) is None and line.endswith(b"\n"):
            self.problem("a record must begin with '- id:' or '- mark:'")

    def name(self, line: bytes) -> None:
        if self.start is not None and self.start.id is None and (match := _ID.fullmatch(line)):
            self.start = self.start._replace(id=match[1].decode("utf-8", "replace"))

    def end(self, line: bytes) -> None:
        start = self.start
        assert start is not None
        match = END_LINE.fullmatch(line)
        if match is None:
            if line.endswith(b"\n"):
                self.problem('no end mark; one is written end: "ID sha256:HASH"')
                self.start = None
            return
        record_id = match[1].decode()
        length = self.offset + len(line) - start.offset
        if start.id is not None and start.id != record_id:
            self.problem(f"the end mark of {record_id!r} in the record {start.id!r}" + _LINE_BY_LINE)
        if length > self.limits.record_bytes:
            self.problem(f"a record of more than {self.limits.record_bytes} bytes")
        if record_id in self.ids:
            self.duplicates.append(record_id)
            self.problem(
                f"the id {record_id!r} a second time, first in line {self.ids[record_id]}", start.line
            )
        self.ids.setdefault(record_id, start.line)
        state: Literal["whole", "edited"] = (
            "whole" if match[2] == f"sha256:{self.hash.hexdigest()}".encode() else "edited"
        )
        self.entries.append(Entry(self.kind, record_id, start.offset, length, start.line, state))
        self.start = None

    def outside(self, line: bytes) -> None:
        if line == b"-":
            self.start = Torn(self.offset, 0, self.line, None)
        else:
            self.problem("text that belongs to no record" + _LINE_BY_LINE)

    def check_header(self) -> None:
        if self.header is not None:
            try:
                check_header(b"".join(self.header), self.limits)
            except FormatError as error:
                self.problem(error.what, error.line)
            self.header = None

    def problem(self, what: str, line: int | None = None) -> None:
        if len(self.problems) < _MOST_PROBLEMS:
            self.problems.append(Problem(self.line if line is None else line, what))

    def pass_by(self, data: bytes) -> None:
        self.offset += len(data)
        self.line += data.count(b"\n")
