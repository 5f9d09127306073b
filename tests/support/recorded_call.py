"""A call of agy as a witness meets it: a journal that grows while it is locked, and a store that changes."""

import fcntl
import json
import os
import time
from collections.abc import Iterable
from pathlib import Path

from tests.support.journals import frame, netpairs, start_frame

CREATED = "%Y-%m-%dT%H:%M:%SZ"


def row(kind: str, content: str, index: int = 0, **more: object) -> bytes:
    """A row of a transcript; a USER_INPUT gets agy's wrapper (stores.md 2.3)."""
    if kind == "USER_INPUT":
        content = f"<USER_REQUEST>\n{content}\n</USER_REQUEST>\n<ADDITIONAL_METADATA>\n</ADDITIONAL_METADATA>"
    facts = {
        "step_index": index,
        "source": "MODEL",
        "type": kind,
        "status": "DONE",
        # Of time.time(), for gmtime's own "now" may be a tick behind it.
        "created_at": time.strftime(CREATED, time.gmtime(time.time())),
        "content": content,
        **more,
    }
    return json.dumps(facts, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"


class Store:
    """A store below `home`, written as agy writes it."""

    def __init__(self, home: Path) -> None:
        self.home = home
        self.root = home / ".gemini" / "antigravity-cli"
        (self.root / "brain").mkdir(parents=True)
        (self.root / "cache").mkdir()

    def transcript(self, conversation: str, *, full: bool = False) -> Path:
        name = "transcript_full.jsonl" if full else "transcript.jsonl"
        return self.root / "brain" / conversation / ".system_generated" / "logs" / name

    def append(self, conversation: str, *data: bytes, full: bool = False) -> None:
        path = self.transcript(conversation, full=full)
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("ab") as file:
            file.write(b"".join(data))

    def last(self, cwd: str, conversation: str) -> None:
        path = self.root / "cache" / "last_conversations.json"
        path.write_text(json.dumps({cwd: conversation}))


class RecordedCall:
    """The shim's side: `start` opens and locks the journal, `end` lets go of it."""

    def __init__(
        self,
        journals: Path,
        home: Path,
        *argv: bytes,
        pid: int | None = None,
        before: Iterable[Path] = (),
        **facts: bytes,
    ) -> None:
        journals.mkdir(exist_ok=True)
        began, mono = time.time_ns(), time.monotonic_ns()
        self.pid = pid or os.getpid()
        self.path = journals / f"{began}-{self.pid}.journal"
        self._file = self.path.open("xb", buffering=0)
        fcntl.flock(self._file, fcntl.LOCK_SH)
        sizes = {bytes(path): b"%d" % path.stat().st_size if path.exists() else b"" for path in before}
        self._file.write(
            start_frame(
                (b"agy", *argv),
                **{
                    "home": bytes(home),
                    "cwd": bytes(home / "project"),
                    "realtime_ns": b"%d" % began,
                    "monotonic_ns": b"%d" % mono,
                    "pid": b"%d" % self.pid,
                    "ppid": b"%d" % os.getppid(),
                    "before": netpairs(sizes),
                    **facts,
                },
            )
        )

    def say(self, code: str, payload: bytes = b"") -> None:
        self._file.write(frame(code, time.monotonic_ns(), payload))

    def end(self, status: int = 0) -> None:
        self.say("x", b"%d" % status)
        self.say("c")
        self.say("E")
        self._file.close()

    def die(self) -> None:
        """The shim and its standby are killed."""
        self._file.close()
