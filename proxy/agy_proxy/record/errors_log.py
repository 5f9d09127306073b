"""What can't be saved, told in the log that the shims write to as well."""

import os
from contextlib import suppress
from pathlib import Path

MOST_READ = 1 << 20
"""Bytes of the log's end in which the same message is looked for."""


def log_once(log: Path, told: str, now_ns: int) -> None:
    """Add a line, unless the log has it already: a journal is tried again each time someone looks.

    A log that can't be written to is let be.
    """
    line = f"{told}\n".encode("utf-8", "backslashreplace")
    try:
        fd = os.open(log, os.O_RDWR | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC, 0o600)
    except OSError:
        # A full disk has no room for its own fault either; the report has it.
        return
    with os.fdopen(fd, "r+b", buffering=0) as file, suppress(OSError):
        size = os.fstat(fd).st_size
        if b" " + line not in os.pread(fd, MOST_READ, max(0, size - MOST_READ)):
            file.write(b"%d %d %s" % (now_ns, os.getpid(), line))
