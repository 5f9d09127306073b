"""``agy-proxy install``: writes a file named agy into a folder."""

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, Literal

import click

from agy_cassettes.errors import UserError
from agy_cassettes.match_on import load_matchers, select
from agy_cassettes.matchers import DEFAULT_MATCH_ON
from agy_cassettes.redact.own import load_redactors
from agy_proxy.cli import choices, page
from agy_proxy.replay.options import PlayOptions
from agy_proxy.run.installed import (
    Sigpipe,
    ToRecord,
    install_double,
    install_passthrough,
    install_player,
    install_recorder,
)
from agy_proxy.run.keeping import parse_keep
from fake_agy.settings import DoubleSettings

BELONGS: Mapping[str, frozenset[str]] = {
    "record": frozenset(("real", "mode", "redact", "redactors", "keep_journals", "keep", "sigpipe")),
    "replay": frozenset(
        (
            *("speed", "match_on", "matchers", "redactors", "allow_repeats"),
            *("files", "times", "workspace", "write_store"),
        )
    ),
    "fake": frozenset(("scenario", "agy_version", "switches", "speed", "seed", "clock", "home")),
    "passthrough": frozenset(("real", "sigpipe")),
}
"""Which options go with which kind of shim."""


@click.command(short_help="Write a file named agy that records, replays or fakes.")
@click.argument("folder", metavar="DIR", type=choices.ABSOLUTE)
@click.option("--record", metavar="CASSETTE", type=choices.ABSOLUTE, help="Record every call there.")
@click.option("--replay", metavar="CASSETTE", type=choices.ABSOLUTE, help="Answer every call from there.")
@click.option("--fake", is_flag=True, help="Be the double.")
@click.option("--passthrough", is_flag=True, help="Only call the real agy.")
@click.option("--real", metavar="PATH", type=choices.ABSOLUTE, help="The agy behind; else found on PATH.")
@click.option(
    "--mode", type=click.Choice(["all", "once", "new_episodes"]), help="As of record; all unless given."
)
@click.option("--redact", type=click.Choice(["default", "off"]), help="As of record.")
@click.option("--redactors", metavar="FILE.py", type=choices.ABSOLUTE, help="As of record or replay.")
@click.option("--keep-journals", is_flag=True, default=None, help="As of record.")
@click.option("--keep", metavar="last=N,days=D,size=S", help="Drop the oldest records at each sync.")
@click.option("--sigpipe", type=click.Choice(["default", "ignore"]), help="How agy finds SIGPIPE.")
@click.option("--speed", metavar="N|max", help="As of replay or fake.")
@click.option("--match-on", type=choices.Names(), help="As of replay.")
@click.option("--matchers", metavar="FILE.py", type=choices.ABSOLUTE, help="As of replay.")
@click.option("--allow-repeats", is_flag=True, default=None, help="As of replay.")
@click.option("--files", type=click.Choice(["all", "transcripts", "none"]), help="As of replay.")
@click.option("--time", "times", type=click.Choice(["now", "recorded"]), help="As of replay.")
@click.option("--workspace", is_flag=True, default=None, help="As of replay.")
@click.option("--write-store", is_flag=True, default=None, help="As of replay; HOME is the caller's.")
@click.option("--scenario", metavar="NAME|FILE", help="As of fake.")
@click.option("--agy-version", metavar="V", help="As of fake.")
@click.option("--switch", "switches", type=choices.Switch(), multiple=True, help="As of fake.")
@click.option("--seed", type=int, help="As of fake.")
@click.option("--clock", metavar="ISO", help="As of fake.")
@click.option("--home", metavar="DIR", type=choices.ABSOLUTE, help="Where the double's store lies.")
@page.json_option
def command(
    *,
    folder: Path,
    record: Path | None,
    replay: Path | None,
    fake: bool,
    passthrough: bool,
    as_json: bool,
    **options: Any,
) -> None:
    """Write a file named agy into DIR: a shim that records or replays, the double, or a mere passage.

    Settings are inside the file, so that a client may give it any environment. An agy that is not ours is
    never overwritten. With --record, what was recorded is saved after each call; sync saves what is left.
    """
    asked = {"record": record, "replay": replay, "fake": fake, "passthrough": passthrough}
    verb = _one_of(asked)
    given = {name: value for name, value in options.items() if value not in (None, ())}
    _refuse_others(verb, given)
    cassette = record or replay
    if verb == "record" and record is not None:
        install_recorder(folder, _to_record(record, given), choices.environment())
    elif verb == "replay" and replay is not None:
        install_player(folder, replay, _play_options(given), choices.environment())
    elif verb == "fake":
        install_double(folder, _double(given))
    else:
        sigpipe: Sigpipe = given.get("sigpipe", "default")
        install_passthrough(folder, given.get("real"), choices.environment(), sigpipe=sigpipe)
    agy = folder / "agy"
    if as_json:
        shown = None if cassette is None else str(cassette)
        page.print_json({"agy": str(agy), "verb": verb, "cassette": shown})
    else:
        page.print_lines([(f"{agy} ", (_does(verb, cassette), "green"))])


