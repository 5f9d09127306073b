"""How much of a cassette is kept by an installed shim: ``--keep last=N,days=D,size=S``."""

import re
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from agy_cassettes.cassette import Cassette
from agy_cassettes.emitter import header
from agy_cassettes.errors import UserError
from agy_cassettes.rewrite import replacing
from agy_cassettes.sidecar import folder_of, sidecars

UNITS = {"": 1, "k": 1 << 10, "m": 1 << 20, "g": 1 << 30}
DAY = 86_400


@dataclass(frozen=True, slots=True)
class Keep:
    """The newest `last` records, those not older than `days`, at most `size` bytes; None sets no limit."""

    last: int | None = None
    days: float | None = None
    size: int | None = None

    def as_json(self) -> dict[str, Any]:
        """The form in which an install is listed."""
        return asdict(self)


@dataclass(frozen=True, slots=True)
class Kept:
    """What is known of a record without parsing all of it: bytes with its sidecars, seconds of the epoch."""

    size: int
    at: float


def parse_keep(text: str) -> Keep:
    """Reads ``last=500,days=14,size=100M``, each at most once; raises `UserError`."""
    found: dict[str, str] = {}
    for part in text.split(","):
        name, _, value = part.strip().partition("=")
        if name not in ("last", "days", "size") or name in found:
            raise _unclear(text)
        found[name] = value
    try:
        last = int(found["last"]) if "last" in found else None
        days = float(found["days"]) if "days" in found else None
    except ValueError:
        raise _unclear(text) from None
    size = _size(found["size"], text) if "size" in found else None
    if any(value is not None and not 0 < value < float("inf") for value in (last, days, size)):
        raise _unclear(text)
    return Keep(last, days, size)


def how_many_to_drop(records: Sequence[Kept], keep: Keep, *, now: float) -> int:
    """How many of the oldest records, which come first, are dropped; the newest one always stays."""
    drop = 0 if keep.last is None else max(0, len(records) - keep.last)
    if keep.days is not None:
        oldest = now - keep.days * DAY
        while drop < len(records) and records[drop].at < oldest:
            drop += 1
    if keep.size is not None:
        total = len(header()) + sum(record.size for record in records[drop:])
        while drop < len(records) and total > keep.size:
            total -= records[drop].size
            drop += 1
    return min(drop, max(0, len(records) - 1))


def drop_old(path: Path, keep: Keep, *, now_ns: int) -> int:
    """Drops the oldest records of a cassette with their sidecars, and gives their number; raises `UserError`.

    The rest of the file stays byte for byte. Where nothing is to be dropped, nothing is written.
    """
    if _to_drop(Cassette.open(path), keep, now_ns) == 0:
        return 0
    gone: set[str] = set()
    with replacing(path) as file:
        cassette = Cassette.open(path)
        drop = _to_drop(cassette, keep, now_ns)
        file.write(header())
        for at, entry in enumerate(cassette.entries):
            named = {sidecar.file for sidecar in sidecars(cassette.record(at))}
            if at < drop:
                gone |= named
            else:
                gone -= named
                file.write(cassette.raw(entry))
    for name in gone:
        (folder_of(path) / name).unlink(missing_ok=True)
    return drop


def _to_drop(cassette: Cassette, keep: Keep, now_ns: int) -> int:
    records = []
    for entry, record in zip(cassette.entries, cassette.records(), strict=True):
        size = entry.length + sum(sidecar.bytes for sidecar in sidecars(record))
        records.append(Kept(size, _seconds(record.recorded.at)))
    return how_many_to_drop(records, keep, now=now_ns / 1e9)


def _seconds(at: str) -> float:
    return datetime.fromisoformat(at[:19]).replace(tzinfo=UTC).timestamp()


def _size(text: str, whole: str) -> int:
    match = re.fullmatch(r"(\d{1,15})([kmg]?)b?", text.lower())
    if match is None:
        raise _unclear(whole)
    return int(match[1]) * UNITS[match[2]]


def _unclear(text: str) -> UserError:
    return UserError(f"--keep {text!r} is not understood; write for example last=500,days=14,size=100M")
