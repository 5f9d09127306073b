"""The pump: delivers bytes as they come, and then writes them down.

One thread does it for all streams as long as that can't make one wait for another: pieces of at most 4 KiB,
to a target that takes them at once. A link with more to carry gets a thread of its own, and keeps it.
"""

import _thread
import fcntl
import posix
import select
import time

from agy_proxy.shim.isolated.journal import above_streams

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from agy_proxy.shim.isolated.journal import Journal
    from agy_proxy.shim.isolated.streams import Link

CHUNK = 65536
_AT_ONCE = select.PIPE_BUF
"""A pipe that can be written to takes so many bytes without waiting."""

_SETTLING = 0.1
_FIONREAD = 0x541B
_GONE = select.POLLERR | select.POLLHUP | select.POLLNVAL


class Pumps:
    """The pumps of one call; `on_end(index)` is told when a link is closed.

    `_drained` and `_ended` hold a lock for each link that has a thread: held until what agy wrote before its
    end is delivered, and until the link is closed. `_owed` tells whether the former is still to be released.
    """

    __slots__ = (
        *("_drained", "_draining", "_ended", "_inline", "_journal", "_links", "_on_end", "_others", "_owed"),
        *("_poll", "_wake"),
    )

    def __init__(self, links: "Sequence[Link]", journal: "Journal", on_end: "Callable[[int], None]") -> None:
        self._links = links
        self._journal = journal
        self._on_end = on_end
        self._poll = select.poll()
        self._inline: dict[int, int] = {}
        self._drained: dict[int, _thread.LockType] = {}
        self._ended: dict[int, _thread.LockType] = {}
        self._owed: set[int] = set()
        self._wake: tuple[int, int] | None = None
        self._draining = False
        self._others: set[int] = set()

    def start(self) -> None:
        """Starts to pump each link that hasn't ended."""
        for index, link in enumerate(self._links):
            if link.ended:
                continue
            if link.given is not None:
                self._hand_over(index, link.given, time.monotonic_ns())
                continue
            if link.tty:
                # A terminal takes what it likes, or nothing for as long as its user likes.
                self._hand_over(index, b"", 0)
                continue
            self._poll.register(link.source, select.POLLIN)
            # Asking for nothing still tells of errors: agy must find out as soon as the caller is gone.
            self._poll.register(link.target, 0)
            self._inline[link.source] = self._inline[link.target] = index

    def attend_also(self, fd: int, events: int = select.POLLIN) -> None:
        """Has `attend` look at another descriptor too."""
        self._poll.register(fd, events)
        self._others.add(fd)

    def leave(self, fd: int) -> None:
        """Ends what `attend_also` began."""
        self._poll.unregister(fd)
        self._others.discard(fd)

    def attend(self) -> "list[int]":
        """Waits for something to do and does it; which other descriptors have something."""
        found = []
        ready = dict(self._poll.poll())
        for fd, events in ready.items():
            index = self._inline.get(fd)
            if index is None:
                if fd in self._others:
                    found.append(fd)
                continue
            link = self._links[index]
            if fd == link.target:
                self._finish(index, link, whole=False)
            elif not (ready.get(link.target, 0) & _GONE) and events:
                self._carry(index, link, CHUNK)
        return found

    def drain(self) -> None:
        """Waits until what agy wrote before now is delivered; what comes later is pumped on.

        There is no time limit: a caller that doesn't read holds up the exit, as it would hold up agy.
        """
        self._draining = True
        if self._wake is not None:
            posix.close(self._wake[1])
        for index in sorted(set(self._inline.values())):
            link = self._links[index]
            if not link.from_agy:
                if _gone(link.target):
                    self._finish(index, link, whole=False)
                continue
            left = _waiting(link.source)
            while left > 0 and index in self._inline.values():
                left -= self._carry(index, link, min(left, CHUNK))
            if index in self._inline.values() and _at_its_end(link.source):
                self._finish(index, link, whole=True)
        for index, lock in self._drained.items():
            link = self._links[index]
            if link.from_agy or link.ended or _gone(link.target):
                with lock:
                    pass

    def settle(self) -> None:
        """Shows what agy has written to terminals so far, unless one of them takes nothing now."""
        for link in self._links:
            if not link.tty or not link.lock.acquire(timeout=_SETTLING):
                continue
            try:
                while not link.ended and _polled(link.source, select.POLLIN) & select.POLLIN:
                    if not _writable(link.target):
                        break
                    self._put(link, posix.read(link.source, CHUNK), time.monotonic_ns())
            except OSError:
                # At its end, which its own thread finds out too.
                pass
            finally:
                link.lock.release()

    def join(self) -> None:
        """Pumps until every link has ended."""
        while self._inline:
            self.attend()
        for lock in self._ended.values():
            with lock:
                pass

    def still_open(self) -> bool:
        """Whether a link is open, since another process than agy holds its other end."""
        return any(not link.ended for link in self._links)

    def _carry(self, index: int, link: "Link", size: int) -> int:
        """Carries at most `size` bytes of what is there, and says how many; it never waits."""
        try:
            chunk = posix.read(link.source, size)
        except BlockingIOError:
            return 0
        except OSError:
            self._finish(index, link, whole=False)
            return 0
        came = time.monotonic_ns()
        if not chunk:
            self._finish(index, link, whole=True)
        elif len(chunk) > _AT_ONCE or not _writable(link.target):
            self._take_off(link)
            self._hand_over(index, chunk, came)
        elif not self._put(link, chunk, came):
            self._finish(index, link, whole=False)
        return len(chunk)

    def _finish(self, index: int, link: "Link", *, whole: bool) -> None:
        self._take_off(link)
        self._close(index, link, whole=whole)

    def _take_off(self, link: "Link") -> None:
        for fd in (link.source, link.target):
            del self._inline[fd]
            self._poll.unregister(fd)

    def _close(self, index: int, link: "Link", *, whole: bool) -> None:
        link.close()
        if whole and not link.from_agy:
            self._journal.frame(b"z")
        self._on_end(index)

    def _hand_over(self, index: int, chunk: bytes, came: int) -> None:
        """Gives a link a thread, which first delivers `chunk`."""
        if self._wake is None:
            read_end, write_end = map(above_streams, posix.pipe2(posix.O_CLOEXEC))
            self._wake = read_end, write_end
            if self._draining:
                posix.close(write_end)
        self._owed.add(index)
        for locks in (self._drained, self._ended):
            locks[index] = _thread.allocate_lock()
            locks[index].acquire()
        _thread.start_new_thread(self._run, (index, self._links[index], chunk, came, self._wake[0]))

    def _run(self, index: int, link: "Link", chunk: bytes, came: int, wake: int) -> None:
        whole = False
        try:
            whole = self._put(link, chunk, came) and (link.given is not None or self._pump(index, link, wake))
        finally:
            try:
                self._close(index, link, whole=whole)
            finally:
                self._release(index)
                self._ended[index].release()

    def _release(self, index: int) -> None:
        if index in self._owed:
            self._owed.discard(index)
            self._drained[index].release()

    def _pump(self, index: int, link: "Link", wake: int) -> bool:
        """Pumps until the end of the source (True), or until nobody is left to read the target (False)."""
        poll = select.poll()
        poll.register(link.source, select.POLLIN)
        poll.register(link.target, 0)
        poll.register(wake, 0)
        # Of what agy wrote before it ended, how much is still to be delivered.
        left = 0
        while True:
            ready = dict(poll.poll())
            if ready.get(link.target, 0) & _GONE:
                return False
            if wake in ready:
                poll.unregister(wake)
                left = _left(link)
                if left == 0 and self._drained_to_the_end(index, link):
                    return True
            if link.source not in ready:
                continue
            with link.lock:
                try:
                    chunk = posix.read(link.source, min(left, CHUNK) if left else CHUNK)
                except BlockingIOError:
                    continue
                except OSError:
                    return False
                if not chunk:
                    return True
                if not self._put(link, chunk, time.monotonic_ns()):
                    return False
            if left:
                left = min(left - len(chunk), _left(link)) if link.tty else left - len(chunk)
                if left == 0 and self._drained_to_the_end(index, link):
                    return True

    def _drained_to_the_end(self, index: int, link: "Link") -> bool:
        """Lets the shim go where somebody else may still write; True where the link is at its end instead."""
        if link.from_agy and _at_its_end(link.source):
            return True
        self._release(index)
        return False

    def _put(self, link: "Link", chunk: bytes, came: int) -> bool:
        """Delivers first and writes down second: the caller waits for nothing. False where it is gone.

        `came` is taken before: what these bytes cause must not seem to have come first.
        """
        done = deliver(link.target, chunk)
        if done:
            self._journal.frame(link.code, chunk[:done] if done < len(chunk) else chunk, came)
        return done == len(chunk)


