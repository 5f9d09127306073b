"""The file named ``agy``: a stub that loads the bundle, with its settings baked in."""

import os
import shlex
import sys
import tempfile
from pathlib import Path

from agy_proxy.shim.bundle import MAGIC, source_roots
from agy_proxy.shim.isolated.real import MARKER
from agy_proxy.shim.settings import ShimSettings, as_constants

NAME = "agy"
LONGEST_SHEBANG = 127
"""Bytes of ``#!`` line that every Linux reads (older ones cut it there)."""

STUB = """\
import _signal
mask = _signal.pthread_sigmask(_signal.SIG_SETMASK, _signal.valid_signals())
settings = {settings}
try:
    import marshal, posix, sys
    bundle = {bundle}
    fd = posix.open(bundle, posix.O_RDONLY | posix.O_CLOEXEC)
    start = posix.read(fd, 8)
    if start[:4] != {magic} or sys.modules["_frozen_importlib_external"].MAGIC_NUMBER != {magic}:
        raise ValueError
    length = int.from_bytes(start[4:], "little")
    code, packages, extensions, parts = marshal.loads(posix.read(fd, length))
    posix.close(fd)
    base = 8 + length
    exec(code, globals())
except (OSError, ValueError, EOFError, TypeError):
    sys.path[:0] = {roots}
try:
    from agy_proxy.shim.isolated.main import main
except ImportError:
    if settings["mode"] in ("record", "passthrough") and "real" in settings:
        _signal.pthread_sigmask(_signal.SIG_SETMASK, mask)
        posix.execv(settings["real"], ["agy", *sys.argv[1:]])
    posix.write(2, b"agy-proxy: this shim's package is gone; write the shim anew with agy-proxy install\\n")
    posix._exit(125)
main(settings, mask)
"""


def interpreter() -> Path:
    """The base interpreter behind this one, which starts faster than a virtual environment's."""
    base = Path(os.path.realpath(getattr(sys, "_base_executable", "") or sys.executable))
    return base if base.is_file() and os.access(base, os.X_OK) else Path(sys.executable)


def shim_text(settings: ShimSettings, *, bundle: Path, python: Path) -> bytes:
    """The whole file: an interpreter line, the marker, and the stub.

    An interpreter whose path has white space or is too long is reached through ``/bin/sh``.
    """
    path = os.fsencode(python)
    constants = as_constants(settings)
    shebang = b"#!" + path + b" -IS\n"
    direct = len(shebang) <= LONGEST_SHEBANG and path.split() == [path]
    if not direct:
        constants["shell_environment"] = os.fsencode(bundle) + b".env-"
    stub = STUB.format(
        settings=ascii(constants),
        bundle=ascii(os.fsencode(bundle)),
        magic=ascii(MAGIC),
        roots=ascii([str(root) for root in source_roots()]),
    ).encode("ascii")
    # Python takes a source for UTF-8 unless its second line names another coding; a path may be neither.
    coding = b"" if path.isascii() else b" (coding: latin-1)"
    marker = MARKER + coding + b": stands in front of the real agy; written by agy-proxy, settings and all\n"
    if direct:
        return shebang + marker + stub
    return b"#!/bin/sh\n" + marker + _trampoline(path, constants["shell_environment"]) + stub


def _trampoline(python: bytes, environment: bytes) -> bytes:
    """Lines that are commands to sh and a string to Python: sh leaves its environment and gives way."""
    quoted = [os.fsencode(shlex.quote(os.fsdecode(path))) for path in (environment, python)]
    keep = b'(umask 077; exec /bin/cat "/proc/$$/environ" >%b"$$") 2>/dev/null' % quoted[0]
    return b"""''':'\n%b\nexec %b -IS "$0" "$@"\n'''\n""" % (keep, quoted[1])


def write_shim(folder: Path, settings: ShimSettings, *, bundle: Path, python: Path | None = None) -> Path:
    """Write the shim ``agy`` into `folder` in one step and return its path."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / NAME
    fd, temporary = tempfile.mkstemp(dir=folder, prefix=f".{NAME}-")
    with os.fdopen(fd, "wb") as file:
        file.write(shim_text(settings, bundle=bundle.absolute(), python=python or interpreter()))
        os.fchmod(file.fileno(), 0o755)
    Path(temporary).replace(path)
    return path
