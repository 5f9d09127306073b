"""Which streams went into a file that other calls wrote to meanwhile: whose bytes are whose can't be told."""

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

from agy_proxy.record.journal import Journal, Start, journal_name, list_journals, read_journal
from agy_proxy.record.live_call import LiveCall
from agy_proxy.record.read_back import end_of_file, file_of

FOREVER = 2**63 - 1
"""An end that is not known; more than any offset, and than any time for the next centuries."""
STREAMS = ("stdout", "stderr")


class Stretch(NamedTuple):
    """What a stream of a call may have written: bytes `first` to `last` of `file`, the device and inode.

    `began` and `ended` are CLOCK_REALTIME ns, `began` also where the call is another's of the same run.
    """

    began: int
    pid: int
    stream: str
    file: str
    ended: int
    first: int
    last: int


def stretches(journal: Journal) -> tuple[Stretch, ...]:
    """Return a call's streams that are regular files; stderr only where it is apart from stdout."""
    start = journal.start
    if start is None:
        return ()
    found = []
    for stream in STREAMS:
        file = file_of(start, stream)
        if file is not None:
            last = end_of_file(journal, stream)
            found.append(
                Stretch(
                    began=start.realtime_ns,
                    pid=start.pid,
                    stream=stream,
                    file=file.identity,
                    ended=_ended(journal, start),
                    first=file.offset,
                    last=FOREVER if last is None else last,
                )
            )
    return tuple(found)


def shared(own: Sequence[Stretch], others: Iterable[Stretch]) -> tuple[str, ...]:
    """Return the streams of `own` that another stream, of another call or of this, may have written into."""
    all_of_them = (*own, *others)
    return tuple(
        mine.stream for mine in own if any(_overlap(mine, other) for other in all_of_them if other != mine)
    )


def waiting_beside(journal: Journal, own: Sequence[Stretch]) -> Iterable[Stretch]:
    """Yield the stretches in the same files of calls that are not saved yet, whether they are over or not."""
    files = {each.file for each in own}
    ended = max((each.ended for each in own), default=0)
    for path in list_journals(journal.path.parent):
        name = journal_name(path)
        if path == journal.path or name is None or name.realtime_ns > ended:
            continue
        live = LiveCall.open(path)
        if live is not None and files & _files(live.start):
            yield from _stretches_at(path)


def _stretches_at(path: Path) -> tuple[Stretch, ...]:
    try:
        return stretches(read_journal(path))
    except OSError:
        # Another finisher has just saved it, and notes it under the lock that the caller holds.
        return ()


def _files(start: Start) -> set[str]:
    return {file.identity for stream in STREAMS if (file := file_of(start, stream)) is not None}


def _overlap(one: Stretch, other: Stretch) -> bool:
    return (
        one.file == other.file
        and max(one.began, other.began) < min(one.ended, other.ended)
        and max(one.first, other.first) < min(one.last, other.last)
    )


def _ended(journal: Journal, start: Start) -> int:
    """When the ends of its files were noted, else when agy exited."""
    last = journal.first("f") or journal.first("x")
    return FOREVER if last is None else start.realtime_ns + last.at - start.monotonic_ns
