"""Calls that were refused: their full explanation, one file each, and all of them for the summary."""

import json
import os
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Literal


@dataclass(frozen=True, slots=True, kw_only=True)
class Miss:
    """A refused call.

    `call` is its number in the run, `at` in seconds of the epoch, `short` what the shim printed.
    """

    call: int
    pid: int
    at: float
    why: Literal["none", "used_up", "departed"]
    short: str
    details: Path

    @property
    def text(self) -> str:
        """The full explanation; empty where its file is gone."""
        try:
            return self.details.read_text(encoding="utf-8", errors="replace")
        except OSError:
            return ""


def details_path(folder: Path, call: int, pid: int) -> Path:
    """Where the explanation of a miss lies."""
    return folder / f"{call}-{pid}.txt"


def write_miss(miss: Miss, full: str) -> None:
    """Writes a miss and its full explanation into its folder, which is made 0700 where it isn't there."""
    miss.details.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    _write(miss.details, full)
    facts = {**asdict(miss), "details": str(miss.details)}
    # The summary reads these, so they appear whole.
    part = miss.details.with_suffix(".part")
    _write(part, json.dumps(facts))
    part.replace(miss.details.with_suffix(".json"))


def misses(folder: Path) -> tuple[Miss, ...]:
    """All misses below a folder, in the order of the calls; none where there is no such folder."""
    found = []
    for path in folder.glob("*.json"):
        facts = json.loads(path.read_text(encoding="utf-8"))
        found.append(Miss(**{**facts, "details": Path(facts["details"])}))
    return tuple(sorted(found, key=lambda miss: (miss.call, miss.at)))


def _write(path: Path, text: str) -> None:
    flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_NOFOLLOW
    with os.fdopen(os.open(path, flags, 0o600), "w", encoding="utf-8", errors="backslashreplace") as file:
        file.write(text)
