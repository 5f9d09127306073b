"""Recording a call: agy runs in between a shim and its standby, and nobody can tell."""

import _signal  # type: ignore[import-not-found]  # built in, and not in typeshed
import posix
import select
import time

from agy_proxy.shim.isolated import signals, usage
from agy_proxy.shim.isolated.caller import Caller
from agy_proxy.shim.isolated.environment import undo_python
from agy_proxy.shim.isolated.journal import Journal, above_streams, log_error, open_journal
from agy_proxy.shim.isolated.real import become
from agy_proxy.shim.isolated.standby import Standby
from agy_proxy.shim.isolated.start import call_of, start_record
from agy_proxy.shim.isolated.streams import Streams, plan

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any, NoReturn

    from agy_cassettes.call import Call

_ANSWER_MS = 1000
_RETRY = 0.05
_SOON_MS = 20


def record(
    settings: "Mapping[str, Any]", argv: "list[bytes]", real: bytes, shim: bytes, mask: "set[int]"
) -> "NoReturn":
    """Runs the real agy, writes its journal and ends as it ended; without means to do so it becomes agy."""
    caller = Caller(mask, pipe_ignored=settings.get("sigpipe") == "ignore")
    run = path = None
    try:
        call = call_of(argv)
        streams = plan(
            record_stdin=call.reads_stdin,
            stdin_read=settings.get("stdin_read"),
            interactive=_talks(call),
        )
        began = time.time_ns()
        journal, path = open_journal(settings["journal_dir"], began, settings.get("errors_log"))
        facts = {
            b"version": settings["version"].encode(),
            b"run_id": settings["run_id"].encode(),
            b"realtime_ns": b"%d" % began,
            b"monotonic_ns": b"%d" % time.monotonic_ns(),
            b"shim_path": shim,
        }
        journal.start(start_record(facts, argv, real, streams, call), time.monotonic_ns())
        _keep_stdin_file(journal, streams, call)
        run = _run(settings, streams, journal, caller)
        run.spawn(real, argv)
    except (OSError, MemoryError) as failed:
        if run is not None:
            run.abandon()
        _unrecorded(settings, path, failed)
        caller.hand_back()
        undo_python()
        become(real, argv)
    run.watch()


def _talks(call: "Call") -> bool:
    """Whether agy talks to who sits at its terminal, if it has one (contract.md 1.1, 7.1)."""
    if call.kind == "probe" or call.prompt is not None or call.input_format == "stream-json":
        return False
    return call.interactive is not None or not call.rest


def _run(settings: "Mapping[str, Any]", streams: Streams, journal: Journal, caller: Caller) -> "Run":
    if streams.seat is None:
        return Run(settings, streams, journal, caller)
    from agy_proxy.shim.isolated.session import SessionRun

    return SessionRun(settings, streams, journal, caller)


def _unrecorded(settings: "Mapping[str, Any]", path: "bytes | None", failed: Exception) -> None:
    why = failed.strerror if isinstance(failed, OSError) else "out of memory"
    what = f"a call was not recorded: {(why or str(failed)).lower()}"
    log_error(settings.get("errors_log"), what)
    if path is not None:
        try:
            posix.unlink(path)
        except OSError:
            # An empty journal says as little as none.
            pass


def _keep_stdin_file(journal: Journal, streams: Streams, call: "Call") -> None:
    """Writes down a prompt that comes from a file, without moving the offset that agy reads from."""
    if not call.reads_stdin or 0 not in streams.files:
        return
    at = streams.files[0]
    while chunk := posix.pread(0, 65536, at):
        journal.frame(b"i", chunk)
        at += len(chunk)
    journal.frame(b"z")


def _from_here(info: "Any") -> bool:
    """Whether the kernel sent this signal for something that this process did."""
    return bool(info.si_code > 0 or info.si_pid == posix.getpid())


