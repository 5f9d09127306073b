"""A double on disk, and calls of it as real processes."""

import json
import subprocess
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

from fake_agy.double import write_double
from fake_agy.settings import DoubleSettings


class Answered(NamedTuple):
    """What one call gave."""

    code: int
    out: str
    err: str


class Double(NamedTuple):
    """A double, the HOME it is called with, and the directory it is called in."""

    agy: Path
    home: Path
    cwd: Path

    @property
    def root(self) -> Path:
        return self.home / ".gemini" / "antigravity-cli"

    def command(self, *argv: str) -> dict[str, Any]:
        """Give `subprocess.Popen`'s arguments for one call, in an environment as bare as clients make it."""
        env = {"HOME": str(self.home), "PATH": "/usr/bin:/bin", "LANG": "C.UTF-8"}
        return {"args": [str(self.agy), *argv], "cwd": self.cwd, "env": env}

    def call(self, *argv: str, stdin: bytes | None = None) -> Answered:
        """Call it and wait; without `stdin` it gets the null device."""
        feed: dict[str, Any] = {"stdin": subprocess.DEVNULL} if stdin is None else {"input": stdin}
        done = subprocess.run(**self.command(*argv), **feed, capture_output=True, timeout=60, check=False)
        return Answered(done.returncode, done.stdout.decode(), done.stderr.decode())

    def last_conversation(self) -> str:
        """Read the id of the newest conversation of `cwd`, as clients do."""
        entries = json.loads((self.root / "cache" / "last_conversations.json").read_text())
        return str(entries[str(self.cwd)])

    def newest_conversation(self) -> str:
        """The id of the conversation made last, empty where there is none."""
        made = [*(self.root / "conversations").glob("*.db"), *(self.root / "conversations").glob("*.pb")]
        made += [each for each in (self.root / "brain").glob("*") if each.is_dir()]
        return max(made, key=lambda path: path.stat().st_ctime_ns).stem if made else ""

    def prompts(self) -> list[bytes]:
        """Every USER_INPUT line of every transcript."""
        lines = [
            line
            for path in self.root.glob("brain/*/.system_generated/logs/transcript.jsonl")
            for line in path.read_bytes().splitlines()
        ]
        return [line for line in lines if b'"USER_INPUT"' in line]

    def rows(self, conversation: str, name: str = "transcript.jsonl") -> list[Mapping[str, Any]]:
        """Read one of a conversation's transcripts."""
        path = self.root / "brain" / conversation / ".system_generated" / "logs" / name
        return [json.loads(line) for line in path.read_bytes().splitlines()]


def make_double(folder: Path, settings: DoubleSettings | None = None) -> Double:
    """Write a double with a HOME and a working directory of its own below `folder`."""
    home, cwd = folder / "home", folder / "work"
    for place in (home, cwd):
        place.mkdir(parents=True, exist_ok=True)
    return Double(write_double(folder / "bin", settings or DoubleSettings()), home, cwd.resolve())
