"""The list of matchers for a run: built-in ones by name, and a user's own from a Python file."""

import difflib
import traceback
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from agy_cassettes.errors import UserError, one_line
from agy_cassettes.matchers import DEFAULT_MATCH_ON, MATCHERS, Matcher, Named


def select(
    names: Sequence[str] = DEFAULT_MATCH_ON, own: Mapping[str, Matcher] | None = None
) -> tuple[Named, ...]:
    """Return the matchers of these names, from the built-in ones and a user's `own`.

    Raises UserError for a name that there is none of, for no names, and for an own one with a built-in name.
    """
    own = own or {}
    for name in own:
        if name in MATCHERS:
            raise UserError(f"the matcher {name!r} is built in; give yours another name")
    known = {**MATCHERS, **own}
    if not names:
        raise UserError(f"no matchers to match on; choose from {', '.join(known)}")
    for name in names:
        if name not in known:
            close = difflib.get_close_matches(name, known, n=1)
            hint = f"did you mean {close[0]!r}? " if close else ""
            raise UserError(f"there is no matcher {name!r}; {hint}choose from {', '.join(known)}")
    return tuple((name, known[name]) for name in dict.fromkeys(names))


def load_matchers(path: Path) -> dict[str, Matcher]:
    """Return a user's own matchers: the file's ``matchers = {"name": function}``, in which the file is run.

    Raises UserError with file and line where the file can't be read or run or lacks such a table.
    """
    try:
        source = path.read_bytes()
    except OSError as error:
        raise UserError(f"{path}: can't be read as a file of matchers: {error.strerror}") from error
    scope: dict[str, object] = {"__name__": path.stem, "__file__": str(path)}
    try:
        exec(compile(source, str(path), "exec"), scope)  # the user's own file, named on the command line
    except SyntaxError as error:
        raise UserError(f"{path}:{error.lineno}: {error.msg}") from error
    except KeyboardInterrupt:
        raise
    except BaseException as error:
        # Its sys.exit() is not ours.
        raise UserError(f"{path}:{_line_in(path, error)}: {one_line(error)}") from error
    found = scope.get("matchers")
    if not isinstance(found, dict) or not found:
        raise UserError(f'{path}: has no matchers; write matchers = {{"name": function}}')
    return {str(name): _guarded(path, str(name), function) for name, function in found.items()}


def _guarded(path: Path, name: str, function: object) -> Matcher:
    if not callable(function):
        raise UserError(f"{path}: the matcher {name!r} is no function of (live, recorded)")
    called: Callable[..., object] = function

    def matcher(live: object, recorded: object) -> object:
        try:
            return called(live, recorded)
        except KeyboardInterrupt:
            raise
        except BaseException as error:
            what = f"the matcher {name!r} failed: {one_line(error)}"
            raise UserError(f"{path}:{_line_in(path, error)}: {what}") from error

    return matcher  # type: ignore[return-value]  # what it returns is checked where it is used


def _line_in(path: Path, error: BaseException) -> int:
    lines = [
        frame.lineno for frame in traceback.extract_tb(error.__traceback__) if frame.filename == str(path)
    ]
    return lines[-1] if lines and lines[-1] is not None else 1
