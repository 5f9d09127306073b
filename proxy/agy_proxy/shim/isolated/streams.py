"""The caller's three streams: what kind each is, and what agy gets in its place."""

import _thread
import fcntl
import posix

from agy_proxy.shim.isolated.journal import above_streams

TYPE_CHECKING = False
if TYPE_CHECKING:
    from posix import stat_result

    from agy_proxy.shim.isolated.terminal import Seat

PUMPED = ("pipe", "socket", "tty")
"""Kinds of output that go through the standby."""

_FORMAT = 0o170000
_KINDS = {0o010000: "pipe", 0o140000: "socket", 0o100000: "file"}
_CHARACTERS = 0o020000
_NULL_DEVICE = (1, 3)
_FROM_START, _HERE = 0, 1


def kind_of(fd: int, status: "stat_result | None") -> str:
    """One of pipe, socket, file, null, tty, closed, other."""
    if status is None:
        return "closed"
    what = status.st_mode & _FORMAT
    if what == _CHARACTERS:
        if (posix.major(status.st_rdev), posix.minor(status.st_rdev)) == _NULL_DEVICE:
            return "null"
        return "tty" if posix.isatty(fd) else "other"
    return _KINDS.get(what, "other")


def status_of(fd: int) -> "stat_result | None":
    """The status of an open descriptor; None where it is closed."""
    try:
        return posix.fstat(fd)
    except OSError:
        return None


class Link:
    """Bytes on their way from `source` to `target`; `code` is the journal's.

    `also` are more descriptors of the target, to be closed with it. `given` are bytes that stand for a source
    that was read already. `tty`: both are terminals. `lock` is held by who carries, where two may.
    """

    __slots__ = ("also", "code", "ended", "given", "lock", "source", "target", "tty")

    def __init__(
        self,
        code: bytes,
        source: int,
        target: int,
        also: "tuple[int, ...]" = (),
        given: "bytes | None" = None,
        *,
        tty: bool = False,
    ) -> None:
        self.code = code
        self.source = source
        self.target = target
        self.also = also
        self.given = given
        self.tty = tty
        self.lock = _thread.allocate_lock()
        self.ended = False

    @property
    def from_agy(self) -> bool:
        """Whether these bytes are agy's output."""
        return self.code != b"i"

    def close(self) -> None:
        """Lets go of both ends; called once in each process that holds them."""
        self.ended = True
        for fd in (self.source, self.target, *self.also):
            if fd >= 0:
                posix.close(fd)


class Streams:
    """What stands between the caller and agy.

    `kinds` of stdin, stdout, stderr; `links` to pump; `inner`, agy's descriptor for each stream that is not
    the caller's own; `files`, the streams that are regular files, by number, with the offset where they
    stand; `terminal`, what stands before a terminal, `tap`, `session` or nothing; `seat`, the terminals of
    a session; `size` of the first stream that is a terminal, ``ROWS COLS``.
    """

    __slots__ = ("files", "inner", "kinds", "links", "seat", "size", "terminal")

    def __init__(self) -> None:
        self.kinds = ["closed", "closed", "closed"]
        self.links: list[Link] = []
        self.inner: dict[int, int] = {}
        self.files: dict[int, int] = {}
        self.terminal = ""
        self.seat: Seat | None = None
        self.size: bytes | None = None

    def held(self) -> "set[int]":
        """The caller's streams that the shim and its standby need open."""
        used = {fd for link in self.links for fd in (link.source, link.target, *link.also)}
        return {fd for fd in (0, 1, 2) if fd in used or (fd in self.files and fd != 0)}

    def close_inner(self) -> None:
        """Lets go of agy's ends; called in every process but agy."""
        for fd in set(self.inner.values()):
            posix.close(fd)
        self.inner = {}


