"""Recording a session: agy has a terminal of its own, and the caller's passes on what is typed and shown.

The standby leads the inner terminal's session and is agy's parent, so that agy can be stopped there as by a
shell. This is the shim's side of it; the other is `agy_proxy.shim.isolated.session_standby`.
"""

import _signal  # type: ignore[import-not-found]  # built in, and not in typeshed
import errno
import posix
import select
import time

from agy_proxy.shim.isolated import signals, terminal
from agy_proxy.shim.isolated.journal import log_error
from agy_proxy.shim.isolated.record import Run
from agy_proxy.shim.isolated.session_standby import SessionStandby

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, NoReturn

    from agy_proxy.shim.isolated.terminal import Seat

_SOON_MS = 20
_STOPS = frozenset((_signal.SIGTSTP, _signal.SIGTTIN, _signal.SIGTTOU))


class SessionRun(Run):
    """A session that is being recorded, as the shim sees it.

    It tells the standby ``K number sender ns`` a signal to be passed on, ``N number sender ns`` one that agy
    has already, ``G`` go on, as the terminal is ours. It hears ``P pid``, ``T number`` this signal stopped
    agy, ``Z status memory`` agy ended, ``F 0|1`` and ``D link`` as in any other call.
    """

    __slots__ = ("_command", "_early", "_real", "_stopped_by_us")

    def spawn(self, real: bytes, argv: "list[bytes]") -> None:
        """Starts the standby, which starts agy; raises OSError where there is no room for both."""
        self._real, self._command = real, argv
        self._early: list[bytes] = []
        self._stopped_by_us = False
        self._seat().wait_for_foreground(self._caller.mask)
        self.spawn_standby()
        self._agy = self._first_word()
        self._seat().let_go_of_leader()
        self._let_go()

    def _seat(self) -> "Seat":
        seat = self._streams.seat
        if seat is None:
            raise OSError(errno.ENOTTY, "no terminal")
        return seat

    def _stand_by(self, orders: int, answers: int, shim: int) -> "NoReturn":
        posix.setsid()
        seat = self._seat()
        follower = self._streams.inner[0]
        if seat.control:
            terminal.control(follower)
        seat.take()
        agy = self._fork_agy(follower, control=seat.control)
        self._let_go()
        standby = SessionStandby(orders, answers, shim, self._streams, self._journal, agy)
        standby.begin(agy, seat)
        standby.run(self._finish)

    def _fork_agy(self, follower: int, *, control: bool) -> int:
        try:
            pid = posix.fork()
        except OSError:
            self._seat().give_back()
            raise
        if pid:
            return pid
        try:
            posix.setpgid(0, 0)
            if control:
                posix.tcsetpgrp(follower, posix.getpid())
            self._become_agy(self._real, self._command)
        finally:
            posix._exit(126)  # noqa: SLF001 -- its public name is in `os`, which the shim doesn't load

    def _first_word(self) -> int:
        """Waits for agy's pid."""
        poll = select.poll()
        poll.register(self._answers, select.POLLIN)
        while True:
            poll.poll()
            lines = self._hear()
            if lines is None:
                raise OSError(errno.EAGAIN, posix.strerror(errno.EAGAIN))
            for at, line in enumerate(lines):
                if line.startswith(b"P "):
                    self._early = lines[at + 1 :]
                    if self._early:
                        # There is no second ring for what is heard already.
                        posix.kill(posix.getpid(), _signal.SIGCHLD)
                    return int(line[2:])

    def _group_has(self, info: "Any") -> bool:
        """Passes a signal on through the standby; agy is in no group of the caller's."""
        number = info.si_signo
        at = time.monotonic_ns()
        if number == _signal.SIGCONT:
            self._tell(b"N %d %d %d\n" % (number, info.si_pid, at))
            self._go_on()
        else:
            self._stopped_by_us = self._stopped_by_us or number in _STOPS
            self._tell(b"K %d %d %d\n" % (number, info.si_pid, at))
        return True

    def _go_on(self) -> None:
        self._seat().wait_for_foreground(self._caller.mask)
        self._tell(b"G\n")

    def _look_after_children(self) -> None:
        lines = [*self._early, *(self._hear() or ())]
        self._early = []
        for at, line in enumerate(lines):
            what, *words = line.split()
            if what == b"T":
                self._stop(int(words[0]))
            elif what == b"Z":
                self._early = lines[at + 1 :]
                self._end(int(words[0]), int(words[1]))
        if posix.waitpid(self._standby or 0, posix.WNOHANG)[0]:
            self._lose_standby()

    def _stop(self, number: int) -> None:
        """Stops with agy: the whole job, where a key did it; the terminal is as it was."""
        if number == _signal.SIGTSTP and self._seat().control and not self._stopped_by_us:
            posix.kill(0, number)
        self._stopped_by_us = False
        signals.stop_like(number)
        if _signal.SIGCONT not in _signal.sigpending():
            # Nobody is there who could continue a job, and so it didn't stop.
            self._go_on()

    def _lose_standby(self) -> None:
        """Ends with the standby, which led agy's session: there is nobody to take its place."""
        self._seat().give_back()
        what = "the recording is incomplete: the standby was killed"
        log_error(self._settings.get("errors_log"), what)
        self._journal.reopened()
        self._journal.frame(b"n", what.encode())
        posix.kill(self._agy or 0, _signal.SIGKILL)
        signals.end_like(_signal.SIGKILL)

    def _delivered(self, ended: bytes) -> bool:  # noqa: ARG002 -- it was the standby that said so
        lines: list[bytes] | None = self._early
        poll = select.poll()
        poll.register(self._answers, select.POLLIN)
        while lines is not None:
            for line in lines:
                if line.startswith(b"F "):
                    return line == b"F 1"
            if poll.poll(_SOON_MS) or self._act_for_agy(poll):
                lines = self._hear()
        self._seat().give_back()
        return False
