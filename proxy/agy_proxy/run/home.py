"""Which HOME a client gets."""

from dataclasses import dataclass
from pathlib import Path

from agy_cassettes.errors import UserError
from agy_proxy.run.folder import RunFolder


@dataclass(frozen=True, slots=True)
class HomeChoice:
    """``--home``: ``keep`` the caller's, a throw-away one (``temp``), or a folder."""

    kind: str
    folder: Path | None = None

    @property
    def keeps(self) -> bool:
        """Whether the client keeps the caller's HOME."""
        return self.kind == "keep"


KEEP = HomeChoice("keep")
TEMP = HomeChoice("temp")


def parse_home(text: str) -> HomeChoice:
    """The choice behind ``keep``, ``temp`` or a path; raises `UserError` for an empty text."""
    if not text:
        raise UserError("--home is empty; use keep, temp or a folder")
    if text in ("keep", "temp"):
        return HomeChoice(text)
    return HomeChoice("folder", Path(text).absolute())


def home_for(choice: HomeChoice, folder: RunFolder) -> Path | None:
    """The HOME to set; None leaves the caller's. Raises `UserError` where the folder is no folder."""
    if choice.keeps:
        return None
    if choice.folder is None:
        return folder.home
    if not choice.folder.is_dir():
        what = f"--home {choice.folder} is not a folder; make it first, or use keep or temp"
        raise UserError(what)
    return choice.folder
