"""The conversations that are followed while calls are live, and which of them belongs to which call."""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import replace
from typing import NamedTuple

from agy_proxy.record.attribution import Conversation, Seen, owner, rivals
from agy_proxy.record.brain import Brain
from agy_proxy.record.facts import WitnessedFile
from agy_proxy.watch.tail import Tail

SURE_NS = 20_000_000
"""Looks further apart than this make the time of a change a guess."""


class Look(NamedTuple):
    """The times of a look: CLOCK_MONOTONIC and the epoch (ns), and when the look before it began."""

    now: int
    real: int
    before: int | None


def changes(files: Iterable[Tail], look: Look, *, rest: bool = False) -> list[WitnessedFile]:
    """Return what is new in the files, with the times of their mtimes, kept between two looks."""
    floor = look.before or 0
    found = [(file.path, change) for file in files if (change := file.change(rest=rest)) is not None]
    seen = [
        WitnessedFile(
            at=min(look.now, max(floor, look.now - (look.real - change.mtime_ns))),
            op=change.op,
            path=path,
            data=change.data,
            before=change.before,
        )
        for path, change in found
    ]
    sure = look.before is not None and look.now - floor <= SURE_NS
    return seen if sure else [replace(each, approx=True) for each in seen]


class Followed:
    """All conversations that are followed; `live` is always the calls that are live."""

    def __init__(self) -> None:
        self._all: dict[tuple[bytes, str], Conversation] = {}

    def follow(self, brain: Brain, name: str, before: Mapping[bytes, int | None]) -> None:
        """Follow a conversation from the sizes that its transcripts had."""
        if (brain.home, name) not in self._all:
            files = tuple(Tail(path, before.get(path)) for path in brain.transcripts(name))
            fresh = not any(before.get(file.path) for file in files)
            self._all[brain.home, name] = Conversation(name, brain, files, fresh=fresh)

    def get(self, brain: Brain, name: str | None) -> Conversation | None:
        """Return the conversation, if it is followed."""
        return None if name is None else self._all.get((brain.home, name))

    def find_new(self, live: Collection[Seen], real: int) -> None:
        """Follow what appeared in a store since its first call that is live began."""
        began: dict[bytes, int] = {}
        brains = {seen.brain.home: seen.brain for seen in live}
        for seen in live:
            at = seen.live.start.realtime_ns
            began[seen.brain.home] = min(at, began.get(seen.brain.home, at))
        for home, since in began.items():
            for name in brains[home].new(real, since_ns=since):
                self.follow(brains[home], name, {})

    def read(self, look: Look) -> None:
        """Let what is new wait for its owner."""
        for conversation in self._all.values():
            conversation.waiting += changes(conversation.files, look)

    def attribute(self, live: Collection[Seen]) -> None:
        """Give what waits to the calls that certainly own it."""
        for conversation in self._all.values():
            owning = owner(conversation, live) if conversation.waiting else None
            if owning is not None:
                _give(conversation, owning)

    def settle(self, seen: Seen, live: Collection[Seen]) -> None:
        """Where no row told, the newest conversation of the working directory is that of a lone call."""
        if seen.conversation is not None:
            return
        cwd = seen.live.start.cwd
        near = [other for other in live if other.brain is seen.brain and other.live.start.cwd == cwd]
        name = seen.brain.last_conversations().get(cwd.decode("utf-8", "surrogateescape"), "")
        conversation = self.get(seen.brain, name)
        if conversation is None or len(near) > 1 or len(conversation.askers) > 1:
            return
        if conversation.waiting:
            _give(conversation, seen)

    def count_what_is_nobodys(self, seen: Seen, live: Collection[Seen]) -> None:
        """Drop what still waits when the call is over, and count it with all calls that it may be of."""
        alone = sum(other.brain is seen.brain for other in live) == 1
        for conversation in self._all.values():
            sharing = rivals(conversation, live)
            if conversation.brain is not seen.brain or not (alone or (seen in sharing and len(sharing) > 1)):
                continue
            for each in sharing or [seen]:
                each.unattributed += len(conversation.waiting)
            conversation.waiting.clear()

    def drop(self, brain: Brain) -> None:
        """Follow nothing of this store any more."""
        for key, conversation in tuple(self._all.items()):
            if conversation.brain is brain:
                del self._all[key]


def _give(conversation: Conversation, owning: Seen) -> None:
    owning.conversation = conversation.name
    owning.files += conversation.waiting
    conversation.waiting.clear()
