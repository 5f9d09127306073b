"""What lies below a HOME, as values that compare: files by content and mode, databases by their dump."""

import os
import shutil
import sqlite3
import tempfile
from contextlib import closing
from pathlib import Path
from typing import Any

OWN = ".fake-agy"
"""The double's own progress, which is no part of what agy keeps."""


def snapshot(home: Path) -> dict[str, Any]:
    """Reads everything below `home` but the double's own progress.

    A file is (mode, bytes), a link is its target, a folder its mode, a database (mode, SQL dump, whether a
    write-ahead log lies beside it).
    """
    found: dict[str, Any] = {}
    for folder, folders, files in os.walk(home):
        here = Path(folder)
        if here == home and OWN in folders:
            folders.remove(OWN)
        for name in [*folders, *files]:
            path = here / name
            relative = str(path.relative_to(home))
            if path.is_symlink():
                found[relative] = f"-> {path.readlink()}"
            elif path.is_dir() or name.endswith((".db-wal", ".db-shm")):
                found[relative] = oct(path.stat().st_mode)
            elif name.endswith(".db"):
                found[relative] = (oct(path.stat().st_mode), dump(path))
            else:
                found[relative] = (oct(path.stat().st_mode), path.read_bytes())
    return found


def dump(database: Path) -> list[str]:
    """Reads a database as SQL with its pragmas, from a copy, so that its write-ahead log stays as it is."""
    with tempfile.TemporaryDirectory() as folder:
        for suffix in ("", "-wal"):
            beside = database.with_name(database.name + suffix)
            if beside.exists():
                shutil.copyfile(beside, Path(folder) / ("copy.db" + suffix))
        with closing(sqlite3.connect(Path(folder) / "copy.db")) as connection:
            pragmas = [
                f"{name} {connection.execute(f'PRAGMA {name}').fetchone()[0]}"
                for name in ("user_version", "application_id", "page_size", "encoding", "journal_mode")
            ]
            return [*pragmas, *connection.iterdump()]
