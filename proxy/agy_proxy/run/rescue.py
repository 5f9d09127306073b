"""A recording run stands in the listing of installs, so that ``sync`` saves what a dead one left."""

import os
import shutil
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import psutil

from agy_cassettes.errors import UserError
from agy_proxy.run.folder import RunFolder
from agy_proxy.shim.install import Install, StateFolder, enlist, state_folder


@dataclass(frozen=True, slots=True)
class Workplace:
    """Where a run's journals and state are until every call is saved; `safe` tells that sync finds them."""

    journals: Path
    state: Path
    errors_log: Path
    safe: bool


@contextmanager
def workplace(
    folder: RunFolder, cassette: Path, options: Mapping[str, Any], env: Mapping[str, str]
) -> Iterator[Workplace]:
    """Gives the run a place in the user's state folder, and takes it away once nothing is left to save.

    Without a state folder that can be written, the run's own folder has to do.
    """
    try:
        places = state_folder(env)
        install = _entry(folder, cassette, options)
        for private in (places.base, places.installs, places.journals(install.id), places.state(install.id)):
            private.mkdir(parents=True, exist_ok=True, mode=0o700)
        enlist(places, install)
    except (OSError, UserError):
        yield Workplace(folder.journals, folder.state, folder.errors_log, safe=False)
        return
    made = Workplace(
        places.journals(install.id), places.state(install.id), places.errors_log(install.id), safe=True
    )
    try:
        yield made
    finally:
        if not any(made.journals.glob("*.journal")):
            _clear(places, install, made)


def _entry(folder: RunFolder, cassette: Path, options: Mapping[str, Any]) -> Install:
    own = psutil.Process()
    return Install(
        id=f"run-{folder.run_id}",
        folder=str(folder.shim_folder),
        verb="record",
        options={**options, "run_pid": own.pid, "run_began": own.create_time()},
        cassette=os.fspath(cassette),
        removed=True,
    )


def _clear(places: StateFolder, install: Install, made: Workplace) -> None:
    (places.installs / f"{install.id}.json").unlink(missing_ok=True)
    shutil.rmtree(made.state, ignore_errors=True)
    # Journals that were to be kept stay.
    if not any(made.journals.iterdir()):
        made.journals.rmdir()
