"""A recording run: the shim in front of the real agy, the witness beside it, the cassette behind it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from agy_cassettes.cassette import Cassette
from agy_cassettes.errors import UserError
from agy_cassettes.interaction import Interaction
from agy_cassettes.modes import MODES, possible
from agy_cassettes.redact.placeholders import Placeholders
from agy_cassettes.redact.records import redact_interaction
from agy_cassettes.redact.redactor import Redactor
from agy_proxy.record.finish import Redact, Target
from agy_proxy.record.witness import Witness
from agy_proxy.replay.options import PlayOptions
from agy_proxy.run.client import client_environment, run_client
from agy_proxy.run.finisher import Finished, Finisher
from agy_proxy.run.folder import RunFolder, run_folder
from agy_proxy.run.heirs import wait_for_heirs
from agy_proxy.run.home import KEEP, HomeChoice, home_for
from agy_proxy.run.play_place import PlayPlace, for_home, prepare_play
from agy_proxy.run.played import Played, played_in
from agy_proxy.run.real_agy import real_agy
from agy_proxy.run.rescue import Workplace, workplace
from agy_proxy.run.shims import place_shim
from agy_proxy.run.summary import Summary
from agy_proxy.run.target_cassette import refuse_unwritable, rewriting
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
    workspace: bool = False
    """Whether to keep what is in the files that agy changed below its working directory."""


def record(asked: Recording, env: Mapping[str, str]) -> Summary:
    """Runs the client with a recording shim to its end and saves every call.

    Raises `UserError` before the client starts: the cassette can't be read or written, or no agy is found.
    """
    existed = asked.cassette.exists()
    mode = shim_mode(tightened(asked.mode, env), existed=existed)
    if mode in ("record", "auto"):
        refuse_unwritable(asked.cassette)
    if mode in ("replay", "auto") or (existed and asked.mode != "rewrite"):
        Cassette.open(asked.cassette)
    options = {
        "redact": "off" if asked.redactor is None else "default",
        "redactors": None if asked.redactors is None else str(asked.redactors),
        "keep_journals": asked.keep_journals,
    }
    with run_folder() as folder:
        rewrite = (
            rewriting(asked.cassette, folder.run_id) if asked.mode == "rewrite" and mode == "record" else None
        )
        cassette = asked.cassette if rewrite is None else rewrite.fresh
        home = home_for(asked.home, folder)
        real = None if mode == "replay" else _real(asked, env)
        place = _play_place(asked, folder, home) if mode in ("replay", "auto") else None
        with workplace(folder, cassette, options, env) as work:
            settings = ShimSettings(
                mode=mode,
                journal_dir=work.journals,
                run_id=folder.run_id,
                real=real,
                errors_log=work.errors_log,
                replay={} if place is None else place.settings,
            )
            place_shim(settings, folder, home=home if asked.home.kind == "temp" else None)
            with Finisher(
                work.journals, _target(asked, work, cassette), _witness(asked, work, home, env)
            ) as finisher:
                given = client_environment(env, shim=folder.shim, home=home, cassette=asked.cassette)
                ended = run_client(asked.client, given)
                wait_for_heirs(folder.shim, work.journals)
                finished = finisher.finish()
            trouble = _incomplete(finished, work)
        not_replaced = None if rewrite is None else rewrite.finish()
        played = Played() if place is None else played_in(folder)
        report = finished.report
        return Summary(
            client=ended,
            calls=played.calls if place is not None else len(report.saved) + len(report.errors),
            turns=played.turns + report.turns,
            counted=mode != "passthrough",
            cassette=asked.cassette,
            misses=played.misses,
            unplayed=played.unplayed,
            incomplete=trouble if not_replaced is None else (*trouble, not_replaced),
            saved=len(report.saved),
            notices=(*_killed(finished), *(() if place is None else (*place.notices, *place.renewed()))),
        )


def tightened(mode: "Mode", env: Mapping[str, str]) -> "Mode":
    """The mode after ``AGY_PROXY_MODE``, which may forbid the real agy and never allow it.

    Raises `UserError` for a word that is no mode: a switch that is meant for safety must not be misread.
    """
    wanted = env.get("AGY_PROXY_MODE", "")
    if wanted in ("none", "replay"):
        return "none"
    if wanted not in ("", *MODES):
        raise UserError(f"AGY_PROXY_MODE is {wanted!r}, which is no record mode; use none, or unset it")
    return mode


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


def _target(asked: Recording, work: Workplace, cassette: Path) -> Target:
    return Target(
        cassette=cassette,
        state=work.state,
        redact=None if asked.redactor is None else redacting(asked.redactor),
        keep_journals=asked.keep_journals,
    )


def redacting(redactor: Redactor) -> Redact:
    """What takes the secrets out of a record before it is appended."""

    def redact(interaction: Interaction, placeholders: Placeholders) -> Interaction:
        return redact_interaction(interaction, redactor, placeholders)

    return redact


def _witness(asked: Recording, work: Workplace, home: Path | None, env: Mapping[str, str]) -> Witness:
    own = env.get("HOME")
    return Witness(work.journals, home or (Path(own) if own else None), workspace=asked.workspace)


def _incomplete(finished: Finished, work: Workplace) -> tuple[str, ...]:
    """What the cassette lacks: calls that were not over, what couldn't be saved, trouble in a shim."""
    told = [f"{each} went on after the client's end" for each in finished.cut_short]
    told.extend(finished.report.errors)
    if work.errors_log.exists():
        lines = work.errors_log.read_text(encoding="utf-8", errors="replace").splitlines()
        told.extend(line.split(" ", 2)[-1] for line in lines)
    if finished.report.errors:
        told.append(
            "agy-proxy sync saves what is left, once it can"
            if work.safe
            else f"what was not saved is in {work.journals}"
        )
    return tuple(dict.fromkeys(told))


def _killed(finished: Finished) -> tuple[str, ...]:
    return tuple(f"{each} was killed, how it would have ended is not known" for each in finished.killed)
