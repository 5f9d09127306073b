"""Cassettes on disk, written by the code under test."""

from pathlib import Path

from agy_cassettes.appender import open_for_append
from agy_cassettes.interaction import Record


def written(path: Path, *records: Record) -> Path:
    """Appends the records to the cassette at `path`; gives that path."""
    with open_for_append(path, clock=lambda: 0) as tail:
        for record in records:
            tail.append(record)
    return path
