"""The witness of a run: sees what agy writes into its store meanwhile, and whose call it belongs to.

It looks at the files every few milliseconds while a call is live; the time of a change is its mtime, kept
between two looks. Recorded are the two transcripts of the call's conversation and the file named by
``--log-file``, nothing else (settings and tokens are never opened).
"""

import os
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path

from agy_proxy.record.attribution import Conversation, Seen, overlap, owner, rivals
from agy_proxy.record.beside import Beside, LogBeside
from agy_proxy.record.brain import Brain
from agy_proxy.record.facts import Facts, WitnessedFile
from agy_proxy.record.journal import OpenFile, is_alive, list_journals
from agy_proxy.record.live_call import LiveCall
from agy_proxy.record.processes import command_line, left_behind, open_paths, started_by
from agy_proxy.watch.rows import conversation_of_path, is_conversation_id, own_rows
from agy_proxy.watch.tail import Tail

LIVE_SECONDS = 0.005
IDLE_SECONDS = 0.02
SURE_NS = 20_000_000
"""Looks further apart than this make the time of a change a guess."""
SAMPLE_NS = 200_000_000
SETTLED_NS = 50_000_000
"""A folder's mtime has the kernel's tick for its grain: a change within it may not show a second time."""
LOG_KEPT = 1_000_000
"""Bytes of a log's end in which the conversation's id is looked for."""


class Witness:
    """Watches the calls whose journals appear in `journals`; `home` is where the store is expected.

    `start` and `stop` run it in a thread of its own; `poll` is one look, for who drives it himself. `clock`
    gives CLOCK_MONOTONIC ns, `realtime` ns of the epoch.
    """

    def __init__(
        self,
        journals: Path,
        home: Path | None = None,
        *,
        clock: Callable[[], int] = time.monotonic_ns,
        realtime: Callable[[], int] = time.time_ns,
    ) -> None:
        self._journals = journals
        self._clock = clock
        self._realtime = realtime
        self._brains: dict[bytes, Brain] = {}
        self._live: dict[Path, Seen] = {}
        self._done: dict[Path, Facts] = {}
        self._conversations: dict[tuple[bytes, str], Conversation] = {}
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
            self._look_at_calls()
            for seen in [seen for seen in self._live.values() if seen.live.ended]:
                self._finish(seen)
            self._looked_at = self._clock()
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
                    self._follow(seen.brain, name, sizes)
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
        for path in found:
            live = LiveCall.open(path)
            if live is None:
                self._unread.add(path)
            else:
                self._continue(seen := self._begin(live))
                self._look_beside(seen)

    def _begin(self, live: LiveCall) -> Seen:
        start, asked = live.start, live.call.conversation
        brain = self._brains.setdefault(start.home, Brain(start.home))
        client = command_line(start.ppid, since=start.realtime_ns / 1e9) if start.ppid else None
        seen = self._live[live.path] = Seen(live, brain, client)
        if live.log is None:
            seen.log_beside = LogBeside(brain.root, start.realtime_ns)
        if asked and is_conversation_id(asked):
            seen.expected = asked
            self._follow(brain, asked, start.before)
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
            self._follow(brain, seen.expected, sizes)

    def _follow(self, brain: Brain, name: str, before: Mapping[bytes, int | None]) -> None:
        if (brain.home, name) not in self._conversations:
            files = tuple(Tail(path, before.get(path)) for path in brain.transcripts(name))
            fresh = not any(before.get(file.path) for file in files)
            self._conversations[brain.home, name] = Conversation(name, brain, files, fresh=fresh)

    def _look_at_calls(self) -> None:
        for seen in self._live.values():
            seen.live.look()
        self._look()

    def _look(self) -> None:
        self._find_conversations()
        self._read()

    def _read(self) -> None:
        for conversation in self._conversations.values():
            conversation.waiting += self._changes(conversation.files)
        for seen in self._live.values():
            self._read_log(seen)
            self._sample(seen)
        self._attribute()
        for seen in self._live.values():
            self._look_beside(seen)

    def _find_conversations(self) -> None:
        began: dict[bytes, int] = {}
        for seen in self._live.values():
            at = seen.live.start.realtime_ns
            began[seen.brain.home] = min(at, began.get(seen.brain.home, at))
        for home, since in began.items():
            brain = self._brains[home]
            for name in brain.new(self._realtime(), since_ns=since):
                self._follow(brain, name, {})

    def _read_log(self, seen: Seen, *, rest: bool = False) -> None:
        if seen.live.log is not None:
            found = self._changes((seen.live.log,), rest=rest)
            seen.log_text = (seen.log_text + b"".join(each.data for each in found))[-LOG_KEPT:]
            seen.files += found

    def _changes(self, files: Iterable[Tail], *, rest: bool = False) -> list[WitnessedFile]:
        now, real = self._clock(), self._realtime()
        floor = self._looked_at or 0

        def when(mtime_ns: int) -> int:
            return min(now, max(floor, now - (real - mtime_ns)))

        seen = [(file.path, change) for file in files if (change := file.change(rest=rest)) is not None]
        found = [
            WitnessedFile(
                at=when(change.mtime_ns), op=change.op, path=path, data=change.data, before=change.before
            )
            for path, change in seen
        ]
        sure = self._looked_at is not None and now - floor <= SURE_NS
        return found if sure else [replace(each, approx=True) for each in found]

    def _look_beside(self, seen: Seen, *, last: bool = False) -> None:
        """Look at what the call's conversation keeps beside its transcripts, and at the log."""
        now, real = self._clock(), self._realtime()
        if seen.log_beside is not None:
            seen.log_beside.look(seen.live.child, now, real, last=last)
        name = seen.conversation or seen.named or seen.expected
        conversation = self._conversations.get((seen.brain.home, name)) if name is not None else None
        if conversation is None or (seen.unwatched and not conversation.fresh):
            return
        seen.shared |= any(overlap(seen, each) for each in rivals(conversation, self._live.values()))
        if seen.beside is None or seen.beside.conversation != conversation.name:
            cwd = seen.live.start.cwd
            seen.beside = Beside(seen.brain.root, conversation.name, cwd, fresh=conversation.fresh)
        seen.beside.look(now, real, last=last)

    def _attribute(self) -> None:
        for conversation in self._conversations.values():
            owning = owner(conversation, self._live.values()) if conversation.waiting else None
            if owning is not None:
                self._give(conversation, owning)

    def _give(self, conversation: Conversation, owning: Seen) -> None:
        owning.conversation = conversation.name
        owning.files += conversation.waiting
        conversation.waiting.clear()

    def _sample(self, seen: Seen) -> None:
        """Look at what costs more than a file's size: output in files, and processes now and then."""
        now, child = self._clock(), seen.live.child
        for stream, file in (
            ("stdout", seen.live.start.stdout_file),
            ("stderr", seen.live.start.stderr_file),
        ):
            written = None if file is None or seen.live.ended else _written(file)
            if written is not None and not is_alive(seen.live.start.pid):
                # Once it is over the client may have written to the same file.
                continue
            known = seen.growth.setdefault(stream, []) if written is not None else []
            if written is not None and (not known or known[-1][1] < written):
                known.append((now, written))
        if child is None or seen.live.exited_at is not None or now - seen.sampled_at < SAMPLE_NS:
            return
        seen.sampled_at = now
        seen.children.update(started_by(child))
        if seen.conversation is None:
            held = (conversation_of_path(path) for path in open_paths(child))
            seen.named_by_process = next((name for name in held if name), None)

    def _finish(self, seen: Seen) -> None:
        """Close the books on a call: what is still waiting is its own, or nobody's."""
        self._read_log(seen, rest=True)
        own = self._conversations.get((seen.brain.home, seen.conversation or seen.named or ""))
        if own is not None:
            own.waiting += self._changes(own.files, rest=True)
        self._attribute()
        self._settle(seen)
        self._look_beside(seen, last=True)
        self._count_what_is_nobodys(seen)
        del self._live[seen.live.path]
        self._stop_following(seen.brain)
        self._done[seen.live.path] = Facts(
            files=(*_within_the_call(seen), *_beside_the_call(seen)),
            growth={stream: tuple(steps) for stream, steps in seen.growth.items()},
            client=seen.client,
            left_behind=left_behind(seen.children),
            unattributed=seen.unattributed,
            skipped=0 if seen.beside is None else seen.beside.skipped,
        )

    def _settle(self, seen: Seen) -> None:
        """Where no row told, the newest conversation of the working directory is that of a lone call."""
        if seen.conversation is not None:
            return
        cwd = seen.live.start.cwd
        near = [o for o in self._live.values() if o.brain is seen.brain and o.live.start.cwd == cwd]
        name = seen.brain.last_conversations().get(cwd.decode("utf-8", "surrogateescape"), "")
        conversation = self._conversations.get((seen.brain.home, name))
        if conversation is None or len(near) > 1 or len(conversation.askers) > 1:
            return
        if conversation.waiting:
            self._give(conversation, seen)

    def _count_what_is_nobodys(self, seen: Seen) -> None:
        alone = sum(other.brain is seen.brain for other in self._live.values()) == 1
        for conversation in self._conversations.values():
            sharing = rivals(conversation, self._live.values())
            if conversation.brain is not seen.brain or not (alone or (seen in sharing and len(sharing) > 1)):
                continue
            for each in sharing or [seen]:
                each.unattributed += len(conversation.waiting)
            conversation.waiting.clear()

    def _stop_following(self, brain: Brain) -> None:
        if any(other.brain is brain for other in self._live.values()):
            return
        for key, conversation in tuple(self._conversations.items()):
            if conversation.brain is brain:
                del self._conversations[key]
        brain.remember()


