"""The log that a call writes into the store, found by the process's number in its lines (contract.md 2.9)."""

import os
import re

from agy_proxy.watch.tail import Change, Tail

_NAME = re.compile(rb"cli-[0-9_]+\.log")
_LINE = re.compile(rb"(?m)^(?:ERROR: logging before google\.Init: )?[IWEF]\d{4} [\d:.]+ +(\d+) ")
MOST = 1 << 20
"""Bytes of a log in which the first line of the process is looked for."""
LINK = b"cli.log"
"""The link to the newest log, which each call sets."""


class OwnLog:
    """The default log of one call that began at `since_ns` of the epoch; `folder` is the store's ``log``."""

    def __init__(self, folder: bytes, since_ns: int) -> None:
        self._folder = folder
        self._since_ns = since_ns
        self._others: set[bytes] = set()
        self._tail: Tail | None = None
        self._linked = False

    def changes(self, pid: int | None, *, rest: bool) -> list[tuple[bytes, Change]]:
        """Return what the process `pid` wrote into its log since; nothing while that is not known."""
        if self._tail is None and pid is not None:
            self._find(pid)
        if self._tail is None or pid is None:
            return []
        change = self._tail.change(rest=rest)
        if change is None:
            return []
        return [(self._tail.path, change._replace(data=_lines_of(pid, change.data)))]

    def link(self) -> tuple[bytes, bytes, int] | None:
        """Return the link, what it points to and since when (ns of the epoch), once, if that is this log."""
        if self._tail is None or self._linked:
            return None
        path = self._folder + b"/" + LINK
        try:
            target = os.readlink(path)  # noqa: PTH115 - bytes
            since = os.stat(path, follow_symlinks=False).st_mtime_ns  # noqa: PTH116 - bytes
        except OSError:
            return None
        if target != os.path.basename(self._tail.path):  # noqa: PTH119 - bytes
            return None
        self._linked = True
        return path, target, since

    def _find(self, pid: int) -> None:
        """Calls that begin within one second share a log: the process's part begins at its first line."""
        try:
            names = os.listdir(self._folder)  # noqa: PTH208 - bytes
        except OSError:
            return
        for name in sorted(names):
            path = self._folder + b"/" + name
            if name in self._others or not _NAME.fullmatch(name):
                continue
            data = self._recent(path)
            if data is None:
                self._others.add(name)
                continue
            own = next((found.start() for found in _LINE.finditer(data) if int(found[1]) == pid), None)
            if own is not None:
                self._tail = Tail(path, own or None)
                return

    def _recent(self, path: bytes) -> bytes | None:
        """What is in it; None for one that was written before the call."""
        try:
            fd = os.open(path, os.O_RDONLY | os.O_CLOEXEC | os.O_NOFOLLOW | os.O_NONBLOCK)
        except OSError:
            return None
        try:
            if os.fstat(fd).st_mtime_ns < self._since_ns - 1_000_000_000:
                return None
            return os.pread(fd, MOST, 0)
        finally:
            os.close(fd)


def _lines_of(pid: int, data: bytes) -> bytes:
    """Leave out the lines of other processes; one that begins like none belongs to the line before."""
    kept, own = [], True
    for line in data.splitlines(keepends=True):
        found = _LINE.match(line)
        own = own if found is None else int(found[1]) == pid
        if own:
            kept.append(line)
    return b"".join(kept)
