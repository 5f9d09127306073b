"""What the witness keeps of a call that is over: times within the call, and nothing that came later."""

from collections.abc import Iterator
from dataclasses import replace

from agy_proxy.record.attribution import Seen
from agy_proxy.record.facts import Facts, WitnessedFile
from agy_proxy.record.processes import left_behind, names_of
from agy_proxy.watch.rows import conversation_of_path, own_rows


def facts_of(seen: Seen) -> Facts:
    """Return all that was found out about the call."""
    return Facts(
        files=(*_within_the_call(seen), *_beside_the_call(seen)),
        growth={stream: tuple(steps) for stream, steps in seen.growth.items()},
        client=seen.client,
        chain=tuple(ancestor.name for ancestor in seen.above),
        started=names_of(seen.children),
        left_behind=left_behind(seen.children),
        parent=seen.parent,
        unattributed=seen.unattributed,
        workspace=seen.workspace_changes,
        skipped=0 if seen.beside is None else seen.beside.skipped,
    )


def _beside_the_call(seen: Seen) -> Iterator[WitnessedFile]:
    """What lies beside the transcripts, where it is certainly this call's."""
    start, exited = seen.live.start.monotonic_ns, seen.live.exited_at
    found = [] if seen.log_beside is None else seen.log_beside.files
    if seen.beside is not None and seen.beside.conversation == seen.conversation and not seen.shared:
        found = [*found, *seen.beside.files]
    for each in found:
        late = exited is not None and each.at > exited
        yield replace(each, at=max(start, each.at), approx=each.approx or late or seen.unwatched)


def _within_the_call(seen: Seen) -> Iterator[WitnessedFile]:
    """Cut off what later calls added before anyone looked."""
    start, exited = seen.live.start, seen.live.exited_at
    ended = None if exited is None else start.realtime_ns + exited - start.monotonic_ns
    several = seen.live.call.input_format == "stream-json"
    for each in seen.files:
        data, at = each.data, max(each.at, start.monotonic_ns)
        if each.approx and exited is not None:
            at = min(at, exited)
            if conversation_of_path(each.path):
                data = own_rows(data, several=several, ended_ns=ended)
        if data or each.op != "append":
            yield replace(each, at=at, data=data)
