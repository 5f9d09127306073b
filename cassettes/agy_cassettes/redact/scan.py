"""What secrets are left in files: in cassettes, their sidecars, or anything else.

A cassette is looked at as it stands and once more as it is read, since YAML has escapes and base64 of its
own. A file that is damaged is looked at all the same.
"""

import os
import re
import stat
from base64 import b64decode
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import yaml

from agy_cassettes.errors import UserError
from agy_cassettes.redact.redactor import Redactor
from agy_cassettes.sidecar import folder_of

_SKIPPED = frozenset((".git", ".hg", ".svn", ".venv", "venv", "node_modules", "__pycache__"))
_CASSETTE = ".agy.yaml"
_OFF = re.compile(rb"^  recorded: \{[^\n]*\bredaction: [\"']?off\b", re.MULTILINE)


class Left(NamedTuple):
    """A secret of class `cls` on a line (counted from 1) of a file."""

    file: Path
    line: int
    cls: str


def scan(path: Path, redactor: Redactor | None = None) -> list[Left]:
    """Return the secrets left in a file, or in all files below a folder; UserError where one can't be read.

    A device or a pipe is refused: it may never end. With a cassette its sidecars are looked at too. Links,
    and folders of version control and of installed packages, are passed over.
    """
    redactor = Redactor() if redactor is None else redactor
    left: list[Left] = []
    for file in _files(path):
        data = _read(file)
        lines = set(_in_bytes(data, redactor))
        if file.name.endswith(_CASSETTE):
            lines.update(_in_yaml(data, redactor))
        left += (Left(file, line, cls) for line, cls in sorted(lines))
    return left


def unredacted(path: Path) -> list[Path]:
    """Return the cassettes, of the files that `scan` looks at, in which a record tells of redaction off."""
    return [
        file
        for file in _files(path)
        if file.name.endswith(_CASSETTE) and _OFF.search(_read(file)) is not None
    ]


def _read(file: Path) -> bytes:
    try:
        # O_NONBLOCK: a FIFO must not hold us.
        fd = os.open(file, os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK)
        with os.fdopen(fd, "rb") as opened:
            if not stat.S_ISREG(os.fstat(fd).st_mode):
                raise UserError(
                    f"{file}: is no regular file, so it can't be scanned; name a file or a folder"
                )
            return opened.read()
    except OSError as error:
        raise UserError(f"{file}: can't be scanned: {(error.strerror or '').lower()}") from error


def _files(path: Path) -> Iterator[Path]:
    if not path.is_dir():
        yield path
        folder = folder_of(path)
        if path.name.endswith(_CASSETTE) and folder.is_dir():
            yield from _files(folder)
        return
    for place, folders, names in os.walk(path):
        folders[:] = sorted(set(folders) - _SKIPPED)
        yield from (
            file for name in sorted(names) if not (file := Path(place, name)).is_symlink() and file.is_file()
        )


def _in_bytes(
    data: bytes, redactor: Redactor, line: int = 1, last: int | None = None
) -> Iterator[tuple[int, str]]:
    """Lines and classes; `line` is that of the first byte, and none is after `last`."""
    at = 0
    for span in redactor.spans(data):
        line += data.count(b"\n", at, span.start)
        at = span.start
        yield line if last is None else min(line, last), span.cls


def _in_yaml(data: bytes, redactor: Redactor) -> Iterator[tuple[int, str]]:
    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    try:
        for event in yaml.parse(data, Loader=loader):
            if not isinstance(event, yaml.ScalarEvent):
                continue
            first, last = event.start_mark, event.end_mark
            value = event.value.encode("utf-8", "surrogatepass")
            if event.tag == "tag:yaml.org,2002:binary":
                value = b64decode(value)
            elif event.style != '"':
                continue
            if first is not None and last is not None:
                yield from _in_bytes(value, redactor, first.line + 1, last.line + 1)
    except (yaml.YAMLError, ValueError, RecursionError):
        # What is no YAML was looked at as it stands; that it is none is for `verify` to say.
        return
