"""What a run needs to replay: the cassette checked and compiled, and the player's settings."""

import tempfile
import time
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from agy_cassettes.cassette import Cassette
from agy_cassettes.errors import UserError
from agy_proxy.replay.compile import compile_play_file
from agy_proxy.replay.options import PlayOptions, PlayPlaces, player_settings
from agy_proxy.replay.standing import lay_out
from agy_proxy.run.folder import RunFolder
from agy_proxy.run.home import HomeChoice
from agy_proxy.shim.isolated.play_ids import known_ids
from agy_proxy.shim.isolated.play_store import RefusedError


@dataclass(frozen=True, slots=True)
class PlayPlace:
    """A cassette ready to be played: the shim's settings, the cassette's notices, and where things lie."""

    settings: Mapping[str, Any]
    notices: tuple[str, ...]
    places: PlayPlaces

    def renewed(self) -> tuple[str, ...]:
        """A line for each conversation that was given another id, because the store had its own already."""
        ids = known_ids(bytes(self.places.ids_file))
        pairs = [(old.decode(), new.decode()) for old, new in ids.items() if old != new]
        return tuple(
            f"the store has a conversation {old} already; it was played as {new}" for old, new in pairs
        )


def prepare_play(
    cassette: Path, options: PlayOptions, folder: RunFolder, choice: HomeChoice, home: Path | None
) -> PlayPlace:
    """Reads the whole cassette, compiles it, and lays out what stood in the store of a throw-away HOME.

    Raises `CassetteError` for a cassette that can't be played, before any client is started.
    """
    opened = Cassette.open(cassette)
    opened.validate()
    compile_play_file(opened, folder.play_file, match_on=options.match_on, matchers=options.matchers)
    places = PlayPlaces(
        cassette=cassette,
        play_file=folder.play_file,
        counts_file=folder.counts_file,
        misses=folder.misses,
        errors_log=folder.errors_log,
        home=home,
    )
    if home is not None and choice.kind == "temp" and options.files != "none":
        try:
            lay_out(
                folder.play_file,
                home=home,
                cwd=Path.cwd(),
                tmp=Path(tempfile.gettempdir()),
                now=time.time_ns(),
            )
        except RefusedError as refused:
            raise UserError(f"{cassette}: {refused}") from refused
    return PlayPlace(player_settings(options, places, run_id=folder.run_id), opened.notices, places)


def for_home(options: PlayOptions, choice: HomeChoice, *, write_store: bool) -> PlayOptions:
    """The options with the one way to treat the store that fits HOME.

    A throw-away HOME is all ours; a folder's store may hold something; the caller's own is left alone unless
    `write_store` says otherwise.
    """
    if choice.kind == "temp":
        return replace(options, store="write")
    return replace(options, store="new" if write_store or not choice.keeps else "off")
