"""What agy keeps of one conversation beside its transcripts: everything else below ``.system_generated``."""

import os
from collections.abc import Iterator

from agy_proxy.watch.store import TRANSCRIPTS
from agy_proxy.watch.tail import Change, Tail

MOST = 1 << 23
"""Bytes of a file that are recorded at most."""


class SystemFiles:
    """The files below `folder`; what is there already is old unless the conversation is `fresh`.

    `skipped` are those that were not recorded, being no text or too large.
    """

    def __init__(self, folder: bytes, *, fresh: bool) -> None:
        self._folder = folder
        self._tails: dict[bytes, Tail] = {}
        self.skipped: set[bytes] = set()
        for path in () if fresh else self._paths():
            self._tails[path] = Tail(path, _size(path))

    def changes(self, *, rest: bool) -> Iterator[tuple[bytes, Change]]:
        """Yield what was written since, file by file; rows in whole lines unless it is the `rest`."""
        for path in self._paths():
            if path in self.skipped:
                continue
            tail = self._tails.setdefault(path, Tail(path, None))
            if (_size(path) or 0) > MOST:
                self.skipped.add(path)
                continue
            change = tail.change(rest=rest or not path.endswith(b".jsonl"))
            if change is None:
                continue
            if _is_text(change.data):
                yield path, change
            else:
                self.skipped.add(path)

    def _paths(self) -> list[bytes]:
        """Every regular file; links are not followed."""
        flat = {self._folder + b"/logs/" + name.encode() + b".jsonl" for name in TRANSCRIPTS}
        return sorted(path for path in _files(self._folder) if path not in flat)


def _files(folder: bytes) -> Iterator[bytes]:
    try:
        entries = list(os.scandir(folder))
    except OSError:
        return
    for entry in entries:
        if entry.is_dir(follow_symlinks=False):
            yield from _files(entry.path)
        elif entry.is_file(follow_symlinks=False) and not entry.name.startswith(b"."):
            yield entry.path


def _size(path: bytes) -> int | None:
    try:
        return os.stat(path, follow_symlinks=False).st_size  # noqa: PTH116 - bytes
    except OSError:
        return None


def _is_text(data: bytes) -> bool:
    try:
        data.decode()
    except UnicodeDecodeError as failed:
        # A character may be cut at the end of what was written so far.
        return failed.reason == "unexpected end of data"
    return True
