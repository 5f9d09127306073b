"""The caller's environment, byte for byte: what a shell and Python have changed in it is undone."""

import posix

from agy_proxy.shim.isolated.real import read_file

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping


def take_from_shell(prefix: "bytes | None") -> None:
    """Puts back the environment that ``/bin/sh`` was given, where the shim was started through it.

    A shell drops and adds variables, so it left what it was given in a file: `prefix` and this pid. Of names
    that are there twice the first stays.
    """
    if prefix is None:
        return
    path = b"%b%d" % (prefix, posix.getpid())
    try:
        entries = read_file(path).split(b"\0")
        posix.unlink(path)
    except OSError:
        # No /proc, or no room: then it is as the shell made it.
        return
    env: dict[bytes, bytes] = posix.environ
    for name in tuple(env):
        posix.unsetenv(name)
    env.clear()
    for entry in entries:
        name, equals, value = entry.partition(b"=")
        if name and equals and name not in env:
            env[name] = value
            posix.putenv(name, value)


def undo_python() -> None:
    """Undoes what Python adds to the environment in the C locale (PEP 538)."""
    name = b"LC_CTYPE"
    env: Mapping[bytes, bytes] = posix.environ
    if env.get(name) not in (b"C.UTF-8", b"C.utf8", b"UTF-8"):
        return
    try:
        original = read_file(b"/proc/self/environ")
    except OSError:
        return
    for entry in original.split(b"\0"):
        if entry.startswith(name + b"="):
            posix.putenv(name, entry[len(name) + 1 :])
            return
    posix.unsetenv(name)
