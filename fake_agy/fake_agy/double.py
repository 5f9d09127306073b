"""Writing the double: an executable file named ``agy`` with its settings baked in."""

import os
import sys
from pathlib import Path

from agy_cassettes.errors import UserError
from fake_agy.clock import parse_time
from fake_agy.settings import DoubleSettings
from fake_agy.version import parse_version

MARKER = b"# agy-proxy double"
"""Stands in the first bytes of every double, so that it can be told from the real agy and from a shim."""

SHEBANG_MAX = 127
"""Bytes of a first line that every Linux takes whole."""


def write_double(directory: Path, settings: DoubleSettings) -> Path:
    """Write the double into `directory` (made if missing) and return the path of its ``agy``.

    The file needs nothing of its caller's environment but HOME. `UserError` where a setting is wrong or an
    ``agy`` that is no double is there already.
    """
    check_settings(settings)
    path = directory / "agy"
    if path.is_symlink() or (path.exists() and not is_double(path)):
        raise UserError(f"{path} is not a double; choose another directory, or move that file away")
    directory.mkdir(parents=True, exist_ok=True)
    draft = directory / f".agy.{os.getpid()}"
    draft.write_bytes(double_script(settings, interpreter=Path(sys.executable).resolve()))
    draft.chmod(0o755)
    draft.replace(path)
    return path


def is_double(path: Path) -> bool:
    """Say whether a file is one that `write_double` wrote."""
    with path.open("rb") as file:
        return MARKER in file.read(1024)


def check_settings(settings: DoubleSettings) -> None:
    """Raise `UserError` for settings no double can have."""
    try:
        parse_version(settings.agy_version)
        if settings.clock is not None:
            parse_time(settings.clock)
    except ValueError as wrong:
        raise UserError(f"the double can't be set up: {wrong}") from None
    if settings.speed is not None and not settings.speed > 0:
        raise UserError(f"speed {settings.speed} is not above 0; use a number such as 1 or 10, or max")
    if settings.home is not None and not Path(settings.home).is_absolute():
        raise UserError(f"home {settings.home!r} is not an absolute path")


def double_script(settings: DoubleSettings, *, interpreter: Path) -> bytes:
    """Make the text of the double for one Python.

    A first line can hold neither blanks nor more than `SHEBANG_MAX` bytes; then ``/bin/sh`` starts the
    interpreter by lines that Python takes for a string.
    """
    package = Path(__file__).resolve().parents[1]
    body = (
        MARKER + b"\nimport sys\n\n"
        b"sys.path.append(" + ascii(str(package)).encode() + b")\n"
        b"from fake_agy.process import run\nfrom fake_agy.settings import DoubleSettings\n\n"
        b"sys.exit(run(sys.argv[1:], " + ascii(settings).encode() + b"))\n"
    )
    shebang = b"#!" + os.fsencode(interpreter) + b" -IS\n"
    if len(shebang.rstrip()) <= SHEBANG_MAX and b" " not in os.fsencode(interpreter):
        return shebang + body
    return _trampoline(interpreter) + body


def _trampoline(interpreter: Path) -> bytes:
    path = os.fsencode(interpreter)
    if any(byte in path for byte in (b"\\", b'"""', b"\n")) or not path.isascii():
        raise UserError(
            f"the double can't be started by {str(interpreter)!r}: move that Python to a plainer path"
        )
    quoted = b"'" + path.replace(b"'", b"'\\''") + b"'"
    return b'#!/bin/sh\n""":"\nexec ' + quoted + b' -IS "$0" "$@"\n":"""\n'
