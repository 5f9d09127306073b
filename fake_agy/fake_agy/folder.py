"""The folder that a file named ``agy`` is written into: made where it is missing, gone again if empty."""

from pathlib import Path

from agy_cassettes.errors import UserError


def make_folder(folder: Path) -> int:
    """Make `folder` and what leads to it; gives how many folders were made, `folder` the last of them.

    Raises `UserError` where a file or a missing permission is in the way.
    """
    missing = [each for each in (folder, *folder.parents) if not each.exists()]
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except FileExistsError:
        raise UserError(f"{folder} is a file; name a folder for the agy to lie in") from None
    except OSError as failed:
        what = f"the folder {folder} can't be made: {(failed.strerror or '').lower()}"
        raise UserError(f"{what}; name one that you may write to") from None
    return len(missing)


def drop_folders(folder: Path, count: int) -> None:
    """Take away `folder` and those around it, `count` in all, but for the first that is not empty."""
    for each in (folder, *folder.parents)[:count]:
        try:
            each.rmdir()
        except OSError:
            return
