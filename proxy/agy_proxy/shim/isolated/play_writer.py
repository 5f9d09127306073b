"""The writer, a process of ordinary Python, for shared JSON and databases: the shim can't write those."""

import _signal  # type: ignore[import-not-found]  # built in, and not in typeshed
import marshal
import posix

_MARSHAL = 2
_HIGHEST = 4096


class Writer:
    """A started writer, which is at work while the shim waits for whatever is due next."""

    __slots__ = ("_asked", "_pid", "_told", "_waited")

    def __init__(self, argv: "list[str] | tuple[str, ...]", log: "str | bytes | None") -> None:
        asked_out, self._asked = posix.pipe()
        self._told, told_in = posix.pipe()
        # In the child no signal that is meant for agy does anything: it ends when the pipe does.
        old = _signal.pthread_sigmask(_signal.SIG_BLOCK, _signal.valid_signals())
        self._pid = posix.fork()
        if self._pid == 0:
            _become(argv, asked_out, told_in, log or "/dev/null")
        _signal.pthread_sigmask(_signal.SIG_SETMASK, old)
        posix.close(asked_out)
        posix.close(told_in)
        self._waited = False

    def write(self, how: str, home: bytes, parts: "tuple[bytes, ...]", text: bytes) -> None:
        """Begins a change, the one before being settled; ValueError where the writer is gone."""
        change = marshal.dumps({"how": how, "home": home, "parts": parts, "text": text}, _MARSHAL)
        self._send(len(change).to_bytes(4, "little") + change)
        self._waited = True

    def settle(self) -> None:
        """Waits until the change that was begun is made; ValueError says why it was not."""
        if not self._waited:
            return
        self._waited = False
        size = self._read(4)
        failed = self._read(int.from_bytes(size, "little"))
        if failed:
            raise ValueError(failed.decode("utf-8", "replace"))

    def close(self, *, wait: bool) -> None:
        """Ends it; with `wait` all is in place afterwards."""
        posix.close(self._asked)
        if wait:
            posix.waitpid(self._pid, 0)
        posix.close(self._told)

    def _send(self, data: bytes) -> None:
        # A writer that died is an error, not the end of the shim.
        before = _signal.signal(_signal.SIGPIPE, _signal.SIG_IGN)
        try:
            while data:
                data = data[posix.write(self._asked, data) :]
        except BrokenPipeError:
            raise ValueError("the writer ended") from None
        finally:
            _signal.signal(_signal.SIGPIPE, before)

    def _read(self, count: int) -> bytes:
        data = b""
        while len(data) < count:
            part = posix.read(self._told, count - len(data))
            if not part:
                raise ValueError("the writer ended")
            data += part
        return data


def _become(argv: "list[str] | tuple[str, ...]", asked: int, told: int, log: "str | bytes") -> None:
    try:
        flags = posix.O_WRONLY | posix.O_APPEND | posix.O_CREAT
        words = posix.open(log, flags, 0o600)
        # None of the three is one of the streams: those are open, if only to /dev/null.
        for fd, stream in ((asked, 0), (told, 1), (words, 2)):
            posix.dup2(fd, stream)
        posix.closerange(3, _HIGHEST)
        posix.execve(argv[0], argv, posix.environ)
    finally:
        posix._exit(127)  # noqa: SLF001 -- its public name is in `os`, which the shim doesn't load