def _written(file: OpenFile) -> int | None:
    """Return how many bytes stand behind the call's offset; None where the file is another's now."""
    try:
        there = os.stat(file.path)  # noqa: PTH116 - bytes
    except OSError:
        return None
    if file.identity != f"{there.st_dev}:{there.st_ino}":
        return None
    return max(0, there.st_size - file.offset)


def _beside_the_call(seen: Seen) -> Iterator[WitnessedFile]:
    """What lies beside the transcripts, where it is certainly this call's; times are kept within the call."""
    start, exited = seen.live.start.monotonic_ns, seen.live.exited_at
    found = [] if seen.log_beside is None else seen.log_beside.files
    if seen.beside is not None and seen.beside.conversation == seen.conversation and not seen.shared:
        found = [*found, *seen.beside.files]
    for each in found:
        late = exited is not None and each.at > exited
        yield replace(each, at=max(start, each.at), approx=each.approx or late or seen.unwatched)


def _within_the_call(seen: Seen) -> tuple[WitnessedFile, ...]:
    """Cut off what later calls added before anyone looked, and keep times within the call."""
    start, exited = seen.live.start, seen.live.exited_at
    ended = None if exited is None else start.realtime_ns + exited - start.monotonic_ns
    several = seen.live.call.input_format == "stream-json"
    kept: list[WitnessedFile] = []
    for each in seen.files:
        data, at = each.data, max(each.at, start.monotonic_ns)
        if each.approx and exited is not None:
            at = min(at, exited)
            if conversation_of_path(each.path):
                data = own_rows(data, several=several, ended_ns=ended)
        if data or each.op != "append":
            kept.append(replace(each, at=at, data=data))
    return tuple(kept)
