"""Hints by the system that something in a store changed; what is true the files say.

The watches are flat: the folders of `store.FLAT`, and the log folder of each conversation that is alive. A
recursive watch of a large store floods its own queue and then tells nothing.
"""

import os
import threading
from collections.abc import Callable
from pathlib import Path

from watchdog.events import (
    DirCreatedEvent,
    DirDeletedEvent,
    DirMovedEvent,
    FileCreatedEvent,
    FileDeletedEvent,
    FileModifiedEvent,
    FileMovedEvent,
    FileSystemEvent,
    FileSystemEventHandler,
)
from watchdog.observers import Observer
from watchdog.observers.api import BaseObserver, ObservedWatch

from agy_proxy.watch import store
from agy_proxy.watch.rows import conversation_of_path

WANTED: list[type[FileSystemEvent]] = [
    *(FileCreatedEvent, FileDeletedEvent, FileModifiedEvent, FileMovedEvent),
    *(DirCreatedEvent, DirDeletedEvent, DirMovedEvent),
]


class Hints(FileSystemEventHandler):
    """Which conversations of the store at `root` may have changed since they were last taken.

    `observer` makes the observer; closing ends its threads.
    """

    def __init__(self, root: Path, observer: Callable[[], BaseObserver] = Observer) -> None:
        self._root = root
        self._observer = observer()
        self._flat: dict[str, ObservedWatch] = {}
        self._live: dict[str, ObservedWatch] = {}
        self._hinted: set[str] = set()
        self._changed = threading.Event()
        self._lock = threading.Lock()
        self._observer.start()
        self.arm()

    @property
    def watches(self) -> int:
        """How many folders are watched."""
        return len(self._flat) + len(self._live)

    def arm(self) -> None:
        """Watch those of the flat folders that are there by now; called again while some are missing."""
        for name in store.FLAT:
            if name not in self._flat:
                watch = self._watch(self._root / name)
                if watch is not None:
                    self._flat[name] = watch
                    self._hint(name)

    def follow(self, conversation: str) -> bool:
        """Watch the log folder of a conversation too; whether it is there already."""
        if conversation not in self._live:
            watch = self._watch(store.logs(self._root, conversation))
            if watch is not None:
                self._live[conversation] = watch
        return conversation in self._live

    def unfollow(self, conversation: str) -> None:
        """End what `follow` began."""
        watch = self._live.pop(conversation, None)
        if watch is not None:
            self._observer.unschedule(watch)

    def taken(self) -> frozenset[str]:
        """Return the conversations that were hinted at, and names of flat folders, since the last call."""
        with self._lock:
            hinted, self._hinted = frozenset(self._hinted), set()
            self._changed.clear()
        return hinted

    def wait(self, seconds: float) -> None:
        """Wait for a hint, at most so long."""
        self._changed.wait(seconds)

    def wake(self) -> None:
        """End a wait."""
        self._changed.set()

    def close(self) -> None:
        """End all watches."""
        self._observer.stop()
        self._observer.join()
        self.wake()

    def on_any_event(self, event: FileSystemEvent) -> None:
        """Note what the path of an event tells."""
        for path in (event.src_path, event.dest_path):
            if path:
                found = conversation_of_path(os.fsencode(path))
                self._hint(found if found is not None else Path(os.fsdecode(path)).parent.name)

    def _hint(self, name: str) -> None:
        with self._lock:
            self._hinted.add(name)
            self._changed.set()

    def _watch(self, folder: Path) -> ObservedWatch | None:
        if not folder.is_dir():
            return None
        try:
            return self._observer.schedule(self, str(folder), recursive=False, event_filter=WANTED)
        except OSError:
            # It vanished just now, or the system has no more watches: the heartbeat finds what it would tell.
            return None
