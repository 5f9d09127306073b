"""The witness of a run: sees what agy writes into its store meanwhile, and whose call it belongs to.

It looks at the files every few milliseconds while a call is live; the time of a change is its mtime, kept
between two looks. Settings, tokens and other conversations than the call's are never opened.
"""

import threading
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from agy_proxy.record.attribution import Seen, find_parents, overlap, rivals
from agy_proxy.record.beside import Beside, LogBeside
from agy_proxy.record.brain import Brain
from agy_proxy.record.closing import facts_of
from agy_proxy.record.facts import Facts
from agy_proxy.record.followed import Followed, Look, changes
from agy_proxy.record.journal import list_journals
from agy_proxy.record.live_call import LiveCall
from agy_proxy.record.processes import ancestors, command_line
from agy_proxy.record.sampling import read_log, sample
from agy_proxy.record.working_folder import close_folder, watch_folder
from agy_proxy.watch.rows import is_conversation_id

LIVE_SECONDS = 0.005
IDLE_SECONDS = 0.02
SETTLED_NS = 50_000_000
"""A folder's mtime has the kernel's tick for its grain: a change within it may not show a second time."""


class Witness:
    """Watches the calls whose journals appear in `journals`; `home` is where the store is expected.

    `start` and `stop` run it in a thread of its own; `poll` is one look, for who drives it himself. `clock`
    gives CLOCK_MONOTONIC ns, `realtime` ns of the epoch. `workspace` keeps what is in the files that a call
    changes below its working folder.
    """

    def __init__(
        self,
        journals: Path,
        home: Path | None = None,
        *,
        workspace: bool = False,
        clock: Callable[[], int] = time.monotonic_ns,
        realtime: Callable[[], int] = time.time_ns,
    ) -> None:
        self._journals = journals
        self._keeps_workspace = workspace
        self._clock = clock
        self._realtime = realtime
        self._brains: dict[bytes, Brain] = {}
        self._live: dict[Path, Seen] = {}
        self._done: dict[Path, Facts] = {}
        self._followed = Followed()
        self._folder_stamp: int | None = None
        self._unread: set[Path] = set()
        self._looked_at: int | None = None
        self._stopping = threading.Event()
        self._lock = threading.Lock()
        self._thread: threading.Thread | None = None
        if home is not None:
            self._brains[bytes(home)] = brain = Brain(bytes(home))
            brain.arm()

    def start(self) -> None:
        """Begin to watch; returns once everything that is there already has been noted."""
        self.poll()
        self._thread = threading.Thread(target=self._watch, name="agy-proxy witness", daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """Look once more, and close the books on every call, live or not."""
        self._stopping.set()
        if self._thread is not None:
            self._thread.join()
            self._thread = None
        self.poll()
        with self._lock:
            for seen in tuple(self._live.values()):
                self._finish(seen)

    def facts(self, journal: Path) -> Facts | None:
        """Return what was seen of a call that is over; None while it is live or was never seen."""
        with self._lock:
            return self._done.get(journal)

    def forget(self, journal: Path) -> None:
        """Drop what is known of a call that has been saved."""
        with self._lock:
            self._done.pop(journal, None)

    def poll(self) -> bool:
        """Look once; returns whether a call is live."""
        with self._lock:
            self._find_calls()
            began = self._clock()
            self._look_at_calls()
            for seen in [seen for seen in self._live.values() if seen.live.ended]:
                self._finish(seen)
            # What is not seen yet came after a look's begin, which may be long before its end.
            self._looked_at = began
            return bool(self._live)

    def look_back(self, journal: Path) -> Facts:
        """Return what can still be found out of a call that is over and that nobody watched."""
        with self._lock:
            live = LiveCall.open(journal)
            if live is None:
                return Facts()
            live.look()
            seen = self._begin(live)
            seen.unwatched = True
            if seen.expected is None:
                for name, sizes in seen.brain.turns(live.prompt, live.start.realtime_ns):
                    self._followed.follow(seen.brain, name, sizes)
            self._read()
            self._finish(seen)
            # How long a file is now says nothing of the call.
            return replace(self._done.pop(journal), growth={})

    def _watch(self) -> None:
        live = False
        while not self._stopping.wait(LIVE_SECONDS if live else IDLE_SECONDS):
            live = self.poll()

    def _find_calls(self) -> None:
        try:
            stamp = self._journals.stat().st_mtime_ns
        except OSError:
            return
        if stamp == self._folder_stamp and not self._unread:
            return
        self._folder_stamp = stamp if self._realtime() - stamp > SETTLED_NS else None
        self._unread.clear()
        found = [
            path
            for path in list_journals(self._journals)
            if path not in self._live and path not in self._done
        ]
        if found:
            # What is there by now of calls before is theirs, and with another call it could be that one's.
            self._look_at_calls()
            for seen in self._live.values():
                if seen.live.exited_at is not None:
                    self._look_beside(seen, last=True)
        for path in found:
            live = LiveCall.open(path)
            if live is None:
                self._unread.add(path)
            else:
                self._continue(seen := self._begin(live))
                watch_folder(seen, self._live.values(), bytes(self._journals.parent))
                self._look_beside(seen)

    def _begin(self, live: LiveCall) -> Seen:
        start, asked = live.start, live.call.conversation
        brain = self._brains.setdefault(start.home, Brain(start.home))
        began = start.realtime_ns / 1e9
        client = command_line(start.ppid, since=began) if start.ppid else None
        above = ancestors(start.ppid, since=began) if start.ppid else ()
        seen = self._live[live.path] = Seen(live, brain, client, above)
        if live.log is None:
            seen.log_beside = LogBeside(brain.root, start.realtime_ns)
        if asked and is_conversation_id(asked):
            seen.expected = asked
            self._followed.follow(brain, asked, start.before)
        return seen

    def _continue(self, seen: Seen) -> None:
        """With ``--continue`` the conversation is the newest of the working directory (contract.md 4.3)."""
        live, brain = seen.live, seen.brain
        if seen.expected is not None or not live.call.continue_:
            return
        seen.expected = brain.last_conversations().get(live.start.cwd.decode("utf-8", "surrogateescape"))
        if seen.expected is not None:
            sizes = {
                path: brain.size_before(path, live.prompt, live.start.realtime_ns)
                for path in brain.transcripts(seen.expected)
            }
            self._followed.follow(brain, seen.expected, sizes)

    def _look_at_calls(self) -> None:
        for seen in self._live.values():
            seen.live.look()
        find_parents(self._live.values())
        self._look()

    def _look(self) -> None:
        self._followed.find_new(self._live.values(), self._realtime())
        self._read()

    def _read(self) -> None:
        self._followed.read(self._now())
        for seen in self._live.values():
            read_log(seen, self._now())
            sample(seen, self._clock())
        self._followed.attribute(self._live.values())
        for seen in self._live.values():
            self._look_beside(seen)

    def _now(self) -> Look:
        # Should time pass between the two, a change seems later than it was, never older than its call.
        real = self._realtime()
        return Look(self._clock(), real, self._looked_at)

    def _look_beside(self, seen: Seen, *, last: bool = False) -> None:
        """Look at what the call's conversation keeps beside its transcripts, and at the log."""
        if seen.closed:
            return
        seen.closed = last
        now, real = self._clock(), self._realtime()
        if seen.log_beside is not None:
            seen.log_beside.look(seen.live.child, now, real, last=last)
        name = seen.conversation or seen.named or seen.expected
        conversation = self._followed.get(seen.brain, name)
        if conversation is None or (seen.unwatched and not conversation.fresh):
            return
        seen.shared |= any(overlap(seen, each) for each in rivals(conversation, self._live.values()))
        if seen.beside is None or seen.beside.conversation != conversation.name:
            cwd = seen.live.start.cwd
            seen.beside = Beside(seen.brain.root, conversation.name, cwd, fresh=conversation.fresh)
            # To the next call it is an old one.
            conversation.fresh = False
        seen.beside.look(now, real, last=last)

    def _finish(self, seen: Seen) -> None:
        """Close the books on a call: what is still waiting is its own, or nobody's."""
        read_log(seen, self._now(), rest=True)
        live = self._live.values()
        own = self._followed.get(seen.brain, seen.conversation or seen.named)
        if own is not None:
            own.waiting += changes(own.files, self._now(), rest=True)
        self._followed.attribute(live)
        self._followed.settle(seen, live)
        self._look_beside(seen, last=True)
        close_folder(seen, self._clock(), self._realtime(), content=self._keeps_workspace)
        self._followed.count_what_is_nobodys(seen, live)
        del self._live[seen.live.path]
        self._stop_following(seen.brain)
        self._done[seen.live.path] = facts_of(seen)

    def _stop_following(self, brain: Brain) -> None:
        if any(other.brain is brain for other in self._live.values()):
            return
        self._followed.drop(brain)
        brain.remember()
