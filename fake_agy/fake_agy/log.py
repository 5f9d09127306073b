"""The log of one call: glog lines that clients search for the conversation's id (contract.md 2.9)."""

import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from fake_agy.clock import Clock
from fake_agy.store import Store, open_private, private_folder, write_all


class Log(NamedTuple):
    """An open log file; each line carries the time and `pid`."""

    descriptor: int
    clock: Clock
    pid: int

    def write(self, place: str, text: str) -> None:
        """Append one line; `place` is the source file and line that agy names."""
        now = self.clock.now()
        stamp = time.strftime("%m%d %H:%M:%S", time.localtime(now))
        line = f"I{stamp}.{int(now % 1 * 1e6):06d} {self.pid} {place}] {text}\n"
        write_all(self.descriptor, line.encode(errors="replace"))


@contextmanager
def open_log(store: Store, path: str | None, clock: Clock, pid: int) -> Iterator[Log]:
    """Open the log named by ``--log-file``, else a new one in the store that ``cli.log`` then points to."""
    if path is not None:
        where = Path(path)
    else:
        folder = store.root / "log"
        private_folder(folder)
        where = folder / time.strftime("cli-%Y%m%d_%H%M%S.log", time.localtime(clock.now()))
        newest = folder / f".cli.log.{os.getpid()}"
        newest.unlink(missing_ok=True)
        newest.symlink_to(where.name)
        newest.replace(folder / "cli.log")
    with open_private(where) as descriptor:
        yield Log(descriptor, clock, pid)
