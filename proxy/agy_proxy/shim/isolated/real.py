"""The real agy: finding it, never ourselves, and becoming it."""

import errno
import posix

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import NoReturn

MARKER = b"# agy-proxy shim"
"""The second line of every shim begins so."""

NOT_FOUND = 127
NOT_EXECUTABLE = 126
FAILED = 125
_HEAD = 512
_PIECE = 65536
_DEEPEST = 4
_ANCESTORS = 64
_SHELL = b"/bin/sh"


class Found:
    """What was found: `path`, or None with `status` and `why` (a line for the user)."""

    __slots__ = ("path", "status", "why")

    def __init__(self, path: "bytes | None", status: int = 0, why: str = "") -> None:
        self.path = path
        self.status = status
        self.why = why


def find_real(given: "bytes | None", shim: bytes, env: "Mapping[bytes, bytes]") -> Found:
    """The agy to run: `given`, else the first on PATH, else ``~/.local/bin/agy``; never a shim of ours.

    Identity (device, inode) and the marker decide, not names: a folder may be on PATH under any spelling.
    """
    if given is not None:
        head = read_head(given)
        if is_shim(head):
            return Found(None, FAILED, f"{_told(given)} was given as the real agy and is a shim itself")
        return _unless_looping(given, head)
    mine = _identity(shim)
    unusable = None
    for path in _candidates(env):
        found = _identity(path)
        if found is None or found == mine:
            continue
        if not posix.access(path, posix.X_OK):
            unusable = unusable or path
            continue
        head = read_head(path)
        if not is_shim(head):
            return _unless_looping(path, head)
    if unusable is not None:
        return Found(None, NOT_EXECUTABLE, f"the real agy, {_told(unusable)}, can't be executed")
    return Found(None, NOT_FOUND, "the real agy was not found on PATH or in ~/.local/bin")


def become(path: bytes, argv: "list[bytes]") -> "NoReturn":
    """Executes the real agy in this process, with C's environment; a script without ``#!`` by sh."""
    try:
        posix.execv(path, argv)
    except OSError as failed:
        refused = failed
    if refused.errno == errno.ENOEXEC and _may_be_a_script(read_head(path)):
        try:
            posix.execv(_SHELL, [b"sh", path, *argv[1:]])
        except OSError as failed:
            refused = failed
    status = NOT_FOUND if refused.errno == errno.ENOENT else NOT_EXECUTABLE
    give_up(status, f"{_told(path)}: {(refused.strerror or '').lower()}")


def give_up(status: int, why: str) -> "NoReturn":
    """Ends this process with `status` and a line on stderr."""
    try:
        posix.write(2, f"agy-proxy: {why}\n".encode("utf-8", "surrogateescape"))
    except OSError:
        # A closed stderr takes no message; the status tells enough.
        pass
    posix._exit(status)  # noqa: SLF001 -- its public name is in `os`, which the shim doesn't load


def is_shim(head: "bytes | None") -> bool:
    """Whether a file that begins so is a shim of ours."""
    return head is not None and head.partition(b"\n")[2].startswith(MARKER)


def _may_be_a_script(head: "bytes | None") -> bool:
    """Whether a shell would run it: a file with a NUL in its first line it takes for a binary."""
    return head is not None and b"\0" not in head.partition(b"\n")[0]


def read_head(path: bytes) -> "bytes | None":
    """The first bytes of a file; None where it can't be read."""
    try:
        return read_file(path, _HEAD)
    except OSError:
        return None


def _candidates(env: "Mapping[bytes, bytes]") -> "list[bytes]":
    folders = env.get(b"PATH", b"/bin:/usr/bin").split(b":")
    paths = [(folder or b".") + b"/agy" for folder in folders]
    home = env.get(b"HOME")
    if home:
        paths.append(home + b"/.local/bin/agy")
    return paths


def _identity(path: bytes) -> "tuple[int, int] | None":
    """Device and inode of a regular file; None for anything else."""
    try:
        status = posix.stat(path)
    except OSError:
        return None
    return (status.st_dev, status.st_ino) if status.st_mode & 0o170000 == 0o100000 else None


def _unless_looping(path: bytes, head: "bytes | None") -> Found:
    """A script that is taken for agy may call ``agy`` and so find us again, for ever."""
    if head is not None and head.startswith(b"#!") and _shims_above() >= _DEEPEST:
        return Found(None, FAILED, f"{_told(path)} was found as the real agy and calls this shim again")
    return Found(path)


def _shims_above() -> int:
    """How many ancestors run a shim, without a standby of ours counted twice."""
    pid = posix.getppid()
    count = 0
    for _ in range(_ANCESTORS):
        if pid <= 1:
            break
        try:
            words = read_file(b"/proc/%d/cmdline" % pid).split(b"\0")
            fields = read_file(b"/proc/%d/stat" % pid).rpartition(b")")[2].split()
        except OSError:
            break
        if len(words) > 2 and words[1] == b"-IS" and is_shim(read_head(words[2])):
            count += 1
        pid = int(fields[1])
    return count


def read_file(path: bytes, size: int = -1) -> bytes:
    """The whole file, or its first `size` bytes; raises OSError."""
    fd = posix.open(path, posix.O_RDONLY | posix.O_CLOEXEC | posix.O_NONBLOCK)
    try:
        if size >= 0:
            return posix.read(fd, size)
        parts = [posix.read(fd, _PIECE)]
        # A short read of a file, or of what /proc makes up, is its end.
        while len(parts[-1]) == _PIECE:
            parts.append(posix.read(fd, _PIECE))
        return b"".join(parts)
    finally:
        posix.close(fd)


def _told(path: bytes) -> str:
    return path.decode("utf-8", "surrogateescape")
