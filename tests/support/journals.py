"""Journals as the shim writes them, for tests that need no shim."""

from collections.abc import Iterable, Mapping
from pathlib import Path

BEGAN = 1_790_000_000_123_456_789
MONOTONIC = 5_000_000_000
MS = 1_000_000


def frame(code: str, at: int, payload: bytes = b"") -> bytes:
    return b"%s %d %d\n%s" % (code.encode(), at, len(payload), payload)


def netstring(item: bytes) -> bytes:
    return b"%d:%s," % (len(item), item)


def netpairs(facts: Mapping[bytes, bytes]) -> bytes:
    return b"".join(netstring(key) + netstring(value) for key, value in facts.items())


def start_facts(argv: Iterable[bytes] = (b"agy", b"-p", b"hi"), **changes: bytes) -> dict[bytes, bytes]:
    """The start record's keys and values; `changes` by key."""
    facts = {
        b"version": b"0.1.0",
        b"run_id": b"run-1",
        b"argv": b"\0".join(argv),
        b"cwd": b"/home/ada/project",
        b"env": b"TERM=dumb\0LANG=C.UTF-8",
        b"home": b"/home/ada",
        b"tmp": b"/tmp",
        b"realtime_ns": b"%d" % BEGAN,
        b"monotonic_ns": b"%d" % MONOTONIC,
        b"pid": b"4711",
        b"ppid": b"4700",
        b"real": b"/usr/bin/agy",
        b"real_size": b"100",
        b"real_mtime_ns": b"1",
        b"stdin": b"null",
        b"stdout": b"pipe",
        b"stderr": b"pipe",
    }
    return {**facts, **{key.encode(): value for key, value in changes.items()}}


def start_frame(argv: Iterable[bytes] = (b"agy", b"-p", b"hi"), **changes: bytes) -> bytes:
    facts = start_facts(argv, **changes)
    return frame("S", int(facts[b"monotonic_ns"]), netpairs(facts))


def end_frames(at: int = MONOTONIC + 900 * MS, *, status: int = 0) -> bytes:
    """What a call ends with when all went well: exit, last stream closed, end of the shim."""
    return frame("x", at, b"%d" % status) + frame("c", at) + frame("E", at)


def write_journal(folder: Path, *parts: bytes, began: int = BEGAN, pid: int = 4711) -> Path:
    folder.mkdir(exist_ok=True, parents=True)
    path = folder / f"{began}-{pid}.journal"
    path.write_bytes(b"".join(parts))
    path.chmod(0o600)
    return path