def plan(*, record_stdin: bool, stdin_read: "bytes | None" = None, interactive: bool = False) -> Streams:
    """Looks at the caller's streams and makes what agy gets; raises OSError where there is no room.

    `record_stdin`: whether agy's stdin is to be recorded; `stdin_read`: what was read of it, to its end;
    `interactive`: whether agy talks to who sits at a terminal, if there is one.
    """
    streams = Streams()
    status = [status_of(fd) for fd in (0, 1, 2)]
    streams.kinds = [kind_of(fd, found) for fd, found in enumerate(status)]
    for fd, found in enumerate(status):
        if found is not None and streams.kinds[fd] == "file":
            streams.files[fd] = _offset(fd, found.st_size)
    if "tty" in streams.kinds:
        from agy_proxy.shim.isolated import terminal

        streams.size = terminal.size_of(streams.kinds.index("tty"))
    if stdin_read is not None:
        _stdin_again(streams, stdin_read)
    elif record_stdin and streams.kinds[0] in ("pipe", "socket"):
        _stdin(streams)
    if interactive and streams.kinds[:2] == ["tty", "tty"] and _same(status[0], status[1]):
        _session(streams, with_errors=_same(status[1], status[2]))
    elif _same(status[1], status[2]) and _same_file_position(streams):
        if streams.kinds[1] in PUMPED:
            write_end = _out(streams, 1, b"m", (2,))
            streams.inner[1] = write_end
            streams.inner[2] = write_end
        if streams.kinds[2] in (*PUMPED, "file"):
            streams.kinds[2] = "same"
        return streams
    for fd, code in ((1, b"o"), (2, b"e")):
        if streams.kinds[fd] in PUMPED and fd not in streams.inner:
            streams.inner[fd] = _out(streams, fd, code)
    return streams


def _out(streams: Streams, fd: int, code: bytes, also: "tuple[int, ...]" = ()) -> int:
    """Puts something in the place of a stream of output; returns agy's end."""
    kind = streams.kinds[fd]
    read_end, write_end = _pair(kind, fd)
    streams.links.append(Link(code, read_end, fd, also, tty=kind == "tty"))
    if kind == "tty":
        streams.terminal = "tap"
    return write_end


def end_offset(fd: int) -> int:
    """Where a stream that is a file stands now: the next byte of this call goes there."""
    return _offset(fd, posix.fstat(fd).st_size)


def _session(streams: Streams, *, with_errors: bool) -> None:
    """Gives agy a terminal of its own for all that goes to the caller's and comes from there."""
    from agy_proxy.shim.isolated import terminal

    leader, follower = terminal.session_pair(0)
    streams.seat = terminal.Seat(0, leader)
    streams.terminal = "session"
    streams.inner = {0: follower, 1: follower}
    also: tuple[int, ...] = ()
    if with_errors:
        streams.inner[2] = follower
        streams.kinds[2] = "same"
        also = (2,)
    streams.links.append(Link(b"m" if with_errors else b"o", leader, 1, also, tty=True))


def _stdin(streams: Streams) -> None:
    read_end, write_end = _pair(streams.kinds[0], 0)
    streams.links.append(Link(b"i", 0, write_end))
    streams.inner[0] = read_end


def _stdin_again(streams: Streams, given: bytes) -> None:
    """Gives agy what was read of its stdin already."""
    if streams.kinds[0] == "file":
        streams.files[0] -= len(given)
        posix.lseek(0, streams.files[0], _FROM_START)
    elif streams.kinds[0] in ("pipe", "socket"):
        read_end, write_end = _pair(streams.kinds[0], 0)
        streams.links.append(Link(b"i", -1, write_end, given=given))
        streams.inner[0] = read_end


def _pair(kind: str, outer: int) -> "tuple[int, int]":
    """A read and a write end of that kind; agy's end does not block where the caller's end doesn't."""
    if kind == "tty":
        from agy_proxy.shim.isolated import terminal

        read_end, write_end = terminal.pair(outer)
    elif kind == "pipe":
        read_end, write_end = posix.pipe2(posix.O_CLOEXEC)
    else:
        read_end, write_end = _sockets(outer)
    read_end, write_end = above_streams(read_end), above_streams(write_end)
    if not posix.get_blocking(outer):
        posix.set_blocking(read_end if outer == 0 else write_end, False)
    return read_end, write_end


def _sockets(outer: int) -> "tuple[int, int]":
    import _socket

    there = _socket.socket(fileno=outer)
    kind = there.type
    there.detach()
    one, other = _socket.socketpair(_socket.AF_UNIX, kind)
    return one.detach(), other.detach()


def _same(one: "stat_result | None", other: "stat_result | None") -> bool:
    if one is None or other is None:
        return False
    return (one.st_dev, one.st_ino) == (other.st_dev, other.st_ino)


def _same_file_position(streams: Streams) -> bool:
    """Whether two streams of one file write one behind the other, as ``2>&1`` makes them."""
    if streams.kinds[1] != "file":
        return True
    flags = [fcntl.fcntl(fd, fcntl.F_GETFL) & (posix.O_APPEND | posix.O_ACCMODE) for fd in (1, 2)]
    return streams.files[1] == streams.files[2] and flags[0] == flags[1]


def _offset(fd: int, size: int) -> int:
    flags: int = fcntl.fcntl(fd, fcntl.F_GETFL)
    return size if flags & posix.O_APPEND else posix.lseek(fd, 0, _HERE)
