"""The standby: a second process that outlives the shim by as much as is needed.

It pumps the streams, so that a SIGKILL on the shim loses nothing that agy wrote; it kills agy when the shim
dies; it tells a signal sent to the shim from one sent to the whole group; it goes on delivering what a
process that agy left behind writes.

It has all signals blocked and nobody knows its pid, so that a signal comes to it only when it was sent
to the group. The kernel gives a group's signal to the younger members first.

What it is told, a line each: ``P pid`` agy runs as this pid (from agy's process itself, before
it executes, so that the shim may die at any moment), ``Q n signal sender ns`` was this signal, which the
shim took then, sent to the group, ``C signal ns`` this signal stopped the shim and will not be asked for,
``L`` show on terminals what agy has written so far, as agy has stopped,
``X status memory`` agy ended. The end of that pipe is the shim's death. What it answers: ``A n 0|1``, ``L``,
``D link`` this link has ended, ``F 0|1`` all is delivered, and whether a link is still open.
"""

import _signal  # type: ignore[import-not-found]  # built in, and not in typeshed
import posix

from agy_proxy.shim.isolated.canary import Canary
from agy_proxy.shim.isolated.journal import netstrings
from agy_proxy.shim.isolated.pump import Pumps
from agy_proxy.shim.isolated.streams import end_offset

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import NoReturn

    from agy_proxy.shim.isolated.journal import Journal
    from agy_proxy.shim.isolated.streams import Streams

_LINE = 4096


