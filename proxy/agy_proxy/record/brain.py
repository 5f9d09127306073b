"""A store as the witness needs it: new conversations, where transcripts are, how long they were."""

import json
import os
from collections.abc import Iterator, Mapping
from pathlib import Path

from agy_proxy.watch.rows import is_conversation_id, turn_offset

STORE = b"/.gemini/antigravity-cli"
SETTLED_NS = 50_000_000
"""A folder's mtime has the kernel's tick for its grain: a change within it may not show a second time."""
MOST_CACHE = 1 << 24
"""Bytes of last_conversations.json that are read at most."""
MOST_SEARCHED = 1 << 26
"""Bytes of a transcript in which a turn is looked for at most."""


class Brain:
    """The store of one HOME (stores.md 1.2, 1.3).

    `armed` is called before any call: what is there then is old. Else, what is older than the first call is.
    """

    def __init__(self, home: bytes) -> None:
        self.home = home
        # A HOME that leads nowhere has no store.
        self.root = (home if home.startswith(b"/") else b"/dev/null") + STORE
        self._folder = self.root + b"/brain"
        self._known: set[bytes] | None = None
        self._stamp: tuple[int, int] | None = None
        self._sizes: dict[bytes, int] = {}

    def arm(self) -> None:
        """Take what is there as old, and remember the sizes of the transcripts ``--continue`` may take."""
        self._known = set(self._names())
        self.remember()

    def remember(self) -> None:
        """Note the sizes of the transcripts that last_conversations.json names."""
        for conversation in set(self.last_conversations().values()):
            for path in self.transcripts(conversation):
                size = size_of(path)
                if size is not None:
                    self._sizes[path] = size

    def size_before(self, path: bytes, prompt: bytes | None, since_ns: int) -> int | None:
        """Return how long a transcript was before a call with this prompt began, at `since_ns` of the epoch.

        What was noted between calls, else where the prompt's row begins, else how long the file is now.
        """
        if path in self._sizes:
            return self._sizes[path]
        found = None if prompt is None else _turn_offset(path, prompt, since_ns, first=False)
        return size_of(path) if found is None else found

    def turns(self, prompt: bytes | None, since_ns: int) -> Iterator[tuple[str, Mapping[bytes, int | None]]]:
        """Yield the conversations with a turn of this prompt since `since_ns`, and their sizes before it.

        For a call that nobody watched. Without a prompt they are those that are new since then.
        """
        for name in self._names():
            conversation = os.fsdecode(name)
            if not is_conversation_id(conversation):
                continue
            paths = self.transcripts(conversation)
            if prompt is None:
                if not self._older(name, since_ns):
                    yield conversation, {}
                continue
            touched = [path for path in paths if _written_since(path, since_ns)]
            offsets = {path: _turn_offset(path, prompt, since_ns, first=True) for path in touched}
            found = {path: offset for path, offset in offsets.items() if offset is not None}
            if found:
                # A turn at the very beginning made the file.
                yield conversation, {p: found[p] or None if p in found else size_of(p) for p in paths}

    def transcripts(self, conversation: str) -> tuple[bytes, bytes]:
        """Return the paths of both transcripts."""
        logs = b"%s/%s/.system_generated/logs/" % (self._folder, conversation.encode())
        return logs + b"transcript.jsonl", logs + b"transcript_full.jsonl"

    def last_conversations(self) -> dict[str, str]:
        """Return the newest conversation of each working directory (stores.md 4.4)."""
        path = Path(os.fsdecode(self.root)) / "cache" / "last_conversations.json"
        try:
            with path.open("rb") as file:
                found = json.loads(file.read(MOST_CACHE))
        except (OSError, ValueError, RecursionError):
            return {}
        if not isinstance(found, dict):
            return {}
        return {
            cwd: name for cwd, name in found.items() if isinstance(name, str) and is_conversation_id(name)
        }

    def new(self, now_ns: int, *, since_ns: int) -> tuple[str, ...]:
        """Return conversations that appeared since the last call of this.

        `now_ns` and `since_ns`, when the first live call began, are of the epoch.
        """
        try:
            there = os.stat(self._folder)  # noqa: PTH116 - bytes, and 200 times a second
        except OSError:
            if self._known is None:
                self._known = set()
            return ()
        stamp = (there.st_mtime_ns, there.st_nlink)
        if stamp == self._stamp and now_ns - there.st_mtime_ns > SETTLED_NS:
            return ()
        self._stamp = stamp
        names = set(self._names())
        if self._known is None:
            self._known = {name for name in names if self._older(name, since_ns)}
        fresh = names - self._known
        self._known |= fresh
        return tuple(sorted(name.decode() for name in fresh if is_conversation_id(os.fsdecode(name))))

    def _names(self) -> list[bytes]:
        try:
            return os.listdir(self._folder)  # noqa: PTH208 - bytes; Path.iterdir costs ten times that
        except OSError:
            return []

    def _older(self, name: bytes, than_ns: int) -> bool:
        try:
            made = os.stat(self._folder + b"/" + name)  # noqa: PTH116 - bytes
            return made.st_mtime_ns < than_ns - SETTLED_NS
        except OSError:
            return True


def size_of(path: bytes) -> int | None:
    """Return the size in bytes, or None where there is no such file."""
    try:
        return os.stat(path, follow_symlinks=False).st_size  # noqa: PTH116 - bytes
    except OSError:
        return None


def _written_since(path: bytes, since_ns: int) -> bool:
    try:
        return os.stat(path, follow_symlinks=False).st_mtime_ns >= since_ns - SETTLED_NS  # noqa: PTH116 - bytes
    except OSError:
        return False


def _turn_offset(path: bytes, prompt: bytes, since_ns: int, *, first: bool) -> int | None:
    size = size_of(path)
    if size is None or size > MOST_SEARCHED:
        return None
    try:
        fd = os.open(path, os.O_RDONLY | os.O_CLOEXEC | os.O_NOFOLLOW | os.O_NONBLOCK)
        with os.fdopen(fd, "rb") as file:
            data = file.read(MOST_SEARCHED)
    except OSError:
        return None
    return turn_offset(data, prompt, since_ns=since_ns, first=first)
