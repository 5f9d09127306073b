"""The log of one call: glog lines that clients search for the conversation's id (contract.md 2.9)."""

from __future__ import annotations

import os
import time

from fake_agy.stores.files import open_private, private_folder, write_all

TYPE_CHECKING = False
if TYPE_CHECKING:
    from fake_agy.clock import Clock
    from fake_agy.stores.layout import Layout


_BEFORE = "ERROR: logging before google.Init: "


class Log:
    """An open log file; each line carries the time and the process's number."""

    def __init__(self, descriptor: int, clock: Clock, pid: int) -> None:
        self._descriptor = descriptor
        self._clock = clock
        self._pid = pid

    def write(self, place: str, text: str, level: str = "I", *, early: bool = False) -> str:
        """Append one line and give it; `place` is the source file and line that agy names.

        A line is `early` where agy writes it before its logging is set up.
        """
        now = self._clock.now()
        stamp = time.strftime("%m%d %H:%M:%S", time.localtime(now))
        before = _BEFORE if early else ""
        line = f"{before}{level}{stamp}.{int(now % 1 * 1e6):06d} {self._pid} {place}] {text}\n"
        try:
            write_all(self._descriptor, line.encode(errors="replace"))
        except OSError:
            # A log that can't grow is no reason for a call to fail.
            return line
        return line

    def close(self) -> None:
        """Close the file."""
        os.close(self._descriptor)


def open_log(layout: Layout, path: str | None, clock: Clock, pid: int) -> Log:
    """Open the log named by ``--log-file``, else a new one in the store that ``cli.log`` then points to."""
    if path is not None:
        return Log(open_private(path), clock, pid)
    folder = f"{layout.root}/log"
    private_folder(folder)
    name = time.strftime("cli-%Y%m%d_%H%M%S.log", time.localtime(clock.now()))
    newest = f"{folder}/.cli.log.{os.getpid()}"
    if os.path.lexists(newest):
        os.unlink(newest)
    os.symlink(name, newest)
    os.replace(newest, f"{folder}/cli.log")
    return Log(open_private(f"{folder}/{name}"), clock, pid)
