"""What is looked at while a call is live beside the store: its log, output in regular files, processes."""

import os

from agy_proxy.record.attribution import Seen
from agy_proxy.record.beside import LOG_KEPT
from agy_proxy.record.followed import Look, changes
from agy_proxy.record.journal import OpenFile, is_alive
from agy_proxy.record.processes import open_paths, started_by
from agy_proxy.watch.rows import conversation_of_path

EVERY_NS = 200_000_000
"""Nanoseconds between two looks at processes."""


def read_log(seen: Seen, look: Look, *, rest: bool = False) -> None:
    """Note what came to the log that the call names; whole lines, or to its end where it is the `rest`."""
    if seen.live.log is not None:
        found = changes((seen.live.log,), look, rest=rest)
        seen.log_text = (seen.log_text + b"".join(each.data for each in found))[-LOG_KEPT:]
        seen.files += found


def sample(seen: Seen, now: int) -> None:
    """Note how long the files are that output goes to, and, where it is time, what agy started."""
    _measure(seen, now)
    child = seen.live.child
    if child is None or seen.live.exited_at is not None or now - seen.sampled_at < EVERY_NS:
        return
    seen.sampled_at = now
    seen.children.update(started_by(child))
    if seen.conversation is None:
        held = (conversation_of_path(path) for path in open_paths(child))
        seen.named_by_process = next((name for name in held if name), None)


def _measure(seen: Seen, now: int) -> None:
    start = seen.live.start
    for stream, file in (("stdout", start.stdout_file), ("stderr", start.stderr_file)):
        written = None if file is None or seen.live.ended else _written(file)
        # Once it is over the client may have written to the same file.
        if written is None or not is_alive(start.pid):
            continue
        known = seen.growth.setdefault(stream, [])
        if not known or known[-1][1] < written:
            known.append((now, written))


def _written(file: OpenFile) -> int | None:
    """Return how many bytes stand behind the call's offset; None where the file is another's now."""
    try:
        there = os.stat(file.path)  # noqa: PTH116 - bytes
    except OSError:
        return None
    if file.identity != f"{there.st_dev}:{there.st_ino}":
        return None
    return max(0, there.st_size - file.offset)
