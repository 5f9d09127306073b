"""Cassettes on disk for tests."""

from collections.abc import Iterable
from pathlib import Path

from agy_cassettes.appender import open_for_append
from agy_cassettes.interaction import Record

NOW_NS = 1_796_092_620_000_000_000


def clock() -> int:
    """Always the same time."""
    return NOW_NS


def cassette_of(path: Path, records: Iterable[Record]) -> Path:
    """Append records to a cassette, each on its own, and give its path."""
    for record in records:
        with open_for_append(path, clock=clock) as tail:
            tail.append(record)
    return path
