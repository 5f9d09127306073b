"""A store that grows as a test says, and a follower's clock and hints by hand."""

import json
from dataclasses import dataclass, field
from pathlib import Path


def line(index: int, text: str = "", kind: str = "PLANNER_RESPONSE") -> bytes:
    """A row as agy writes it."""
    row = {"step_index": index, "source": "MODEL", "type": kind, "status": "DONE", "content": text}
    return json.dumps(row, separators=(",", ":")).encode() + b"\n"


def logs(root: Path, conversation: str) -> Path:
    """The folder of its transcripts, made."""
    folder = root / "brain" / conversation / ".system_generated" / "logs"
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def append(root: Path, conversation: str, data: bytes, name: str = "transcript.jsonl") -> Path:
    """Add bytes to a transcript."""
    path = logs(root, conversation) / name
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("ab") as file:
        file.write(data)
    return path


@dataclass
class Clock:
    """Seconds that pass as a test says."""

    now: float = 100.0

    def __call__(self) -> float:
        return self.now


@dataclass
class HandHints:
    """Hints that a test gives; `dropped` are never told."""

    given: set[str] = field(default_factory=set)
    followed: set[str] = field(default_factory=set)
    waits: list[float] = field(default_factory=list)
    possible: bool = True

    def arm(self) -> None:
        """Nothing is missing."""

    def follow(self, conversation: str) -> bool:
        if self.possible:
            self.followed.add(conversation)
        return self.possible

    def unfollow(self, conversation: str) -> None:
        self.followed.discard(conversation)

    def taken(self) -> frozenset[str]:
        given, self.given = frozenset(self.given), set()
        return given

    def wait(self, seconds: float) -> None:
        self.waits.append(seconds)

    def close(self) -> None:
        """Nothing is open."""