def deliver(fd: int, chunk: bytes) -> int:
    """Writes all of `chunk`, waiting as long as it takes; how much was taken before the reader was gone."""
    done = 0
    while done < len(chunk):
        try:
            done += posix.write(fd, chunk[done:] if done else chunk)
        except BlockingIOError:
            # The caller's end does not block, and the flag isn't ours to change.
            poll = select.poll()
            poll.register(fd, select.POLLOUT)
            poll.poll()
        except OSError:
            break
    return done


def _left(link: "Link") -> int:
    """How much of what agy wrote waits to be read; of a terminal, which doesn't tell, more than it holds."""
    if not link.from_agy:
        return 0
    if not link.tty:
        return _waiting(link.source)
    return CHUNK if _polled(link.source, select.POLLIN) & select.POLLIN else 0


def _waiting(fd: int) -> int:
    """How many bytes wait to be read."""
    return int.from_bytes(fcntl.ioctl(fd, _FIONREAD, bytes(4)), "little")


def _gone(fd: int) -> bool:
    """Whether nobody holds the other end any more."""
    return bool(_polled(fd, 0) & _GONE)


def _at_its_end(fd: int) -> bool:
    """Whether nobody holds the other end any more, and all that came from there was read."""
    events = _polled(fd, select.POLLIN)
    return bool(events & _GONE) and not events & select.POLLIN


def _writable(fd: int) -> bool:
    return bool(_polled(fd, select.POLLOUT))


def _polled(fd: int, events: int) -> int:
    poll = select.poll()
    poll.register(fd, events)
    return sum(found for _, found in poll.poll(0))
