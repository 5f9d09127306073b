"""The pump: a thread per stream that delivers bytes as they come, and then writes them down."""

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
_FIONREAD = 0x541B
_GONE = select.POLLERR | select.POLLHUP | select.POLLNVAL


class Pumps:
    """The pumps of one call; `on_end(index)` is told in a pump's thread when its link is closed."""

    __slots__ = ("_drained", "_ended", "_journal", "_links", "_on_end", "_owed", "_wake")

    def __init__(self, links: "Sequence[Link]", journal: "Journal", on_end: "Callable[[int], None]") -> None:
        self._links = links
        self._journal = journal
        self._on_end = on_end
        self._drained = [_thread.allocate_lock() for _ in links]
        self._ended = [_thread.allocate_lock() for _ in links]
        # Whether a pump has yet to release its lock in `_drained`; only its own thread looks at it.
        self._owed = [False for _ in links]
        self._wake = tuple(map(above_streams, posix.pipe2(posix.O_CLOEXEC)))

    def start(self) -> None:
        """Starts a thread for each link that hasn't ended."""
        for index, link in enumerate(self._links):
            if not link.ended:
                self._drained[index].acquire()
                self._ended[index].acquire()
                self._owed[index] = True
                _thread.start_new_thread(self._run, (index, link))

    def drain(self) -> None:
        """Waits until what agy wrote before now is delivered; what comes later is pumped on.

        There is no time limit: a caller that doesn't read holds up the exit, as it would hold up agy.
        """
        posix.close(self._wake[1])
        for index, link in enumerate(self._links):
            if link.from_agy or link.ended or _gone(link.target):
                with self._drained[index]:
                    pass

    def join(self) -> None:
        """Waits until every link has ended."""
        for lock in self._ended:
            with lock:
                pass

    def still_open(self) -> bool:
        """Whether a link is open, since another process than agy holds its other end."""
        return any(not link.ended for link in self._links)

    def _run(self, index: int, link: "Link") -> None:
        try:
            whole = self._put(link, link.given) if link.given is not None else self._pump(index, link)
            if whole and not link.from_agy:
                self._journal.frame(b"z")
        finally:
            try:
                link.close()
                self._on_end(index)
            finally:
                self._release(index)
                self._ended[index].release()

    def _release(self, index: int) -> None:
        if self._owed[index]:
            self._owed[index] = False
            self._drained[index].release()

    def _pump(self, index: int, link: "Link") -> bool:
        """Pumps until the end of the source (True), or until nobody is left to read the target (False)."""
        poll = select.poll()
        poll.register(link.source, select.POLLIN)
        # Asking for nothing still tells of errors: agy's next write must fail as soon as the caller is gone.
        poll.register(link.target, 0)
        poll.register(self._wake[0], 0)
        # Of what agy wrote before it ended, how much is still to be delivered.
        left = 0
        while True:
            ready = dict(poll.poll())
            if ready.get(link.target, 0) & _GONE:
                return False
            if self._wake[0] in ready:
                poll.unregister(self._wake[0])
                left = _waiting(link.source) if link.from_agy else 0
                if left == 0 and self._drained_to_the_end(index, link):
                    return True
            if link.source not in ready:
                continue
            try:
                chunk = posix.read(link.source, min(left, CHUNK) if left else CHUNK)
            except BlockingIOError:
                continue
            except OSError:
                return False
            if not chunk:
                return True
            if not self._put(link, chunk):
                return False
            if left:
                left -= len(chunk)
                if left == 0 and self._drained_to_the_end(index, link):
                    return True

    def _drained_to_the_end(self, index: int, link: "Link") -> bool:
        """Lets the shim go where somebody else may still write; True where the link is at its end instead."""
        if link.from_agy and _gone(link.source):
            return True
        self._release(index)
        return False

    def _put(self, link: "Link", chunk: bytes) -> bool:
        """Delivers first and writes down second: the caller waits for nothing. False where it is gone."""
        # Taken before: what these bytes cause must not seem to have come first.
        came = time.monotonic_ns()
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


def _waiting(fd: int) -> int:
    """How many bytes wait to be read."""
    return int.from_bytes(fcntl.ioctl(fd, _FIONREAD, bytes(4)), "little")


def _gone(fd: int) -> bool:
    """Whether nobody holds the other end any more."""
    poll = select.poll()
    poll.register(fd, 0)
    return any(events & _GONE for _, events in poll.poll(0))
