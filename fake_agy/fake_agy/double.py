"""Writing the double: an executable file named ``agy`` with its settings baked in."""

import os
import re
import sys
from pathlib import Path

from agy_cassettes.errors import UserError
from fake_agy.clock import parse_time
from fake_agy.folder import drop_folders, make_folder
from fake_agy.profile.resolve import profile_of
from fake_agy.settings import DoubleSettings
from fake_agy.turns.moves import read_move
from fake_agy.version import parse_version

MARKER = b"# agy-proxy double"
"""Stands in the first bytes of every double, so that it can be told from the real agy and from a shim."""

_MADE = re.compile(rb"^" + MARKER + rb", folders made for it: ([0-9]+)$", re.MULTILINE)

SHEBANG_MAX = 127
"""Bytes of a first line that every Linux takes whole."""


EARLY = b"""\
import _signal, posix

for number in (_signal.SIGINT, _signal.SIGTERM):
    _signal.signal(number, lambda number, frame: posix._exit(1))

"""
"""Until everything is imported an interrupt ends the double as it does later (`fake_agy.process`)."""


def write_double(directory: Path, settings: DoubleSettings) -> Path:
    """Write the double into `directory` (made if missing) and return the path of its ``agy``.

    The file needs nothing of its caller's environment but HOME. `UserError` where a setting is wrong, an
    ``agy`` that is no double is there already, or nothing can be written.
    """
    check_settings(settings)
    path = directory / "agy"
    if path.is_symlink() or (path.exists() and not is_double(path)):
        raise UserError(f"{path} is not a double; choose another directory, or move that file away")
    made = folders_made(path) if path.exists() else make_folder(directory)
    draft = directory / f".agy.{os.getpid()}"
    try:
        draft.write_bytes(double_script(settings, interpreter=Path(sys.executable).resolve(), made=made))
        draft.chmod(0o755)
        draft.replace(path)
    except OSError as failed:
        draft.unlink(missing_ok=True)
        what = f"{path} can't be written: {(failed.strerror or '').lower()}"
        raise UserError(f"{what}; name a folder that you may write to and that has room") from None
    return path


def remove_double(path: Path) -> None:
    """Take a double away, and the folders that were made for it where they are empty now."""
    made = folders_made(path)
    path.unlink()
    drop_folders(path.parent, made)


def is_double(path: Path) -> bool:
    """Say whether a file is one that `write_double` wrote; a folder is none."""
    return path.is_file() and MARKER in _head(path)


def folders_made(path: Path) -> int:
    """How many folders were made for a double."""
    found = _MADE.search(_head(path))
    return 0 if found is None else int(found[1])


def _head(path: Path) -> bytes:
    with path.open("rb") as file:
        return file.read(1024)


def check_settings(settings: DoubleSettings) -> None:
    """Raise `UserError` for settings no double can have."""
    try:
        profile_of(parse_version(settings.agy_version), settings.switches)
        for turn in settings.turns:
            for move in turn:
                read_move(move)
        if settings.clock is not None:
            parse_time(settings.clock)
    except ValueError as wrong:
        raise UserError(f"the double can't be set up: {wrong}") from None
    if settings.speed is not None and not settings.speed > 0:
        raise UserError(f"speed {settings.speed} is not above 0; use a number such as 1 or 10, or max")
    if settings.home is not None and not Path(settings.home).is_absolute():
        raise UserError(f"home {settings.home!r} is not an absolute path")


def double_script(settings: DoubleSettings, *, interpreter: Path, made: int = 0) -> bytes:
    """Make the text of the double for one Python; `made` folders were made for it.

    A first line can hold neither blanks nor more than `SHEBANG_MAX` bytes; then ``/bin/sh`` starts the
    interpreter by lines that Python takes for a string.
    """
    package = Path(__file__).resolve().parents[1]
    body = (
        MARKER + b", folders made for it: %d\n" % made + EARLY + b"import sys\n\n"
        b"sys.path.append(" + ascii(str(package)).encode() + b")\n"
        b"from fake_agy.process import run\nfrom fake_agy.settings import DoubleSettings\n\n"
        b"run(sys.argv[1:], " + ascii(settings).encode() + b")\n"
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