def _one_of(asked: Mapping[str, object]) -> str:
    chosen = [verb for verb, value in asked.items() if value]
    if len(chosen) != 1:
        raise click.UsageError("give one of --record CASSETTE, --replay CASSETTE, --fake and --passthrough")
    return chosen[0]


def _refuse_others(verb: str, given: Iterable[str]) -> None:
    names = {parameter.name: parameter.opts[0] for parameter in command.params}
    wrong = [names[name] for name in given if name not in BELONGS[verb]]
    if wrong:
        raise click.UsageError(f"{wrong[0]} does not go with --{verb}")


def _to_record(cassette: Path, given: Mapping[str, Any]) -> ToRecord:
    redact, redactors = given.get("redact", "default"), given.get("redactors")
    choices.redactor_for(redact, redactors, choices.environment())
    keep = given.get("keep")
    return ToRecord(
        cassette=cassette,
        mode=given.get("mode", "all"),
        real=given.get("real"),
        redact=redact,
        redactors=redactors,
        keep_journals=given.get("keep_journals", False),
        keep=None if keep is None else parse_keep(keep),
        sigpipe=given.get("sigpipe", "default"),
    )


def _play_options(given: Mapping[str, Any]) -> PlayOptions:
    match_on, matchers = given.get("match_on", DEFAULT_MATCH_ON), given.get("matchers")
    redactors = given.get("redactors")
    if redactors is not None:
        load_redactors(redactors)
    select(match_on, None if matchers is None else load_matchers(matchers))
    # The HOME of an installed shim's caller is their own.
    store: Literal["new", "off"] = "new" if given.get("write_store") else "off"
    return PlayOptions(
        speed=choices.Speed().convert(given.get("speed", "1"), None, None),
        match_on=match_on,
        matchers=matchers,
        redactors=redactors,
        allow_repeats=given.get("allow_repeats", False),
        files=given.get("files", "all"),
        time=given.get("times", "now"),
        store=store,
        workspace=given.get("workspace", False),
    )


def _double(given: Mapping[str, Any]) -> DoubleSettings:
    home: Path | None = given.get("home")
    if home is not None and not home.is_dir():
        raise UserError(f"--home {home} is not a folder; make it first")
    default = DoubleSettings()
    settings = choices.double_settings(
        scenario=given.get("scenario"),
        agy_version=given.get("agy_version", default.agy_version),
        switches=given.get("switches", ()),
        speed=choices.Speed().convert(given.get("speed", "max"), None, None),
        seed=given.get("seed", default.seed),
        clock=given.get("clock"),
    )
    return settings._replace(home=None if home is None else str(home))


def _does(verb: str, cassette: Path | None) -> str:
    return {
        "record": f"records into {cassette}",
        "replay": f"replays {cassette}",
        "fake": "is the double",
        "passthrough": "only calls the real agy",
    }[verb]
