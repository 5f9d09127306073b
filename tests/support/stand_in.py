"""An agy that is a few lines of shell, for what no double does."""

from pathlib import Path


def write_stand_in(folder: Path, lines: str) -> Path:
    """Writes an executable ``agy`` into `folder`; `lines` are what it does with its arguments."""
    folder.mkdir(parents=True, exist_ok=True)
    agy = folder / "agy"
    agy.write_text(f"#!/bin/sh\n{lines}\n", encoding="utf-8")
    agy.chmod(0o755)
    return agy
