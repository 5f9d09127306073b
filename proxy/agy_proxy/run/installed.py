"""Shims that stay: what is baked into them for each verb, saving what they recorded, taking them away."""

import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, Literal

from agy_cassettes.cassette import Cassette
from agy_cassettes.errors import UserError
from agy_cassettes.redact.redactor import Redactor
from agy_proxy.record.finish import FinishReport, Target, finish_run
from agy_proxy.record.journal import await_finisher
from agy_proxy.replay.options import PlayOptions, PlayPlaces, player_settings
from agy_proxy.replay.recompile import recompile
from agy_proxy.run.keeping import Keep, drop_old
from agy_proxy.run.recording import redacting, shim_mode
from agy_proxy.shim import install as shims
from agy_proxy.shim.install import Install, StateFolder, state_folder
from agy_proxy.shim.settings import ShimSettings
from fake_agy.double import is_double, remove_double, write_double
from fake_agy.settings import DoubleSettings

Sigpipe = Literal["default", "ignore"]

MakeRedactor = Callable[[str, Path | None], Redactor | None]
"""From ``--redact`` and ``--redactors`` the redactor, None where it is off."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ToRecord:
    """What was asked of ``install --record``; `real` None is found on PATH at each call."""

    cassette: Path
    mode: Literal["all", "once", "new_episodes"] = "all"
    real: Path | None = None
    redact: str = "default"
    redactors: Path | None = None
    keep_journals: bool = False
    keep: Keep | None = None
    sigpipe: Sigpipe = "default"


def install_recorder(folder: Path, asked: ToRecord, env: Mapping[str, str]) -> Install:
    """Writes a shim that records; raises `UserError` for an unreadable cassette or a foreign ``agy``."""
    existed = asked.cassette.exists()
    if existed:
        Cassette.open(asked.cassette)
    mode = shim_mode(asked.mode, existed=existed)
    places = state_folder(env)

    def settings(made: Install) -> ShimSettings:
        play: Mapping[str, Any] = {}
        if mode in ("replay", "auto"):
            options = PlayOptions(redactors=asked.redactors, redact=_redact(asked.redact), store="off")
            play = _player(made, asked.cassette, options, places)
        return ShimSettings(
            mode=mode,
            journal_dir=places.journals(made.id),
            run_id=made.id,
            real=asked.real,
            errors_log=places.errors_log(made.id),
            sigpipe=asked.sigpipe,
            finish=_finish(made, places),
            replay=play,
        )

    options = {
        "mode": asked.mode,
        "real": _text(asked.real),
        "redact": asked.redact,
        "redactors": _text(asked.redactors),
        "keep_journals": asked.keep_journals,
        "keep": None if asked.keep is None else asked.keep.as_json(),
    }
    return shims.install(folder, settings, verb="record", env=env, options=options, cassette=asked.cassette)


def install_player(folder: Path, cassette: Path, options: PlayOptions, env: Mapping[str, str]) -> Install:
    """Writes a shim that replays; raises `CassetteError` for a cassette that can't be played."""
    places = state_folder(env)
    Cassette.open(cassette).validate()

    def settings(made: Install) -> ShimSettings:
        play = _player(made, cassette, options, places)
        return ShimSettings(mode="replay", run_id=made.id, errors_log=places.errors_log(made.id), replay=play)

    return shims.install(folder, settings, verb="replay", env=env, cassette=cassette)


def install_passthrough(
    folder: Path, real: Path | None, env: Mapping[str, str], *, sigpipe: Sigpipe = "default"
) -> Install:
    """Writes a shim that only calls the real agy."""

    def settings(made: Install) -> ShimSettings:
        return ShimSettings(mode="passthrough", run_id=made.id, real=real, sigpipe=sigpipe)

    return shims.install(folder, settings, verb="passthrough", env=env, options={"real": _text(real)})


def install_double(folder: Path, settings: DoubleSettings) -> Path:
    """Writes the double itself; it needs no state, so it is listed nowhere. Gives the path of its ``agy``."""
    return write_double(folder, settings)


