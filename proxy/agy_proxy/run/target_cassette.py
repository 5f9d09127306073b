"""The cassette that a recording run fills: checked before the client starts, replaced in mode rewrite."""

import os
import shutil
from dataclasses import dataclass
from pathlib import Path

from agy_cassettes.cassette import Cassette
from agy_cassettes.errors import CassetteError, UserError
from agy_cassettes.rewrite import replace_whole
from agy_cassettes.sidecar import folder_of


def refuse_unwritable(cassette: Path) -> None:
    """Raises `CassetteError` where a record could not be appended, so that no call is made in vain."""
    if cassette.is_dir():
        raise CassetteError(cassette, "is a folder; name a file for the cassette")
    if cassette.exists():
        if not os.access(cassette, os.W_OK):
            raise CassetteError(cassette, "can't be written; make it writable, or record into another file")
        return
    parent = next(each for each in cassette.parents if each.exists())
    if not parent.is_dir() or not os.access(parent, os.W_OK | os.X_OK):
        raise CassetteError(cassette, f"can't be made: {parent} can't be written; record into another folder")


@dataclass(frozen=True, slots=True)
class Rewriting:
    """A cassette that is to be replaced: `fresh` is filled beside it, `stamp` is what it was at the start."""

    cassette: Path
    fresh: Path
    stamp: tuple[int, int, int] | None

    def finish(self) -> str | None:
        """Puts the fresh one in the old one's place; where that can't be done both stay, and it says why."""
        if not self.fresh.exists():
            return None
        if _stamp(self.cassette) != self.stamp:
            changed = f"{self.cassette} was changed by somebody else during the run"
            return f"{changed}; what the run recorded is in {self.fresh}"
        try:
            replace_whole(
                self.cassette, Cassette.open(self.fresh).records(), folders=(folder_of(self.fresh),)
            )
        except UserError as failed:
            return f"{failed.message}; what the run recorded is in {self.fresh}"
        self.fresh.unlink()
        shutil.rmtree(folder_of(self.fresh), ignore_errors=True)
        return None


def rewriting(cassette: Path, run_id: str) -> Rewriting:
    """Begins to replace `cassette`; raises `CassetteError` where its folder can't take a new file."""
    fresh = cassette.with_name(f"{_stem(cassette)}.rewrite-{run_id[:8]}.agy.yaml")
    refuse_unwritable(fresh)
    if cassette.is_symlink():
        raise CassetteError(cassette, "a symbolic link can't be replaced; name the file that it leads to")
    return Rewriting(cassette, fresh, _stamp(cassette))


def _stem(cassette: Path) -> str:
    return cassette.name.removesuffix(".yaml").removesuffix(".agy")


def _stamp(path: Path) -> tuple[int, int, int] | None:
    try:
        facts = path.stat()
    except OSError:
        return None
    return facts.st_ino, facts.st_size, facts.st_mtime_ns
