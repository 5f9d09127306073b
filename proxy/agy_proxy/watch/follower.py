"""Follows every transcript of a store: hints say where to look, the files' bytes say what is there.

A heartbeat makes up for hints that were lost: conversations that are alive are looked at every second, all
that are known once a minute.
"""

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol, Self

from agy_proxy.watch import store, tail
from agy_proxy.watch.events import Appeared, Child, Event, Gone
from agy_proxy.watch.hints import Hints
from agy_proxy.watch.transcript import Transcript, followed, followed_chunks

HEARTBEAT = 1.0
"""Seconds between looks at what is alive."""
ROUND = 60.0
"""Seconds between looks at everything."""
QUIET = 120.0
"""Seconds without a change after which a conversation is no longer alive."""
SOON = 0.05
"""Seconds between looks at a conversation whose log folder is not there yet."""


class Hinting(Protocol):
    """What a follower needs of `agy_proxy.watch.hints.Hints`."""

    def arm(self) -> None:
        """Watch what was missing."""

    def follow(self, conversation: str) -> bool:
        """Watch a conversation that is alive; whether that was possible yet."""

    def unfollow(self, conversation: str) -> None:
        """End that."""

    def taken(self) -> frozenset[str]:
        """What was hinted at since."""

    def wait(self, seconds: float) -> None:
        """Wait for a hint."""

    def close(self) -> None:
        """End all."""


@dataclass
class _Live:
    transcripts: dict[str, Transcript] = field(default_factory=dict)
    changed_at: float = 0.0


class Follower:
    """The conversations of the store at `root`, which need not be there yet.

    What stands there at the start is old; ``old=True`` tells it, too. `chunks` follows the chunks beside the
    transcripts. `poll` is one look, for who drives it himself; `follow` is the loop. `clock` gives seconds.
    """

    def __init__(
        self,
        root: Path,
        *,
        old: bool = False,
        chunks: bool = False,
        clock: Callable[[], float] = time.monotonic,
        hints: Callable[[Path], Hinting] = Hints,
    ) -> None:
        self._root = root
        self._clock = clock
        self._chunks = chunks
        self._hints = hints(root)
        self._known: dict[str, dict[str, tail.Known | None]] = {}
        self._live: dict[str, _Live] = {}
        self._children: dict[str, frozenset[str]] = {}
        self._unwatched: set[str] = set()
        self._beat = self._round = clock()
        for name in () if old else store.conversations(root):
            self._known[name] = {
                each: store.known(path) for each, path in store.transcripts(root, name).items()
            }

    def __enter__(self) -> Self:
        """Itself."""
        return self

    def __exit__(self, *why: object) -> None:
        """End the watches."""
        self.close()

    def close(self) -> None:
        """End the watches."""
        self._hints.close()

    def follow(self, until: Callable[[], bool] = lambda: False) -> Iterator[Event]:
        """Yield events as they come, until `until` holds, which is asked after each look."""
        while True:
            yield from self.poll()
            if until():
                return
            due = max(0.0, self._beat + HEARTBEAT - self._clock())
            self._hints.wait(min(due, SOON) if self._unwatched else due)

    def poll(self) -> list[Event]:
        """Look once at what was hinted at, and at what is due."""
        now = self._clock()
        hinted = self._hints.taken()
        beat, whole = now >= self._beat + HEARTBEAT, now >= self._round + ROUND
        events: list[Event] = []
        if beat or whole or not hinted <= self._known.keys():
            self._hints.arm()
            events += self._found(now)
        looked = {name for name in hinted if name in self._known} | self._unwatched
        if beat:
            self._beat = now
            looked |= self._live.keys()
        if whole:
            self._round = now
            looked |= {name for name in self._known if self._has_changed(name)}
        for name in sorted(looked):
            events += self._look(name, now)
        for name in [name for name, live in self._live.items() if now >= live.changed_at + QUIET]:
            self._let_go(name)
        return events

    def _found(self, now: float) -> list[Event]:
        """Conversations that came and went."""
        there = store.conversations(self._root)
        events: list[Event] = []
        for name in sorted(there - self._known.keys()):
            self._known[name] = dict.fromkeys(store.TRANSCRIPTS)
            self._live[name] = _Live(changed_at=now)
            events += [Appeared(conversation=name, at=now), *self._look(name, now)]
        for name in sorted(self._known.keys() - there):
            self._let_go(name)
            del self._known[name]
            events.append(Gone(conversation=name, at=now))
        return events

    def _look(self, name: str, now: float) -> list[Event]:
        if name not in self._known:
            return []
        live = self._live.setdefault(name, _Live(changed_at=now))
        # First, so that what is written after the look is hinted at.
        (self._unwatched.discard if self._hints.follow(name) else self._unwatched.add)(name)
        if not live.transcripts:
            live.transcripts = self._transcripts(name)
        events = [event for transcript in live.transcripts.values() for event in transcript.look(now)]
        children = store.children(self._root, name)
        new = children - self._children.get(name, frozenset())
        events += [Child(conversation=child, parent=name, at=now) for child in sorted(new)]
        self._children[name] = children
        if events:
            live.changed_at = now
        return events

    def _transcripts(self, name: str) -> dict[str, Transcript]:
        flat = {
            each: followed(name, each, path, self._known[name][each])
            for each, path in store.transcripts(self._root, name).items()
        }
        if not self._chunks:
            return flat
        chunks = store.chunks(self._root, name)
        pairs = zip(chunks.items(), flat.values(), strict=True)
        return flat | {each: followed_chunks(name, each, folder, whole) for (each, folder), whole in pairs}

    def _let_go(self, name: str) -> None:
        """Goes on without a conversation that is quiet; what was told of it is what it was before."""
        live = self._live.pop(name, None)
        self._unwatched.discard(name)
        if live is not None:
            self._hints.unfollow(name)
            for each in store.TRANSCRIPTS:
                if each in live.transcripts:
                    self._known[name][each] = live.transcripts[each].known

    def _has_changed(self, name: str) -> bool:
        paths = store.transcripts(self._root, name)
        return any(store.known(path) != self._known[name].get(each) for each, path in paths.items())
