"""Which call a change in the store belongs to, by the strongest evidence there is.

In this order: the conversation that the call's log, output or open files name; the one in its argv; the one
that opens a turn with its prompt after its start. What stays ambiguous belongs to nobody.
"""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from agy_proxy.record.beside import Beside, LogBeside
from agy_proxy.record.brain import Brain
from agy_proxy.record.facts import WitnessedFile
from agy_proxy.record.live_call import LiveCall
from agy_proxy.record.processes import Ancestor
from agy_proxy.record.record_id import record_id
from agy_proxy.record.workspace import Workspace
from agy_proxy.watch.rows import asks, conversation_in_log, not_before, rows
from agy_proxy.watch.tail import Tail


@dataclass
class Conversation:
    """A conversation that is followed while a call that may own it is live.

    `waiting` are changes that belong to no call yet; `askers` the journals of all calls whose prompt fits;
    `fresh` one that was not there before.
    """

    name: str
    brain: Brain
    files: tuple[Tail, ...]
    waiting: list[WitnessedFile] = field(default_factory=list)
    askers: set[Path] = field(default_factory=set)
    fresh: bool = False


@dataclass
class Seen:
    """What has been found out about one call; `expected` is the conversation it asked to go on with."""

    live: LiveCall
    brain: Brain
    client: str | None
    above: tuple[Ancestor, ...] = ()
    parent: str | None = None
    """The record of the call whose agy called this one."""
    expected: str | None = None
    conversation: str | None = None
    files: list[WitnessedFile] = field(default_factory=list)
    log_text: bytes = b""
    unattributed: int = 0
    growth: dict[str, list[tuple[int, int]]] = field(default_factory=dict)
    children: dict[int, tuple[float, str]] = field(default_factory=dict)
    sampled_at: int = 0
    named_by_process: str | None = None
    beside: Beside | None = None
    log_beside: LogBeside | None = None
    shared: bool = False
    """Whether another call was at the same conversation: then nobody can tell whose the files beside are."""

    workspace: Workspace | None = None
    workspace_changes: tuple[Mapping[str, Any], ...] | None = ()
    """As a record lists them; None where they can't be told."""
    neighbours: "list[Seen]" = field(default_factory=list)
    """Live calls that are at its working folder, or one above or below, as well."""
    disturbed: bool = False
    """Whether one of these ran at the same time, and is not its parent or child."""

    closed: bool = False
    """Whether the last look at what lies beside was taken: what comes now may be the next call's."""

    unwatched: bool = False
    """Whether nobody looked before it was over: then nobody knows what is old in an older conversation."""

    @property
    def named(self) -> str | None:
        """The conversation by the evidence that needs no row."""
        log = self.log_text if self.log_beside is None else self.log_beside.text
        return conversation_in_log(log) or self.live.told_conversation or self.named_by_process

    def asks_in(self, changes: Iterable[WitnessedFile]) -> bool:
        """Whether these changes open a turn with this call's prompt, after its start."""
        prompt, start = self.live.prompt, self.live.start
        if prompt is None:
            return False
        return any(
            asks(row, prompt) and not_before(row, start.realtime_ns)
            for change in changes
            if change.at >= start.monotonic_ns
            for _, row in rows(change.data)
        )


def find_parents(live: Collection[Seen]) -> None:
    """Tell each call whose client came of another call's agy, the nearest one's."""
    children = {seen.live.child: seen for seen in live if seen.live.child is not None}
    for seen in live:
        if seen.parent is None and seen.above:
            near = (children.get(ancestor.pid) for ancestor in seen.above)
            outer = next((other for other in near if other is not None and other is not seen), None)
            seen.parent = None if outer is None else record_id(outer.live.start)


def owner(conversation: Conversation, live: Iterable[Seen]) -> Seen | None:
    """Return the one call that what is waiting belongs to, or None while that can't be told."""
    near = [seen for seen in live if seen.brain is conversation.brain]
    named = [seen for seen in near if seen.named == conversation.name]
    expecting = [
        seen
        for seen in near
        if seen.named is None and conversation.name in (seen.expected, seen.conversation)
    ]
    for evidence in (named, expecting):
        if len(evidence) == 1:
            return evidence[0]
        if evidence:
            asking = [seen for seen in evidence if seen.asks_in(conversation.waiting)]
            return asking[0] if len(asking) == 1 else None
    asking = [seen for seen in near if seen.named is None and seen.asks_in(conversation.waiting)]
    conversation.askers.update(seen.live.path for seen in asking)
    free = [seen for seen in asking if seen.conversation is None]
    return free[0] if len(free) == len(conversation.askers) == 1 else None


def rivals(conversation: Conversation, live: Iterable[Seen]) -> list[Seen]:
    """Return the calls that share a conversation, so that rows without a prompt are nobody's."""
    return [
        seen
        for seen in live
        if seen.brain is conversation.brain
        and conversation.name in (seen.expected, seen.conversation, seen.named)
    ]


def overlap(one: Seen, other: Seen) -> bool:
    """Whether two calls ran at the same time, as far as is known by now; a call doesn't overlap itself."""
    if one is other:
        return False
    first, second = sorted((one, other), key=lambda seen: seen.live.start.monotonic_ns)
    ended = first.live.exited_at
    return ended is None or ended > second.live.start.monotonic_ns