class Standby:
    """What the standby knows: its pipes to the shim, the shim's pid, and agy's as a descriptor."""

    __slots__ = ("_agy", "_answers", "_canary", "_journal", "_orders", "_pumps", "_shim", "_streams")

    def __init__(
        self, orders: int, answers: int, shim: int, streams: "Streams", journal: "Journal", agy: "int | None"
    ) -> None:
        self._orders = orders
        self._answers = answers
        self._shim = shim
        self._streams = streams
        self._journal = journal
        self._agy = _handle(agy) if agy is not None else None
        self._canary = Canary()
        self._pumps = Pumps(streams.links, journal, self._tell_end)

    def run(self, finish: "Sequence[bytes] | None") -> "NoReturn":
        """Serves until the shim is gone and every stream is closed; then starts `finish`, detached."""
        if self._agy is not None:
            self._pumps.start()
        still_open = self._serve()
        if still_open is None:
            self._outlive()
        self._pumps.leave(self._orders)
        posix.close(self._answers)
        posix.close(self._orders)
        if still_open is not False:
            self._pumps.join()
            self._journal.frame(b"c")
        self._journal.close()
        if finish:
            _start(finish)
        posix._exit(0)  # noqa: SLF001 -- its public name is in `os`, which the shim doesn't load

    def _outlive(self) -> None:
        """Ends agy, since the shim is dead."""
        if self._agy is not None:
            # First, for the caller may go on writing to a file at once; what agy still adds is no part of it.
            self._note_ends_of_files()
            _kill(self._agy)

    def _serve(self) -> "bool | None":
        """Answers the shim until agy ends; whether a link is open then. None when the shim died before."""
        for line in self._lines():
            what, *words = line.split()
            if what == b"P":
                self._agy = _handle(int(words[0]))
                # Not before there is an agy: without one the caller's stdin must not have been touched.
                self._pumps.start()
                self._canary.drop_all()
                self._journal.frame(b"p", words[0])
                self._follow_size()
            elif what == b"C":
                self._canary.forget(int(words[0]), int(words[1]))
            elif what == b"Q":
                self._answer_signal(words)
            elif what == b"L":
                self._pumps.settle()
                self._say(b"L\n")
            elif what == b"X":
                return self._end(*words)
        return None

    def _lines(self) -> "Iterator[bytes]":
        """What the shim orders; meanwhile the streams are attended to."""
        self._pumps.attend_also(self._orders)
        held = b""
        while True:
            if self._orders not in self._pumps.attend():
                continue
            data = posix.read(self._orders, _LINE)
            if not data:
                return
            *lines, held = (held + data).split(b"\n")
            yield from lines

    def _answer_signal(self, words: "list[bytes]") -> None:
        asked, number, sender, at = words
        group = b"1" if self._canary.claim(int(number), int(at)) else b"0"
        again = int(number) in (_signal.SIGWINCH, _signal.SIGCONT) and self._follow_size()
        # What agy has read when the group's signal came to it was the old size.
        told = b"0" if again and int(number) == _signal.SIGWINCH else group
        self._say(b"A %b %b\n" % (asked, told))
        self._journal.frame(b"s", b"%b %b %b" % (number, sender, group), int(at))

    def _follow_size(self) -> bool:
        """Gives agy's terminals the size of the caller's; whether that was another one."""
        taps = [link for link in self._streams.links if link.tty and not link.ended]
        if not taps:
            return False
        from agy_proxy.shim.isolated import terminal

        changed = [link for link in taps if terminal.follow_size(link.target, link.source)]
        if changed:
            self._journal.frame(b"w", terminal.size_of(changed[0].target) or b"")
        return bool(changed)

    def _end(self, status: bytes, memory: bytes) -> bool:
        self._pumps.drain()
        self._give_back(int(status))
        self._journal.frame(b"x", status if memory == b"0" else status + b" " + memory)
        self._note_ends_of_files()
        still_open = self._pumps.still_open()
        if not still_open:
            self._journal.frame(b"c")
        self._journal.frame(b"E")
        if not still_open:
            self._pumps.join()
        self._say(b"F %d\n" % still_open)
        return still_open

    def _give_back(self, status: int) -> None:
        """Called when all that agy wrote is delivered and the shim doesn't know it yet."""

    def _note_ends_of_files(self) -> None:
        files = [fd for fd in self._streams.files if fd != 0]
        if files:
            ends = [(b"stdout_end" if fd == 1 else b"stderr_end", b"%d" % end_offset(fd)) for fd in files]
            self._journal.frame(b"f", netstrings(*[part for pair in ends for part in pair]))

    def _tell_end(self, index: int) -> None:
        """Tells the shim to let go of a link too."""
        self._say(b"D %d\n" % index)
        self._ring()

    def _ring(self) -> None:
        """Has the shim listen, by the one signal that it never forwards."""
        if posix.getppid() == self._shim:
            posix.kill(self._shim, _signal.SIGCHLD)

    def _say(self, line: bytes) -> None:
        try:
            posix.write(self._answers, line)
        except OSError:
            # The shim is gone; the end of the orders tells so.
            pass


def _handle(pid: int) -> "int | None":
    """A descriptor for the process, which can't come to mean another one; None where it is gone already."""
    try:
        return posix.pidfd_open(pid, 0)
    except OSError:
        return None


def _kill(handle: int) -> None:
    try:
        _signal.pidfd_send_signal(handle, _signal.SIGKILL)
    except OSError:
        # It is gone already.
        pass


def _start(finish: "Sequence[bytes]") -> None:
    """Starts a process that belongs to nobody: own session, no streams, no folder held."""
    try:
        if posix.fork():
            return
    except OSError:
        # What this would have saved is saved by the next call or by ``agy-proxy sync``.
        return
    try:
        posix.setsid()
        posix.chdir("/")
        null = posix.open("/dev/null", posix.O_RDWR)
        for fd in (0, 1, 2):
            if fd != null:
                posix.dup2(null, fd)
            else:
                posix.set_inheritable(fd, True)  # noqa: FBT003 -- posix takes it so
        _signal.signal(_signal.SIGPIPE, _signal.SIG_DFL)
        _signal.pthread_sigmask(_signal.SIG_SETMASK, ())
        posix.execv(finish[0], list(finish))
    finally:
        posix._exit(127)  # noqa: SLF001 -- its public name is in `os`, which the shim doesn't load
