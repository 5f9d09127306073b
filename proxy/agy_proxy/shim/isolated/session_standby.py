"""The standby of a session: it leads agy's session, and carries what is typed."""

import _signal  # type: ignore[import-not-found]  # built in, and not in typeshed
import _thread
import posix
import select
import time

from agy_proxy.shim.isolated import terminal, usage
from agy_proxy.shim.isolated.journal import above_streams
from agy_proxy.shim.isolated.standby import Standby

TYPE_CHECKING = False
if TYPE_CHECKING:
    from agy_proxy.shim.isolated.terminal import Seat

_TYPED = 4096


class SessionStandby(Standby):
    """Beside what every standby does: waits for agy, and reads the caller's terminal while it is agy's.

    `_typing` is whether it reads; `_pending`, what was typed and the inner terminal has not yet taken.
    """

    __slots__ = ("_news", "_pending", "_pid", "_seat", "_typing", "_wrote")

    def begin(self, agy: int, seat: "Seat") -> None:
        """Called before `run`; `agy` is a child of this process."""
        self._pid, self._seat = agy, seat
        self._typing = False
        self._pending = b""
        self._news, self._wrote = map(above_streams, posix.pipe2(posix.O_CLOEXEC))
        usage.prepare()
        self._journal.frame(b"p", b"%d" % agy)
        self._say(b"P %d\n" % agy)
        _thread.start_new_thread(self._wait, ())

    def _wait(self) -> None:
        """Waits for agy in a thread, since nothing that can be polled tells of a stop."""
        while True:
            _, status, memory = usage.wait(self._pid, posix.WUNTRACED)
            if not posix.WIFSTOPPED(status):
                break
            posix.write(self._wrote, b"T %d\n" % posix.WSTOPSIG(status))
        posix.write(self._wrote, b"Z %d %d\n" % (status, memory))

    def _serve(self) -> "bool | None":
        self._pumps.attend_also(self._orders)
        self._pumps.attend_also(self._news)
        self._follow_size()
        self._type_on()
        held = {self._orders: b"", self._news: b""}
        while True:
            for fd in self._pumps.attend():
                if fd not in held:
                    self._carry_typing()
                    continue
                data = posix.read(fd, _TYPED)
                if not data:
                    return None
                *lines, held[fd] = (held[fd] + data).split(b"\n")
                for line in lines:
                    still_open = self._obey(*line.split())
                    if still_open is not None:
                        return still_open

    def _obey(self, what: bytes, *words: bytes) -> "bool | None":
        """Does what a line says; after agy's end, whether a link is still open."""
        if what == b"K":
            number = int(words[0])
            if number != _signal.SIGWINCH or not self._resized():
                self._send(number)
            self._note(words)
        elif what == b"N":
            self._note(words)
        elif what == b"G":
            self._go_on()
        elif what == b"T":
            self._pause()
            self._pumps.settle()
            self._seat.give_back()
            self._say(b"T %b\n" % words[0])
            self._ring()
        elif what == b"Z":
            self._pause()
            self._say(b"Z %b %b\n" % words)
            self._ring()
            return self._end(*words)
        return None

    def _note(self, words: "tuple[bytes, ...]") -> None:
        number, sender, at = words
        self._journal.frame(b"s", b"%b %b 0" % (number, sender), int(at))

    def _send(self, number: int) -> None:
        try:
            # It can't come to mean another process: only this one waits for agy.
            posix.kill(self._pid, number)
        except OSError:
            # It has ended just now.
            pass

    def _resized(self) -> bool:
        """Whether agy has been told of another size, by the kernel, on the way."""
        return self._follow_size() and self._seat.control

    def _go_on(self) -> None:
        self._seat.take()
        self._follow_size()
        self._type_on()
        try:
            posix.killpg(self._pid, _signal.SIGCONT)
        except OSError:
            # It has ended just now.
            pass

    def _type_on(self) -> None:
        if not self._typing:
            self._typing = True
            self._pumps.attend_also(
                self._seat.outer if not self._pending else self._seat.leader, self._events()
            )

    def _pause(self) -> None:
        if self._typing:
            self._typing = False
            self._pumps.leave(self._seat.leader if self._pending else self._seat.outer)

    def _events(self) -> int:
        return select.POLLOUT if self._pending else select.POLLIN

    def _carry_typing(self) -> None:
        """Carries what is typed, no faster than the inner terminal takes it."""
        if not self._typing:
            return
        data, came = self._pending, 0
        if not data:
            if not self._ours():
                # Until the shim says that it is again.
                self._pause()
                return
            came = time.monotonic_ns()
            data = self._read()
            if not data:
                self._pause()
                self._seat.let_go_of_leader()
                return
            self._journal.frame(b"i", data, came)
        self._pause()
        try:
            self._pending = data[posix.write(self._seat.leader, data) :]
        except BlockingIOError:
            self._pending = data
        except OSError:
            # Nobody has it open any more.
            return
        self._type_on()

    def _read(self) -> bytes:
        try:
            return posix.read(self._seat.outer, _TYPED)
        except OSError:
            # Hung up.
            return b""

    def _ours(self) -> bool:
        """Whether the terminal is the caller's job's, and that isn't stopped: else somebody else reads it."""
        try:
            fd = posix.open(b"/proc/%d/stat" % self._shim, posix.O_RDONLY | posix.O_CLOEXEC)
        except OSError:
            return True
        facts = posix.read(fd, 1024).rpartition(b")")[2].split()
        posix.close(fd)
        return facts[0] not in (b"T", b"t") and (not self._seat.control or facts[2] == facts[5])

    def _follow_size(self) -> bool:
        changed = terminal.follow_size(self._seat.outer, self._seat.leader)
        if changed:
            self._journal.frame(b"w", terminal.size_of(self._seat.outer) or b"")
        return changed

    def _give_back(self, status: int) -> None:
        """Leaves the caller's terminal as agy left its own; as it was, where agy died."""
        modes = terminal.modes_of(self._seat.leader) if posix.WIFEXITED(status) else None
        self._seat.give_back(modes)
        self._let_others_be()

    def _outlive(self) -> None:
        self._pause()
        super()._outlive()
        self._pumps.settle()
        self._seat.give_back()
        self._let_others_be()

    def _let_others_be(self) -> None:
        """Sees to it that what agy left behind isn't hung up at the end of this process, which leads it."""
        self._pumps.leave(self._news)
        self._seat.processed_no_more()
        if self._seat.control:
            try:
                posix.tcsetpgrp(self._seat.leader, posix.getpgrp())
            except OSError:
                # The terminal is gone, and so nobody is hung up by it.
                pass
