"""The pieces in which a transcript is kept a second time (stores.md 1.3)."""

from __future__ import annotations

import os

from fake_agy.stores.files import append_piece, append_private, size_of

ROLLED_AT = 100_000
"""Bytes of a chunk after which the next one begins."""


def append_rows(folder: str, rows: bytes, *, mid_line: bool) -> None:
    """Append whole rows to the newest chunk, or to the next where that is full; the caller holds the lock.

    `mid_line` cuts chunks at exactly `ROLLED_AT` bytes, so that a row may lie in two of them; else a chunk
    holds whole rows and may grow above that.
    """
    number = max(_numbers(folder), default=0)
    room = ROLLED_AT - size_of(_chunk(folder, number))
    if not mid_line:
        append_private(_chunk(folder, number if room > 0 else number + 1), rows)
        return
    while rows:
        if room > 0:
            append_piece(_chunk(folder, number), rows[:room])
            rows = rows[room:]
        number, room = number + 1, ROLLED_AT


def kept_bytes(folder: str) -> int:
    """Count the bytes that all chunks hold."""
    return sum(size_of(_chunk(folder, number)) for number in _numbers(folder))


def _numbers(folder: str) -> list[int]:
    try:
        return [int(name[:8]) for name in os.listdir(folder) if name[:8].isdigit()]
    except FileNotFoundError:
        return []


def _chunk(folder: str, number: int) -> str:
    return f"{folder}/{number:08d}.jsonl"
