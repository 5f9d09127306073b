"""The canary: which signals came to the whole process group, told by the standby, which gets no others."""

import _signal  # type: ignore[import-not-found]  # built in, and not in typeshed
import _thread
import time

from agy_proxy.shim.isolated import signals

_KEPT = 64


class Canary:
    """A thread that takes each signal as it comes, so that two that follow each other don't merge here.

    `_seen` holds when each came, by its number, in ns of the monotonic clock. SIGCHLD isn't counted: by it
    the thread is asked to look again.
    """

    __slots__ = ("_asked", "_listener", "_looked", "_seen")

    def __init__(self) -> None:
        self._seen: dict[int, list[int]] = {}
        self._asked = False
        self._looked = _thread.allocate_lock()
        self._looked.acquire()
        self._listener = 0

    def claim(self, number: int, at: int) -> bool:
        """Whether the signal that the shim took at `at` was sent to the group."""
        self._look()
        times = self._seen.get(number, [])
        found = bool(times)
        del times[:1]
        if number < _signal.SIGRTMIN:
            # Sent before the shim took its one: those had merged into it.
            while times and times[0] < at:
                del times[0]
        return found

    def forget(self, number: int, before: int) -> None:
        """Drops what came to the group before that time, which nobody will ask for."""
        self._look()
        times = self._seen.get(number, [])
        while times and times[0] < before:
            del times[0]

    @staticmethod
    def drop_all() -> None:
        """Drops what is pending, before there is a thread: it came before agy did, so not to agy."""
        for number in _signal.sigpending():
            _signal.sigtimedwait((number,), 0)

    def _look(self) -> None:
        """Waits until all that has come is written down, also what the thread has in hand."""
        self._asked = True
        if not self._listener:
            # Most calls get no signal, and then need no thread.
            self._listener = _thread.start_new_thread(self._listen, ())
        _signal.pthread_kill(self._listener, _signal.SIGCHLD)
        self._looked.acquire()

    def _listen(self) -> None:
        info = None
        called = False
        while True:
            if info is not None and info.si_signo == _signal.SIGCHLD:
                called = True
            elif info is not None:
                times = self._seen.setdefault(info.si_signo, [])
                times.append(time.monotonic_ns())
                del times[:-_KEPT]
            info = _signal.sigtimedwait(signals.ALL, 0)
            if info is None:
                # Only a look that began after the call has seen all that came before it.
                if called and self._asked:
                    called = self._asked = False
                    self._looked.release()
                info = _signal.sigwaitinfo(signals.ALL)
