"""A store as the witness needs it: new conversations, where transcripts are, how long they were."""

import json
import os
from pathlib import Path

from agy_proxy.record.rows import is_conversation_id, turn_offset

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
        size = size_of(path)
        if size is None or prompt is None or size > MOST_SEARCHED:
            return size
        try:
            data = Path(os.fsdecode(path)).read_bytes()
        except OSError:
            return size
        found = turn_offset(data, prompt, since_ns=since_ns)
        return size if found is None else found

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
            return os.stat(self._folder + b"/" + name).st_mtime_ns < than_ns - SETTLED_NS  # noqa: PTH116
        except OSError:
            return True


def size_of(path: bytes) -> int | None:
    """Return the size in bytes, or None where there is no such file."""
    try:
        return os.stat(path, follow_symlinks=False).st_size  # noqa: PTH116 - bytes
    except OSError:
        return None