def uninstall(folder: Path, env: Mapping[str, str], make_redactor: MakeRedactor) -> tuple[Path, FinishReport]:
    """Takes away what was installed in `folder`, and saves what it recorded; gives the path of its ``agy``.

    Raises `UserError` where ``agy`` there is not ours, or where there is none.
    """
    path = folder / "agy"
    if path.is_file() and not path.is_symlink() and is_double(path):
        remove_double(path)
        return path, FinishReport()
    removed = shims.uninstall(folder, env=env)
    if removed is None:
        return path, FinishReport()
    report = sync(removed, env, make_redactor)
    shims.forget(removed, env=env)
    return path, report


def chosen_installs(folders: Sequence[Path], env: Mapping[str, str]) -> tuple[Install, ...]:
    """The installs in these folders, all where none is named; raises `UserError` where one has none."""
    listed = shims.list_installs(env)
    if not folders:
        return listed
    by_folder = {each.folder: each for each in listed}
    for folder in folders:
        if str(folder) not in by_folder:
            held = ", ".join(by_folder) or "none"
            raise UserError(f"nothing that records is installed in {folder}; folders with a shim: {held}")
    return tuple(by_folder[str(folder)] for folder in folders)


def sync(
    install: Install, env: Mapping[str, str], make_redactor: MakeRedactor, *, wait: bool = True
) -> FinishReport:
    """Saves every call of an install that is over, and drops what it is not to keep.

    With `wait` also those which a finisher in the background is just saving, and may fail to. Raises
    `UserError` where its redactors can't be loaded: then nothing is saved, and the journals stay.
    """
    if install.verb != "record" or install.cassette is None:
        return FinishReport()
    places = state_folder(env)
    options = install.options
    redactors = options.get("redactors")
    redactor = make_redactor(options.get("redact", "default"), None if redactors is None else Path(redactors))
    cassette = Path(install.cassette)
    target = Target(
        cassette=cassette,
        state=places.state(install.id),
        redact=None if redactor is None else redacting(redactor),
        keep_journals=bool(options.get("keep_journals")),
        errors_log=places.errors_log(install.id),
    )
    report = finish_run(places.journals(install.id), target)
    while wait and any(await_finisher(path) for path in report.live):
        report += finish_run(places.journals(install.id), target)
    keep = options.get("keep")
    if keep is not None and cassette.exists():
        drop_old(cassette, Keep(**keep), now_ns=target.clock())
    shims.forget(install, env=env)
    return report


def _player(made: Install, cassette: Path, options: PlayOptions, places: StateFolder) -> Mapping[str, Any]:
    """The player's settings; play counts begin anew with each install."""
    state = places.state(made.id)
    own = PlayPlaces(
        cassette=cassette.absolute(),
        play_file=state / "play",
        counts_file=state / "counts",
        misses=state / "misses",
        errors_log=places.errors_log(made.id),
    )
    own.misses.mkdir(mode=0o700, exist_ok=True)
    for old in (own.play_file, own.counts_file, own.ids_file):
        old.unlink(missing_ok=True)
    if cassette.exists():
        recompile(
            cassette,
            own.play_file,
            own.counts_file,
            opened=partial(Cassette.open),
            folder=places.play,
            match_on=options.match_on,
            matchers=options.matchers,
        )
    settings = player_settings(options, own, run_id=made.id)
    return {**settings, "recompile": True, "play_folder": places.play}


def _finish(made: Install, places: StateFolder) -> tuple[str | Path, ...]:
    """What the shim starts when a call is over; the caller's environment need not lead to the state."""
    state_home = places.base.parent
    return (sys.executable, "-Im", "agy_proxy", "sync", "--state-home", state_home, made.folder)


def _redact(text: str) -> Literal["default", "off"]:
    return "off" if text == "off" else "default"


def _text(path: Path | None) -> str | None:
    return None if path is None else str(path)
