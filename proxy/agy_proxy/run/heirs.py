"""Processes that a client leaves behind and that may be about to call agy."""

import os
import threading
from collections.abc import Iterator
from pathlib import Path

LOOKS = 20
PAUSE = 0.05
"""Seconds between two looks; together they are as long as a process takes to start on a busy machine."""


def wait_for_heirs(shim: Path, journals: Path) -> None:
    """Waits until nobody is left who may still become a call of the shim, up to a second.

    A shell that was told to run agy in the background is one until the shim that it became has its journal.
    """
    pause = threading.Event()
    for _ in range(LOOKS):
        if not any(_heirs(shim, journals)):
            return
        pause.wait(PAUSE)


def _heirs(shim: Path, journals: Path) -> Iterator[int]:
    """The pids of processes whose PATH begins with the shim's folder and that have no journal there."""
    mark = b"PATH=" + os.fsencode(shim.parent) + b":"
    known = {path.stem.rpartition("-")[2] for path in journals.glob("*.journal")}
    for entry in Path("/proc").iterdir():
        if not entry.name.isdigit() or entry.name in known:
            continue
        try:
            environment = (entry / "environ").read_bytes()
        except OSError:
            continue
        if mark in environment:
            yield int(entry.name)