class Run:
    """A call that is being recorded, as the shim sees it."""

    __slots__ = (
        "_agy",
        "_answers",
        "_asked",
        "_caller",
        "_finish",
        "_held",
        "_journal",
        "_orders",
        "_settings",
        "_standby",
        "_streams",
    )

    def __init__(
        self, settings: "Mapping[str, Any]", streams: Streams, journal: Journal, caller: Caller
    ) -> None:
        self._settings = settings
        self._streams = streams
        self._journal = journal
        self._caller = caller
        self._finish = settings.get("finish")
        self._standby: int | None = None
        self._agy: int | None = None
        self._orders = self._answers = -1
        self._asked = 0
        self._held = b""

    def spawn(self, real: bytes, argv: "list[bytes]") -> None:
        """Starts the standby, and agy; raises OSError only where there is no room for a process."""
        self.spawn_standby()
        pid = posix.fork()
        if pid == 0:
            try:
                posix.write(self._orders, b"P %d\n" % posix.getpid())
                self._become_agy(real, argv)
            finally:
                posix._exit(126)  # noqa: SLF001 -- its public name is in `os`, which the shim doesn't load
        self._agy = pid
        self._let_go()
        # Now, while agy starts, since the caller waits for none of it.
        usage.prepare()

    def spawn_standby(self) -> None:
        """Forks the standby; raises OSError."""
        orders, self._orders = map(above_streams, posix.pipe2(posix.O_CLOEXEC))
        self._answers, answers = map(above_streams, posix.pipe2(posix.O_CLOEXEC))
        posix.set_blocking(self._answers, False)
        self._held = b""
        shim = posix.getpid()
        pid = posix.fork()
        if pid == 0:
            try:
                signals.block_all()
                posix.close(self._orders)
                posix.close(self._answers)
                self._stand_by(orders, answers, shim)
            finally:
                posix._exit(1)  # noqa: SLF001 -- its public name is in `os`, which the shim doesn't load
        posix.close(orders)
        posix.close(answers)
        self._standby = pid

    def _stand_by(self, orders: int, answers: int, shim: int) -> "NoReturn":
        """What the standby's process does."""
        self._let_go()
        if self._agy is not None:
            self._journal.reopened()
        Standby(orders, answers, shim, self._streams, self._journal, self._agy).run(self._finish)

    def _become_agy(self, real: bytes, argv: "list[bytes]") -> "NoReturn":
        for fd, inner in self._streams.inner.items():
            posix.dup2(inner, fd)
        undo_python()
        self._caller.hand_back()
        become(real, argv)

    def abandon(self) -> None:
        """Ends the standby of a call that is not recorded after all; it has touched no stream yet."""
        if self._standby is not None:
            posix.kill(self._standby, _signal.SIGKILL)
            posix.waitpid(self._standby, 0)

    def watch(self) -> "NoReturn":
        """Passes signals on until agy ends, and then ends in the same way."""
        while True:
            # Without a standby there is nobody to pump: it is tried again until there is room for one.
            wait = None if self._standby is not None else _RETRY
            info = (
                _signal.sigwaitinfo(signals.ALL) if wait is None else _signal.sigtimedwait(signals.ALL, wait)
            )
            if info is None:
                self._replace_standby()
            elif info.si_signo == _signal.SIGCHLD:
                self._look_after_children()
            elif info.si_signo in signals.MADE_BY_WRITING and _from_here(info):
                # Our own failed write; a blocked signal is queued even while it is ignored.
                continue
            elif not self._group_has(info):
                posix.kill(self._agy or 0, info.si_signo)

    def _let_go(self) -> None:
        """Closes what only agy needs: held here, it would hide from others that agy closed it."""
        self._streams.close_inner()
        held = self._streams.held()
        for fd in (*self._caller.descriptors, *(fd for fd in (0, 1, 2) if fd not in held)):
            try:
                posix.close(fd)
            except OSError:
                # It was closed already.
                pass
        self._caller.descriptors = []

    def _look_after_children(self) -> None:
        self._hear()
        while True:
            pid, status, memory = usage.wait(
                self._agy or 0, posix.WNOHANG | posix.WUNTRACED | posix.WCONTINUED
            )
            if pid == 0:
                break
            if posix.WIFSTOPPED(status):
                self._stop(posix.WSTOPSIG(status))
            elif not posix.WIFCONTINUED(status):
                self._end(status, memory)
        if self._standby is not None and posix.waitpid(self._standby, posix.WNOHANG)[0]:
            self._lose_standby()

    def _stop(self, number: int) -> None:
        """Stops with agy. What stopped both by the group is never taken, so the standby drops it too."""
        at = time.monotonic_ns()
        if self._streams.terminal:
            # A shell writes there as soon as the shim has stopped.
            self._tell(b"L\n")
            self._answer(b"L")
        signals.stop_like(number)
        self._tell(b"C %d %d\n" % (number, at))

    def _tell(self, order: bytes) -> None:
        try:
            posix.write(self._orders, order)
        except OSError:
            # It was killed meanwhile, which is told by SIGCHLD.
            pass

    def _lose_standby(self) -> None:
        """Puts another standby in the place of one that was killed; what that one had in hand is lost."""
        self._standby = None
        what = "the recording is incomplete: the standby was killed"
        log_error(self._settings.get("errors_log"), what)
        self._journal.reopened()
        self._journal.frame(b"n", what.encode())
        self._replace_standby()

    def _replace_standby(self) -> None:
        for fd in (self._orders, self._answers):
            if fd >= 0:
                posix.close(fd)
        self._orders = self._answers = -1
        try:
            self.spawn_standby()
        except OSError:
            # Tried again soon.
            pass

    def _group_has(self, info: "Any") -> bool:
        """Whether this signal was sent to the whole group, so that agy has it already."""
        at = time.monotonic_ns()
        self._asked += 1
        try:
            posix.write(self._orders, b"Q %d %d %d %d\n" % (self._asked, info.si_signo, info.si_pid, at))
            answer = self._answer(b"A %d " % self._asked)
        except OSError:
            answer = None
        if answer is None:
            # Only the kernel tells what came from a terminal, and so to the group.
            return bool(info.si_code > 0)
        return answer == b"1"

    def _answer(self, start: bytes) -> "bytes | None":
        """The rest of the standby's line that begins so; None where the standby is dead or stopped."""
        poll = select.poll()
        poll.register(self._answers, select.POLLIN)
        while poll.poll(_ANSWER_MS):
            lines = self._hear()
            if lines is None:
                break
            for line in lines:
                if line.startswith(start):
                    return line[len(start) :]
        return None

    def _hear(self) -> "list[bytes] | None":
        """What the standby said since; links that have ended are let go of at once. None when it is dead."""
        try:
            data = posix.read(self._answers, 4096)
        except BlockingIOError:
            return []
        except OSError:
            return None
        if not data:
            return None
        *lines, self._held = (self._held + data).split(b"\n")
        for line in lines:
            if line.startswith(b"D "):
                self._streams.links[int(line[2:])].close()
        return lines

    def _end(self, status: int, memory: int) -> "NoReturn":
        """Waits until agy's output is delivered, without a time limit, and ends as agy ended."""
        # Sent while agy lived, and too late for it.
        signals.discard_pending()
        still_open = self._delivered(b"X %d %d\n" % (status, memory))
        if not still_open and not self._finish:
            self._reap_standby()
        signals.end_like(status)

    def _delivered(self, ended: bytes) -> bool:
        """Whether a stream is still open when all that agy wrote has been delivered."""
        while self._standby is not None:
            self._tell(ended)
            poll = select.poll()
            poll.register(self._answers, select.POLLIN)
            while poll.poll(_SOON_MS) or self._act_for_agy(poll):
                lines = self._hear()
                if lines is None:
                    break
                for line in lines:
                    if line.startswith(b"F "):
                        return line == b"F 1"
            self._reap_standby()
            self._lose_standby()
        return False

    def _act_for_agy(self, poll: "select.poll") -> bool:
        """Waits for a caller that doesn't read: the shim is all there is of agy, and signals act on it."""
        self._caller.hand_back()
        # A standby that is dead is found out by what it doesn't answer.
        _signal.signal(_signal.SIGPIPE, _signal.SIG_IGN)
        return bool(poll.poll())

    def _reap_standby(self) -> None:
        try:
            posix.waitpid(self._standby or 0, 0)
        except OSError:
            # The caller has SIGCHLD ignored: then the kernel reaps.
            pass
