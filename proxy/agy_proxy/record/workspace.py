"""What changed below a call's working folder while it was live, by comparing the tree before and after."""

import hashlib
import os
import threading
from collections.abc import Collection, Iterator, Mapping
from typing import Any, NamedTuple

from agy_cassettes.interaction import FileOp
from agy_proxy.record.facts import WitnessedFile

MOST_FILES = 20_000
"""Of a larger tree nothing is told."""
MOST_HASHED = 1 << 28
"""Bytes that are read of one call's changes at most."""
MOST_KEPT = 1 << 23
"""Bytes of a file that is kept whole at most."""
NAMES_LEFT_OUT = frozenset((b".git", b"node_modules", b".venv", b".gemini"))
OWN = (b".agy.yaml", b".journal")
"""What the names of a recorder's own files hold."""

Tree = Mapping[bytes, "Stamp"]


class Stamp(NamedTuple):
    """What shows that a file has changed; times in ns of the epoch."""

    size: int
    mtime_ns: int
    inode: int


class WorkspaceChange(NamedTuple):
    """One file that is another now; `path` is below the folder, `data` what it holds, where that is kept."""

    path: bytes
    op: FileOp
    mtime_ns: int
    size: int = 0
    sha256: str | None = None
    data: bytes | None = None

    def told(self) -> Mapping[str, Any]:
        """Return it as a record lists it."""
        path = self.path.decode("utf-8", "replace")
        if self.op == "delete":
            return {"path": path, "op": self.op}
        return {"path": path, "op": self.op, "bytes": self.size, "sha256": self.sha256}


class Workspace:
    """The tree at `folder`, looked at in a thread of its own from now on.

    `left_out` are files and folders that are not the client's; `since_ns` (of the epoch) is when the call
    began: what was written after that and before the look is a change too.
    """

    def __init__(self, folder: bytes, since_ns: int, left_out: Collection[bytes]) -> None:
        self._folder = folder
        self._since_ns = since_ns
        self._left_out = frozenset(left_out)
        self._before: Tree | None = None
        self._looking = threading.Thread(target=self._look, name="agy-proxy workspace", daemon=True)
        self._looking.start()

    def changes(self, until_ns: int | None, *, content: bool) -> tuple[WorkspaceChange, ...] | None:
        """Return what changed until then, sorted by path; None where the tree is too large.

        `content` keeps what is in the files, where that is no more than `MOST_KEPT`.
        """
        self._looking.join()
        after = None if self._before is None else tree(self._folder, self._left_out)
        if after is None or self._before is None:
            return None
        changed = compared(self._before, after, self._since_ns, until_ns)
        return tuple(_read(self._folder, changed, content=content))

    def _look(self) -> None:
        self._before = tree(self._folder, self._left_out)


def tree(folder: bytes, left_out: Collection[bytes] = ()) -> Tree | None:
    """Return all regular files below a folder, by their paths below it; None for more than `MOST_FILES`.

    No link is followed, and what can't be read is left out.
    """
    found: dict[bytes, Stamp] = {}
    waiting = [folder]
    while waiting:
        try:
            entries = list(os.scandir(waiting.pop()))
        except OSError:
            continue
        for entry in entries:
            if (
                entry.name in NAMES_LEFT_OUT
                or entry.path in left_out
                or any(own in entry.name for own in OWN)
            ):
                continue
            try:
                if entry.is_dir(follow_symlinks=False):
                    waiting.append(entry.path)
                elif entry.is_file(follow_symlinks=False):
                    there = entry.stat(follow_symlinks=False)
                    stamp = Stamp(there.st_size, there.st_mtime_ns, there.st_ino)
                    found[entry.path[len(folder) + 1 :]] = stamp
            except OSError:
                continue
        if len(found) > MOST_FILES or len(waiting) > MOST_FILES:
            return None
    return found


def compared(before: Tree, after: Tree, since_ns: int, until_ns: int | None) -> tuple[WorkspaceChange, ...]:
    """Return what was written within the time or is gone, sorted by path; an open end is None."""
    changed = [
        WorkspaceChange(path, "replace" if path in before else "create", stamp.mtime_ns, stamp.size)
        for path, stamp in after.items()
        if (before.get(path) != stamp or stamp.mtime_ns >= since_ns)
        and (until_ns is None or stamp.mtime_ns <= until_ns)
    ]
    gone = [WorkspaceChange(path, "delete", until_ns or since_ns) for path in before if path not in after]
    return tuple(sorted((*changed, *gone)))


def witnessed(folder: bytes, changes: Collection[WorkspaceChange], shift: int) -> Iterator[WitnessedFile]:
    """Return the changes that are kept as events of files; `shift` (ns) leads from the epoch to the clock."""
    for change in changes:
        if change.data is not None or change.op == "delete":
            at, path = change.mtime_ns + shift, folder + b"/" + change.path
            yield WitnessedFile(
                at=at, op=change.op, path=path, data=change.data or b"", approx=change.op == "delete"
            )


def _read(folder: bytes, changed: Collection[WorkspaceChange], *, content: bool) -> Iterator[WorkspaceChange]:
    left = MOST_HASHED
    for change in changed:
        left -= change.size
        if change.op == "delete" or left < 0:
            yield change
            continue
        digest, data = _content(folder + b"/" + change.path, keep=content and change.size <= MOST_KEPT)
        yield change._replace(sha256=digest, data=data)


def _content(path: bytes, *, keep: bool) -> tuple[str | None, bytes | None]:
    """Return the hash of a file and, to `keep`, what is in it; nothing where it can't be read."""
    try:
        fd = os.open(path, os.O_RDONLY | os.O_CLOEXEC | os.O_NOFOLLOW | os.O_NONBLOCK)
        with open(fd, "rb") as file:  # noqa: PTH123 - a descriptor
            if not keep:
                return hashlib.file_digest(file, "sha256").hexdigest(), None
            data = file.read(MOST_KEPT)
    except OSError:
        return None, None
    return hashlib.sha256(data).hexdigest(), data
