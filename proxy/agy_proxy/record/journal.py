"""What the shim wrote down about one call, read back.

A journal is a file of frames: a header ``<code> <monotonic ns> <length>`` and a newline, then that many
bytes. Whoever wrote it may have been killed at any byte: a cut last frame is left out and said, no error.
"""

import fcntl
import os
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple

SUFFIX = ".journal"
LONGEST_HEADER = 64
"""Bytes: a code, two numbers of at most 20 digits, two spaces and a newline fit well."""
_REVIVED = re.compile(rb"n [0-9]{1,20} [0-9]{1,4}\nthe recording is incomplete: the standby was killed")


class Frame(NamedTuple):
    """One entry: what happened (`code`), when (CLOCK_MONOTONIC ns) and its bytes."""

    code: str
    at: int
    payload: bytes


class Name(NamedTuple):
    """What a journal's file name says: when the call began (CLOCK_REALTIME ns) and the shim's pid."""

    realtime_ns: int
    pid: int


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenFile:
    """A regular file that a stream went to: which one, and the offset in bytes where this call began."""

    path: bytes
    identity: str
    offset: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Start:
    """The call as the shim found it; paths are bytes, sizes bytes, `env` holds ``NAME=value`` items."""

    version: str
    run_id: str
    argv: tuple[bytes, ...]
    cwd: bytes
    env: tuple[bytes, ...]
    home: bytes
    tmp: bytes
    realtime_ns: int
    monotonic_ns: int
    pid: int
    ppid: int
    real: bytes
    real_size: int
    real_mtime_ns: int
    stdin: str
    stdout: str
    stderr: str
    stdout_file: OpenFile | None
    stderr_file: OpenFile | None
    before: Mapping[bytes, int | None]
    nested: bool
    shim: bytes
    tty: tuple[int, int] | None = None
    """The terminal's rows and columns."""
    terminal: str = ""
    """What stood before the terminal: ``tap``, ``session`` or nothing."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Journal:
    """All whole frames of a journal in the order written; `start` is None when not even that was whole."""

    path: Path
    start: Start | None
    frames: tuple[Frame, ...]
    torn: bool

    def first(self, code: str) -> Frame | None:
        """Return the first frame with that code."""
        return next((frame for frame in self.frames if frame.code == code), None)

    def notes(self) -> tuple[str, ...]:
        """What went wrong with the recording itself."""
        return tuple(_text(frame.payload) for frame in self.frames if frame.code == "n")

    @property
    def complete(self) -> bool:
        """Whether the call was seen to its end: agy's exit, the shim's own, and nothing lost between."""
        return not self.torn and not self.notes() and None not in (self.first("x"), self.first("E"))


def journal_name(path: Path) -> Name | None:
    """Return what the file's name says, or None where it is not named like a journal."""
    if path.suffix != SUFFIX:
        return None
    began, _, pid = path.stem.partition("-")
    if not (began.isascii() and began.isdigit() and pid.isascii() and pid.isdigit()):
        return None
    return Name(int(began), int(pid))


def list_journals(folder: Path) -> tuple[Path, ...]:
    """Return the journals in the folder, by the time their calls began; none where there is no folder."""
    try:
        found = [folder / name for name in os.listdir(folder)]  # noqa: PTH208 - Path.iterdir costs ten times that
    except FileNotFoundError:
        return ()
    named = [(name, path) for path in found if (name := journal_name(path)) is not None]
    return tuple(path for _, path in sorted(named))


def read_journal(path: Path) -> Journal:
    """Read a whole journal; raises OSError only where the file can't be read."""
    data = path.read_bytes()
    frames, end = _parse(data, 0)
    torn = end != len(data)
    if torn:
        frames = _read_on(data, frames, end)
    start = read_start(frames[0].payload) if frames and frames[0].code == "S" else None
    return Journal(path=path, start=start, frames=tuple(frames), torn=torn)


def parse_header(line: bytes) -> tuple[str, int, int] | None:
    """Parse a frame's header without its newline into code, time and length; None where it is none."""
    parts = line.split(b" ")
    if len(parts) != 3 or len(parts[0]) != 1 or not (parts[1].isdigit() and parts[2].isdigit()):
        return None
    return parts[0].decode("latin-1"), int(parts[1]), int(parts[2])


def _parse(data: bytes, at: int) -> tuple[list[Frame], int]:
    """Read frames from `at` on; returns them, and where the last whole one ends."""
    frames: list[Frame] = []
    while at < len(data):
        head = _header_at(data, at)
        if head is None or head[1] + head[0][2] > len(data):
            break
        (code, time, length), body = head
        at = body + length
        frames.append(Frame(code, time, data[body:at]))
    return frames, at


def _header_at(data: bytes, at: int) -> tuple[tuple[str, int, int], int] | None:
    line_end = data.find(b"\n", at, at + LONGEST_HEADER)
    header = parse_header(data[at:line_end]) if line_end >= 0 else None
    return None if header is None else (header, line_end + 1)


def _read_on(data: bytes, frames: list[Frame], end: int) -> list[Frame]:
    """Read on behind a frame that was torn in the middle of the file, which says so itself.

    The shim puts another standby in the place of a killed one, and that begins with a note. Without this the
    frames behind would count as the torn one's bytes. Where the note is only what agy printed, reading on
    from it leads nowhere, and the `frames` up to `end` stay.
    """
    resumed = _REVIVED.search(data)
    behind, reached = ([], 0) if resumed is None else _parse(data, resumed.start())
    if resumed is None or reached <= end:
        return frames
    whole: list[Frame] = []
    at = 0
    while (head := _header_at(data, at)) is not None and head[1] <= resumed.start():
        (code, time, length), body = head
        at = min(body + length, resumed.start())
        whole.append(Frame(code, time, data[body:at]))
    return whole + behind


