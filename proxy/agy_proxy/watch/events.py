"""What a follower tells of a store, as frozen data; `at` is the follower's clock in seconds."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True, kw_only=True)
class Appeared:
    """A conversation has its folder: a fresh turn, or one that was meant to go on elsewhere (stores.md 3)."""

    conversation: str
    at: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Child:
    """A conversation is a subagent's of `parent` (stores.md 1.4)."""

    conversation: str
    parent: str
    at: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """A whole line of a transcript, told once.

    `file` is ``transcript`` or ``transcript_full``, with ``chunks/`` before it where chunks are followed.
    `index` is its step_index, None where it has none. `again` where this file had a row of that index before,
    `late` where it had one of a higher index: both happen (stores.md 2.5).
    """

    conversation: str
    file: str
    index: int | None
    row: Mapping[str, Any]
    line: bytes
    at: float
    again: bool = False
    late: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Damaged:
    """A whole line that is no JSON object."""

    conversation: str
    file: str
    line: bytes
    at: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Rewritten:
    """A transcript was cut or replaced, as by a compaction; rows that were told are not told again."""

    conversation: str
    file: str
    at: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Gone:
    """A conversation's folder was deleted."""

    conversation: str
    at: float


Event = Appeared | Child | Row | Damaged | Rewritten | Gone
