"""Shims that stay: written into a folder that a person names, and listed in the state folder."""

import hashlib
import json
import os
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

import psutil

from agy_cassettes.errors import UserError
from agy_proxy import VERSION
from agy_proxy.shim.bundle import write_bundle
from agy_proxy.shim.isolated.real import is_shim, read_head
from agy_proxy.shim.script import NAME, write_shim
from agy_proxy.shim.settings import ShimSettings
from fake_agy.folder import drop_folders, make_folder

CLOCK_GRAIN = 1.0
"""Seconds by which two readings of when a process began may differ."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Install:
    """One installed shim: `folder` holds it; `verb` (record, replay, ...) and `options` made it.

    A recording run has an entry too, with ``run_pid`` and ``run_began`` among its options. `removed`: the
    shim is gone, and journals are left that no cassette has yet. So many folders were `made` for it.
    """

    id: str
    folder: str
    verb: str
    options: Mapping[str, Any] = field(default_factory=dict)
    cassette: str | None = None
    version: str = VERSION
    removed: bool = False
    made: int = 0

    @property
    def shim(self) -> Path:
        """The shim's file."""
        return Path(self.folder) / NAME


@dataclass(frozen=True, slots=True)
class StateFolder:
    """What installed shims keep for themselves: ``${XDG_STATE_HOME:-~/.local/state}/agy-proxy``."""

    base: Path

    def journals(self, install_id: str) -> Path:
        """Raw journals of one install, 0700."""
        return self.base / "journals" / install_id

    def state(self, install_id: str) -> Path:
        """Placeholders, play counts and notes of one install, 0700."""
        return self.base / "state" / install_id

    def errors_log(self, install_id: str) -> Path:
        """What went wrong with an install's recordings, one line each."""
        return self.state(install_id) / "errors.log"

    @property
    def installs(self) -> Path:
        """The listing: a JSON file per install."""
        return self.base / "installs"

    @property
    def bundles(self) -> Path:
        """The shims' compiled code."""
        return self.base / "bundle"

    @property
    def play(self) -> Path:
        """Compiled cassettes."""
        return self.base / "play"


def state_folder(env: Mapping[str, str]) -> StateFolder:
    """Return the state folder of the user whose environment this is; raises `UserError` without a HOME."""
    root = env.get("XDG_STATE_HOME")
    if not root or not os.path.isabs(root):  # noqa: PTH117 -- a relative one is to be ignored, says its standard
        home = env.get("HOME")
        if not home:
            raise UserError(
                "no place for the state of installed shims: neither HOME nor XDG_STATE_HOME is set"
            )
        root = os.path.join(home, ".local", "state")  # noqa: PTH118 -- a plain string, as from the environment
    return StateFolder(Path(root).absolute() / "agy-proxy")


def install_id(folder: Path) -> str:
    """Return the id of an install into `folder`; a folder has one install."""
    return hashlib.sha256(os.fsencode(folder.absolute())).hexdigest()[:12]


def install(
    folder: Path,
    settings: Callable[[Install], ShimSettings],
    *,
    verb: str,
    env: Mapping[str, str],
    options: Mapping[str, Any] | None = None,
    cassette: Path | None = None,
) -> Install:
    """Write the shim into `folder` and list it; an earlier one of ours there is replaced.

    Raises `UserError` where `folder` holds an ``agy`` that is not ours or can't be written to.
    """
    folder = folder.absolute()
    places = state_folder(env)
    before = _listed_in(folder, env)
    made = Install(
        id=install_id(folder),
        folder=str(folder),
        verb=verb,
        options=dict(options or {}),
        cassette=None if cassette is None else str(cassette.absolute()),
    )
    _refuse_foreign(made)
    folders = make_folder(folder)
    made = replace(made, made=folders if before is None or folders else before.made)
    try:
        for private in (places.base, places.installs, places.journals(made.id), places.state(made.id)):
            private.mkdir(parents=True, exist_ok=True, mode=0o700)
            private.chmod(0o700)
        write_shim(folder, settings(made), bundle=write_bundle(places.bundles))
        enlist(places, made)
    except UserError:
        drop_folders(folder, folders)
        raise
    except OSError as failed:
        drop_folders(folder, folders)
        # Not the name of a file that only we know.
        where = f"{folder}" if failed.filename is None else f"{Path(os.fsdecode(failed.filename)).parent}"
        what = f"can't install into {folder}: {where}: {(failed.strerror or '').lower()}"
        raise UserError(f"{what}; check who may write there and whether there is room") from None
    return made


def uninstall(folder: Path, *, env: Mapping[str, str]) -> Install | None:
    """Take away the shim in `folder` and return its install; None where it was not listed.

    The listing stays, marked `removed`, while journals are left that no cassette has: `forget` ends that.
    Raises `UserError` where ``agy`` there is not ours or there is none.
    """
    folder = folder.absolute()
    listed = _listed_in(folder, env)
    shim = folder / NAME
    if not (shim.is_symlink() or shim.exists()):
        if listed is None or listed.removed:
            raise UserError(f"nothing to uninstall: {shim} isn't there")
    else:
        _refuse_foreign(listed or Install(id=install_id(folder), folder=str(folder), verb="record"))
        shim.unlink()
    if listed is None:
        return None
    drop_folders(folder, listed.made)
    removed = Install(**{**asdict(listed), "removed": True})
    enlist(state_folder(env), removed)
    forget(removed, env=env)
    return removed


def forget(install: Install, *, env: Mapping[str, str]) -> bool:
    """Drop a removed install from the listing once none of its journals is left; whether it was dropped."""
    places = state_folder(env)
    journals = places.journals(install.id)
    if not install.removed or any(journals.glob("*.journal")):
        return False
    (places.installs / f"{install.id}.json").unlink(missing_ok=True)
    return True


def list_installs(env: Mapping[str, str]) -> tuple[Install, ...]:
    """Return every listed install, by folder; an entry that can't be read is left out.

    A run that is going on is left out too: it saves its calls itself.
    """
    found = []
    for path in state_folder(env).installs.glob("*.json"):
        try:
            found.append(Install(**json.loads(path.read_text(encoding="utf-8", errors="surrogateescape"))))
        except (OSError, ValueError, TypeError):
            # Of another version, or cut short: the shim itself works all the same.
            continue
    return tuple(sorted((each for each in found if not is_going_on(each)), key=lambda each: each.folder))


def is_going_on(install: Install) -> bool:
    """Whether this is the entry of a run whose process still lives."""
    pid, began = install.options.get("run_pid"), install.options.get("run_began")
    if not isinstance(pid, int) or not isinstance(began, int | float):
        return False
    try:
        return abs(psutil.Process(pid).create_time() - began) < CLOCK_GRAIN
    except psutil.Error:
        return False


def _listed_in(folder: Path, env: Mapping[str, str]) -> Install | None:
    return {each.folder: each for each in list_installs(env)}.get(str(folder))


def _refuse_foreign(install: Install) -> None:
    shim = install.shim
    if (shim.is_symlink() or shim.exists()) and not is_shim(read_head(os.fsencode(shim))):
        raise UserError(f"{shim} is not a shim of agy-proxy and is left alone; name another folder")


def enlist(places: StateFolder, install: Install) -> None:
    """Write an install into the listing, whole or not at all."""
    path = places.installs / f"{install.id}.json"
    temporary = path.with_suffix(f".{os.getpid()}.new")
    text = json.dumps(asdict(install), ensure_ascii=True, indent=1)
    temporary.write_text(text + "\n", encoding="utf-8")
    temporary.replace(path)
