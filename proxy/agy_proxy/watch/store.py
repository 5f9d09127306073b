"""Where what lies in a store, by its root ``~/.gemini/antigravity-cli`` (stores.md 1.2, 1.3)."""

import os
from pathlib import Path

from agy_proxy.watch.rows import is_conversation_id
from agy_proxy.watch.tail import Known

FLAT = ("brain", "conversations", "log", "cache")
"""The folders whose changes tell which conversation is alive; what is in them is not watched."""

TRANSCRIPTS = ("transcript", "transcript_full")


def conversations(root: Path) -> frozenset[str]:
    """List the conversations that have a folder; none where there is no store."""
    try:
        return frozenset(filter(is_conversation_id, os.listdir(root / "brain")))  # noqa: PTH208 - ten times faster
    except OSError:
        return frozenset()


def logs(root: Path, conversation: str) -> Path:
    """Return the folder of its transcripts."""
    return root / "brain" / conversation / ".system_generated" / "logs"


def transcripts(root: Path, conversation: str) -> dict[str, Path]:
    """Return both transcripts by name, whether they are there or not."""
    return {name: logs(root, conversation) / f"{name}.jsonl" for name in TRANSCRIPTS}


def chunks(root: Path, conversation: str) -> dict[str, Path]:
    """Return the folders of both transcripts' chunks by name, whether they are there or not."""
    return {f"chunks/{name}": logs(root, conversation) / "chunks" / name for name in TRANSCRIPTS}


def children(root: Path, conversation: str) -> frozenset[str]:
    """Return the subagents' conversations that it names (stores.md 1.4)."""
    folder = root / "brain" / conversation / ".system_generated" / "subagents"
    try:
        names = os.listdir(folder)  # noqa: PTH208 - as above
    except OSError:
        return frozenset()
    return frozenset(name.removesuffix(".json") for name in names if name.endswith(".json"))


def known(path: Path) -> Known | None:
    """Return what a transcript is now; None where it is none."""
    try:
        there = os.stat(path, follow_symlinks=False)  # noqa: PTH116 - of every transcript there is
    except OSError:
        return None
    return Known(there.st_ino, there.st_size)
