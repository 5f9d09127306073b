"""The one error that is shown to a user."""

from pathlib import Path


class UserError(Exception):
    """Something a user can put right: the message says what was asked, what was found and what to do.

    A command line prints ``agy-proxy: `` and the message, lower case, and exits with `status`.
    """

    def __init__(self, message: str, *, status: int = 2) -> None:
        super().__init__(message)
        self.message = message
        self.status = status


class CassetteError(UserError):
    """A cassette that can't be read as asked; the message starts with its file and, where known, the line."""

    def __init__(self, path: Path | str, what: str, *, line: int | None = None, status: int = 2) -> None:
        where = f"{path}:{line}" if line is not None else f"{path}"
        super().__init__(f"{where}: {what}", status=status)
        self.path = Path(path)
        self.line = line
        self.what = what


def one_line(error: BaseException) -> str:
    """The kind of an error and what it says, on one line: for errors in files of the user's own."""
    said = " ".join(str(error).split())
    return f"{type(error).__name__}: {said}" if said else type(error).__name__