def netstrings(data: bytes) -> tuple[bytes, ...]:
    """Split ``<length>:<bytes>,`` items; raises ValueError on anything else."""
    items: list[bytes] = []
    at = 0
    while at < len(data):
        colon = data.find(b":", at, at + 21)
        digits = data[at:colon] if colon >= 0 else b""
        if not digits.isdigit():
            raise ValueError(f"no length at byte {at}")
        end = colon + 1 + int(digits)
        if data[end : end + 1] != b",":
            raise ValueError(f"no comma at byte {end}")
        items.append(data[colon + 1 : end])
        at = end + 1
    return tuple(items)


def pairs(data: bytes) -> dict[bytes, bytes]:
    """Read alternating keys and values; raises ValueError where they don't pair up."""
    items = netstrings(data)
    if len(items) % 2:
        raise ValueError("a key without a value")
    return dict(zip(items[::2], items[1::2], strict=True))


def read_start(payload: bytes) -> Start | None:
    """Read a start frame; None where it holds something else than a shim writes."""
    try:
        return _start({key.decode("ascii"): value for key, value in pairs(payload).items()})
    except (ValueError, KeyError):
        return None


def _start(facts: Mapping[str, bytes]) -> Start:
    def number(key: str) -> int:
        return int(facts.get(key) or b"0")

    return Start(
        version=_text(facts.get("version", b"")),
        run_id=_text(facts.get("run_id", b"")),
        argv=_items(facts["argv"]),
        cwd=facts["cwd"],
        env=_items(facts.get("env", b"")) if facts.get("env") else (),
        home=facts.get("home", b""),
        tmp=facts.get("tmp", b"") or b"/tmp",
        realtime_ns=int(facts["realtime_ns"]),
        monotonic_ns=int(facts["monotonic_ns"]),
        pid=int(facts["pid"]),
        ppid=number("ppid"),
        real=facts.get("real", b""),
        real_size=number("real_size"),
        real_mtime_ns=number("real_mtime_ns"),
        stdin=_text(facts.get("stdin", b"null")),
        stdout=_text(facts.get("stdout", b"pipe")),
        stderr=_text(facts.get("stderr", b"pipe")),
        stdout_file=_open_file(facts, "stdout"),
        stderr_file=_open_file(facts, "stderr"),
        before=_before(facts.get("before", b"")),
        nested=facts.get("nested") == b"1",
        shim=facts.get("shim_path", b""),
        tty=read_size(facts.get("tty", b"")),
        terminal=_text(facts.get("terminal", b"")),
    )


def read_size(told: bytes) -> tuple[int, int] | None:
    """Read ``ROWS COLS``; None for anything else."""
    numbers = told.split(b" ")
    if len(numbers) != 2 or not all(number.isdigit() for number in numbers):
        return None
    return int(numbers[0]), int(numbers[1])


def _open_file(facts: Mapping[str, bytes], stream: str) -> OpenFile | None:
    """Read ``<dev>:<ino> <path>`` and the offset beside it."""
    fact, offset = facts.get(f"{stream}_file"), facts.get(f"{stream}_offset")
    if not fact or not offset:
        return None
    identity, _, path = fact.partition(b" ")
    return OpenFile(path=path, identity=_text(identity), offset=int(offset))


def _before(data: bytes) -> Mapping[bytes, int | None]:
    """Sizes in bytes before the call; None for a file that wasn't there. A time may follow after a colon."""
    sizes: dict[bytes, int | None] = {}
    for path, fact in pairs(data).items():
        size = fact.partition(b":")[0]
        sizes[path] = int(size) if size.isdigit() else None
    return MappingProxyType(sizes)


def _items(joined: bytes) -> tuple[bytes, ...]:
    return tuple(joined.split(b"\0"))


def _text(raw: bytes) -> str:
    return raw.decode("utf-8", "surrogateescape")


def lock_if_finished(path: Path) -> int | None:
    """Take the journal for finishing: an open descriptor with the only lock on it, which the caller closes.

    None while the shim or its standby still writes to it, while another finisher has it, or when it is gone.
    """
    if not _has_begun(path):
        return None
    try:
        fd = os.open(path, os.O_RDWR | os.O_APPEND | os.O_CLOEXEC | os.O_NOFOLLOW)
    except OSError:
        return None
    try:
        fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
        mine, there = os.fstat(fd), path.stat()
        if (mine.st_dev, mine.st_ino) == (there.st_dev, there.st_ino):
            return fd
    except OSError:
        pass
    os.close(fd)
    return None


def await_finisher(path: Path) -> bool:
    """Wait while another finisher has the journal; whether one had it.

    The shim and its standby share their lock, so a call that is not over is not waited for.
    """
    try:
        fd = os.open(path, os.O_RDONLY | os.O_CLOEXEC | os.O_NOFOLLOW)
    except OSError:
        return False
    try:
        fcntl.flock(fd, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        fcntl.flock(fd, fcntl.LOCK_SH)
        return True
    finally:
        os.close(fd)
    return False


def _has_begun(path: Path) -> bool:
    """Whether the shim has locked its journal: before that a lock of ours would cost it the recording."""
    try:
        if path.stat().st_size:
            return True
    except OSError:
        return False
    name = journal_name(path)
    return name is None or not is_alive(name.pid)


def is_alive(pid: int) -> bool:
    """Whether there is a process of that number."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True
