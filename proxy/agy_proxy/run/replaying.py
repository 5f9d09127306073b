"""A replay run: the shim answers from the cassette, and there is no agy anywhere."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from agy_proxy.replay.options import PlayOptions
from agy_proxy.run.client import client_environment, run_client
from agy_proxy.run.folder import run_folder
from agy_proxy.run.home import TEMP, HomeChoice, home_for
from agy_proxy.run.play_place import for_home, prepare_play
from agy_proxy.run.played import played_in
from agy_proxy.run.shims import place_shim
from agy_proxy.run.summary import Summary
from agy_proxy.shim.settings import ShimSettings

DEFAULTS = PlayOptions()


@dataclass(frozen=True, slots=True, kw_only=True)
class Replaying:
    """What was asked of ``replay``; `write_store` allows files below the caller's own ``~/.gemini``."""

    cassette: Path
    client: Sequence[str]
    options: PlayOptions = DEFAULTS
    home: HomeChoice = TEMP
    write_store: bool = False
    fail_unplayed: bool = False


def replay(asked: Replaying, env: Mapping[str, str]) -> Summary:
    """Runs the client with a replaying shim to its end.

    Raises `CassetteError` before the client starts, where the cassette is missing or can't be played.
    """
    with run_folder() as folder:
        home = home_for(asked.home, folder)
        options = for_home(asked.options, asked.home, write_store=asked.write_store)
        place = prepare_play(asked.cassette, options, folder, asked.home, home)
        settings = ShimSettings(
            mode="replay", run_id=folder.run_id, errors_log=folder.errors_log, replay=place.settings
        )
        place_shim(settings, folder, home=home if asked.home.kind == "temp" else None)
        given = client_environment(env, shim=folder.shim, home=home, cassette=asked.cassette)
        ended = run_client(asked.client, given)
        played = played_in(folder)
        return Summary(
            client=ended,
            calls=played.calls,
            turns=played.turns,
            cassette=asked.cassette,
            misses=played.misses,
            unplayed=played.unplayed,
            fail_unplayed=asked.fail_unplayed,
            notices=(*place.notices, *place.renewed()),
        )
