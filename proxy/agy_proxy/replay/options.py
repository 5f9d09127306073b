"""What a user may choose about replay, and the player's settings that come of it."""

import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from agy_cassettes.matchers import DEFAULT_MATCH_ON

HELPER = (sys.executable, "-Im", "agy_proxy.replay.helper")
"""The process that the player asks about what it can't do itself."""
WRITER = (sys.executable, "-Im", "agy_proxy.replay.writer")
"""The process that writes what of the store the player can't."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayOptions:
    """How recorded calls are matched and played; `speed` None leaves every wait out.

    `store` says whether files below ``~/.gemini`` are written; ``new`` is for a store that held something
    before, where an id that it knows already is renewed. `workspace` is about files below the working folder.
    """

    speed: float | None = 1.0
    match_on: tuple[str, ...] = DEFAULT_MATCH_ON
    matchers: Path | None = None
    redactors: Path | None = None
    redact: Literal["default", "off"] = "default"
    allow_repeats: bool = False
    files: Literal["all", "transcripts", "none"] = "all"
    time: Literal["now", "recorded"] = "now"
    store: Literal["write", "new", "off"] = "write"
    workspace: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayPlaces:
    """Where a run or an installed shim keeps what replay needs; `home` None is the caller's own."""

    cassette: Path
    play_file: Path
    counts_file: Path
    misses: Path
    errors_log: Path
    home: Path | None = None

    @property
    def ids_file(self) -> Path:
        """Which conversations of the cassette have another id in the store that is written."""
        return self.counts_file.with_name(f"{self.counts_file.name}.ids")


def player_settings(options: PlayOptions, places: PlayPlaces, *, run_id: str) -> Mapping[str, Any]:
    """The keys of `agy_proxy.shim.isolated.play` for these choices."""
    return {
        "cassette": places.cassette,
        "play_file": places.play_file,
        "counts_file": places.counts_file,
        "ids_file": places.ids_file,
        "misses_dir": places.misses,
        "errors_log": places.errors_log,
        "home": places.home,
        "helper": HELPER,
        "writer": WRITER,
        "run_id": run_id,
        "speed": "max" if options.speed is None else options.speed,
        "match_on": options.match_on,
        "matchers": options.matchers,
        "redactors": options.redactors,
        "redact": options.redact,
        "allow_repeats": options.allow_repeats,
        "files": options.files,
        "time": options.time,
        "store": options.store,
        "workspace": options.workspace,
    }
