"""What a run needs to replay: the cassette checked and compiled, and the player's settings."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from agy_cassettes.cassette import Cassette
from agy_proxy.replay.compile import compile_play_file
from agy_proxy.replay.options import PlayOptions, PlayPlaces, player_settings
from agy_proxy.run.folder import RunFolder


def prepare_play(
    cassette: Path, options: PlayOptions, folder: RunFolder, home: Path | None
) -> tuple[Mapping[str, Any], tuple[str, ...]]:
    """Reads the whole cassette and compiles it; gives the shim's settings and the cassette's notices.

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
    return player_settings(options, places, run_id=folder.run_id), opened.notices
