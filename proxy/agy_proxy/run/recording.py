"""A recording run: the shim in front of the real agy, the witness beside it, the cassette behind it."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from agy_cassettes.cassette import Cassette
from agy_cassettes.errors import UserError
from agy_cassettes.interaction import Interaction
from agy_cassettes.modes import possible
from agy_cassettes.redact.placeholders import Placeholders
from agy_cassettes.redact.records import redact_interaction
from agy_cassettes.redact.redactor import Redactor
from agy_cassettes.rewrite import replace_whole
from agy_cassettes.sidecar import folder_of
from agy_proxy.record.finish import Redact, Target
from agy_proxy.record.witness import Witness
from agy_proxy.replay.options import PlayOptions
from agy_proxy.run.client import client_environment, run_client
from agy_proxy.run.finisher import Finished, Finisher
from agy_proxy.run.folder import RunFolder, run_folder
from agy_proxy.run.home import KEEP, HomeChoice, home_for
from agy_proxy.run.play_place import PlayPlace, for_home, prepare_play
from agy_proxy.run.played import Played, played_in
from agy_proxy.run.real_agy import real_agy
from agy_proxy.run.shims import place_shim
from agy_proxy.run.summary import Summary
from agy_proxy.shim.settings import Mode as ShimMode
from agy_proxy.shim.settings import ShimSettings
from fake_agy.double import is_double

if TYPE_CHECKING:
    from agy_cassettes.modes import Mode


@dataclass(frozen=True, slots=True, kw_only=True)
class Recording:
    """What was asked of ``record``; paths are absolute, `redactor` None is ``--redact off``.

    `redactors` is the user's file of redactors, which the player needs too in the modes that play.
    """

    cassette: Path
    client: Sequence[str]
    mode: "Mode" = "all"
    real: Path | None = None
    home: HomeChoice = KEEP
    redactor: Redactor | None = None
    redactors: Path | None = None
    keep_journals: bool = False


def record(asked: Recording, env: Mapping[str, str]) -> Summary:
    """Runs the client with a recording shim to its end and saves every call.

    Raises `UserError` before the client starts, where the cassette can't be read or no agy is found.
    """
    existed = asked.cassette.exists()
    mode = shim_mode(asked.mode, existed=existed)
    if existed and asked.mode != "rewrite":
        Cassette.open(asked.cassette)
    with run_folder() as folder, _cassette_to_fill(asked, folder) as cassette:
        home = home_for(asked.home, folder)
        real = None if mode == "replay" else _real(asked, env)
        place = _play_place(asked, folder, home) if mode in ("replay", "auto") else None
        settings = ShimSettings(
            mode=mode,
            journal_dir=folder.journals,
            run_id=folder.run_id,
            real=real,
            errors_log=folder.errors_log,
            replay={} if place is None else place.settings,
        )
        place_shim(settings, folder, home=home if asked.home.kind == "temp" else None)
        with Finisher(
            folder.journals, _target(asked, folder, cassette), _witness(folder, home, env)
        ) as finisher:
            given = client_environment(env, shim=folder.shim, home=home, cassette=asked.cassette)
            ended = run_client(asked.client, given)
            finished = finisher.finish()
            report = finished.report
        played = Played() if place is None else played_in(folder)
        return Summary(
            client=ended,
            calls=played.calls if mode in ("replay", "auto") else len(report.saved) + len(report.errors),
            turns=played.turns + report.turns,
            counted=mode != "passthrough",
            cassette=asked.cassette,
            misses=played.misses,
            unplayed=played.unplayed,
            incomplete=_incomplete(finished, folder),
            saved=len(report.saved),
            notices=(*_killed(finished), *(() if place is None else (*place.notices, *place.renewed()))),
        )


def shim_mode(mode: "Mode", *, existed: bool) -> ShimMode:
    """What the shim has to be able to do for all that the table of record modes may decide."""
    decisions = possible(mode, existed=existed)
    if "pass_through" in decisions:
        return "passthrough"
    if "record" not in decisions:
        return "replay"
    return "auto" if "play" in decisions and existed else "record"


def _real(asked: Recording, env: Mapping[str, str]) -> Path:
    real = real_agy(asked.real, env)
    if asked.home.keeps and is_double(real):
        what = f"{real} is a double, which must not write into your own HOME; add --home temp or --home DIR"
        raise UserError(what)
    return real


def _play_place(asked: Recording, folder: RunFolder, home: Path | None) -> PlayPlace:
    options = PlayOptions(redactors=asked.redactors, redact="off" if asked.redactor is None else "default")
    options = for_home(options, asked.home, write_store=False)
    return prepare_play(asked.cassette, options, folder, asked.home, home)


def _target(asked: Recording, folder: RunFolder, cassette: Path) -> Target:
    return Target(
        cassette=cassette,
        state=folder.state,
        redact=None if asked.redactor is None else redacting(asked.redactor),
        keep_journals=asked.keep_journals,
    )


def redacting(redactor: Redactor) -> Redact:
    """What takes the secrets out of a record before it is appended."""

    def redact(interaction: Interaction, placeholders: Placeholders) -> Interaction:
        return redact_interaction(interaction, redactor, placeholders)

    return redact


def _witness(folder: RunFolder, home: Path | None, env: Mapping[str, str]) -> Witness:
    own = env.get("HOME")
    return Witness(folder.journals, home or (Path(own) if own else None))


def _incomplete(finished: Finished, folder: RunFolder) -> tuple[str, ...]:
    """What the cassette lacks: calls that were not over, what couldn't be saved, trouble in a shim."""
    told = [f"{each} went on after the client's end" for each in finished.cut_short]
    told.extend(finished.report.errors)
    if folder.errors_log.exists():
        told.extend(folder.errors_log.read_text(encoding="utf-8", errors="replace").splitlines())
    return tuple(dict.fromkeys(told))


def _killed(finished: Finished) -> tuple[str, ...]:
    return tuple(f"{each} was killed, how it would have ended is not known" for each in finished.killed)


@contextmanager
def _cassette_to_fill(asked: Recording, folder: RunFolder) -> Iterator[Path]:
    """The cassette that calls are appended to: in mode rewrite a new one, which then replaces the old."""
    if asked.mode != "rewrite":
        yield asked.cassette
        return
    fresh = folder.state / asked.cassette.name
    yield fresh
    if fresh.exists():
        replace_whole(asked.cassette, Cassette.open(fresh).records(), folders=(folder_of(fresh),))
