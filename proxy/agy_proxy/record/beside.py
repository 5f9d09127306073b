"""All that a call leaves in the store beside its two transcripts, as it comes."""

from collections.abc import Iterator
from dataclasses import replace

from agy_proxy.record.decoded import DecodedDatabase
from agy_proxy.record.facts import WitnessedFile
from agy_proxy.record.own_entries import OwnEntries
from agy_proxy.record.own_log import OwnLog
from agy_proxy.record.system_files import SystemFiles
from agy_proxy.watch.tail import Change

LOG_KEPT = 1_000_000
"""Bytes of a log's end in which the conversation's id is looked for."""
EVERY_NS = 10_000_000
"""Nanoseconds between two looks at least."""


class Beside:
    """The files of one conversation of the store at `root` while a call in `cwd` is live.

    `fresh` says that the conversation began with the call, so that nothing of it is old. `files` is what was
    seen, with times of CLOCK_MONOTONIC; those of changes are of the epoch, and `real` and `now` (ns) say how
    far apart these clocks are.
    """

    def __init__(self, root: bytes, conversation: str, cwd: bytes, *, fresh: bool) -> None:
        folder = root + b"/brain/" + conversation.encode() + b"/.system_generated"
        self.conversation = conversation
        self.files: list[WitnessedFile] = []
        self._system = SystemFiles(folder, fresh=fresh)
        self._entries = OwnEntries(root, conversation, cwd.decode("utf-8", "surrogateescape"), fresh=fresh)
        self._database = DecodedDatabase(root, conversation, fresh=fresh)
        self._looked_at = 0
        if self._database.stood:
            stood = Change("create", self._database.stood, None, 0)
            changed = _witnessed(self._database.path, stood, 0, decoded=True)
            self.files.append(replace(changed, stood=True, approx=True))

    @property
    def skipped(self) -> int:
        """How many files were not recorded, being no text or too large."""
        return len(self._system.skipped)

    def look(self, now: int, real: int, *, last: bool = False) -> None:
        """Note what changed since; nothing where it is too soon, unless it is the `last` look."""
        if not last and now - self._looked_at < EVERY_NS:
            return
        self._looked_at = now
        self.files += self._changes(now, now - real, last=last)

    def _changes(self, now: int, shift: int, *, last: bool) -> Iterator[WitnessedFile]:
        for path, change in self._system.changes(rest=last):
            yield _witnessed(path, change, shift)
        for path, change in self._entries.history(rest=last):
            yield _witnessed(path, change, shift)
        for path, change in self._entries.merged():
            yield replace(_witnessed(path, change, shift), merge=True)
        steps = self._database.change(now, last=last)
        if steps is not None:
            yield _witnessed(self._database.path, steps, shift, decoded=True)


class LogBeside:
    """The default log of one call and the link to it, found by the process's number."""

    def __init__(self, root: bytes, since_ns: int) -> None:
        self.files: list[WitnessedFile] = []
        self.text = b""
        self._log = OwnLog(root + b"/log", since_ns)

    def look(self, pid: int | None, now: int, real: int, *, last: bool = False) -> None:
        """Note what the process `pid` wrote since."""
        for path, change in self._log.changes(pid, rest=last):
            self.text = (self.text + change.data)[-LOG_KEPT:]
            self.files.append(_witnessed(path, change, now - real))
        link = self._log.link()
        if link is not None:
            path, target, since = link
            at = since + now - real
            self.files.append(WitnessedFile(at=at, op="symlink", path=path, target=target))


def _witnessed(path: bytes, change: Change, shift: int, *, decoded: bool = False) -> WitnessedFile:
    return WitnessedFile(
        at=change.mtime_ns + shift,
        op=change.op,
        path=path,
        data=change.data,
        before=change.before,
        decoded=decoded,
    )
