"""Which changes below a working folder are a call's: those of the only one that was at it."""

from collections.abc import Iterable

from agy_proxy.record.attribution import Seen, overlap
from agy_proxy.record.convert import log_file_of
from agy_proxy.record.record_id import record_id
from agy_proxy.record.workspace import Workspace, witnessed


def watch_folder(seen: Seen, live: Iterable[Seen], journals: bytes) -> None:
    """Look at the tree of a turn that has just begun; a HOME or a folder for everybody's files is none."""
    start = seen.live.start
    if seen.live.call.kind != "turn":
        return
    for other in live:
        if other is not seen and _touch(other.live.start.cwd, start.cwd):
            seen.neighbours.append(other)
            other.neighbours.append(seen)
    if start.cwd in (start.home, start.tmp, b"/", b"/tmp"):
        seen.workspace_changes = None
        return
    files = [file.path for file in (start.stdout_file, start.stderr_file) if file is not None]
    log = log_file_of(start, seen.live.call)
    left_out = (start.home, journals, *files, *(() if log is None else (log,)))
    seen.workspace = Workspace(start.cwd, start.realtime_ns, left_out)


def close_folder(seen: Seen, now: int, real: int, *, content: bool) -> None:
    """Note what the call changed, and with `content` what the files hold; nothing where two were at it."""
    for other in seen.neighbours:
        if overlap(seen, other) and not _is_family(seen, other):
            seen.disturbed = other.disturbed = True
        other.neighbours.remove(seen)
    seen.neighbours.clear()
    if seen.workspace is None:
        return
    if seen.disturbed:
        seen.workspace_changes = None
        return
    start, exited = seen.live.start, seen.live.exited_at
    until = None if exited is None else real - (now - exited)
    changes = seen.workspace.changes(until, content=content)
    seen.workspace_changes = None if changes is None else tuple(change.told() for change in changes)
    if content and changes is not None:
        seen.files += witnessed(start.cwd, changes, now - real)


def _touch(one: bytes, other: bytes) -> bool:
    """Whether two folders are the same, or one lies in the other."""
    short, long = sorted((one.rstrip(b"/") + b"/", other.rstrip(b"/") + b"/"), key=len)
    return long.startswith(short)


def _is_family(one: Seen, other: Seen) -> bool:
    """Whether one is a call that the other's agy made."""
    return one.parent == record_id(other.live.start) or other.parent == record_id(one.live.start)
