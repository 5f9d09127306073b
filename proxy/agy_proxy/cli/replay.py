"""``agy-proxy replay``: run a client, answer its calls of agy from a cassette."""

from pathlib import Path
from typing import Literal

import click

from agy_cassettes.match_on import load_matchers, select
from agy_cassettes.matchers import DEFAULT_MATCH_ON
from agy_cassettes.redact.own import load_redactors
from agy_proxy.cli import choices
from agy_proxy.replay.options import PlayOptions
from agy_proxy.run.home import parse_home
from agy_proxy.run.replaying import Replaying, replay


@click.command(short_help="Run a client and answer its calls of agy from a cassette.")
@click.argument("cassette", type=choices.ABSOLUTE)
@click.option(
    "--speed",
    type=choices.Speed(),
    default="1",
    show_default=True,
    help="Divide every wait; max leaves them out.",
)
@click.option(
    "--match-on",
    type=choices.Names(),
    default=",".join(DEFAULT_MATCH_ON),
    show_default=True,
    help="The matchers that a recorded call must pass.",
)
@click.option("--matchers", type=choices.ABSOLUTE, metavar="FILE.py", help="Matchers of your own, by name.")
@click.option(
    "--redactors",
    type=choices.ABSOLUTE,
    metavar="FILE.py",
    help="The redactors with which it was recorded, for what the client asks now.",
)
@click.option("--allow-repeats", is_flag=True, help="Let a recorded call be played more than once.")
@click.option("--fail-unplayed", is_flag=True, help="Exit with 125 where a recorded turn was not asked for.")
@click.option(
    "--files",
    type=click.Choice(["all", "transcripts", "none"]),
    default="all",
    show_default=True,
    help="Which of the files that agy wrote are written again.",
)
@click.option(
    "--time",
    "times",
    type=click.Choice(["now", "recorded"]),
    default="now",
    show_default=True,
    help="Whether times in rows and logs move to the present.",
)
@click.option("--workspace", is_flag=True, help="Write files below the working directory too.")
@click.option(
    "--home",
    default="temp",
    show_default=True,
    metavar="keep|temp|DIR",
    help="The HOME that the client gets.",
)
@click.option("--write-store", is_flag=True, help="With --home keep: write new conversations into ~/.gemini.")
@choices.summary_option
@choices.client_argument
def command(
    *,
    cassette: Path,
    speed: float | None,
    match_on: tuple[str, ...],
    matchers: Path | None,
    redactors: Path | None,
    allow_repeats: bool,
    fail_unplayed: bool,
    files: Literal["all", "transcripts", "none"],
    times: Literal["now", "recorded"],
    workspace: bool,
    home: str,
    write_store: bool,
    summary_json: Path | None,
    client: tuple[str, ...],
) -> None:
    """Run CLIENT with a shim named agy first on its PATH that answers from CASSETTE, and never from agy.

    A call that was not recorded, or was played already, is refused with exit status 125 and the closest
    recorded calls.
    """
    choice = parse_home(home)
    if write_store and not choice.keeps:
        raise click.UsageError("--write-store goes with --home keep only; in any other HOME all is written")
    select(match_on, None if matchers is None else load_matchers(matchers))
    if redactors is not None:
        load_redactors(redactors)
    options = PlayOptions(
        speed=speed,
        match_on=match_on,
        matchers=matchers,
        redactors=redactors,
        allow_repeats=allow_repeats,
        files=files,
        time=times,
        workspace=workspace,
    )
    asked = Replaying(
        cassette=cassette,
        client=client,
        options=options,
        home=choice,
        write_store=write_store,
        fail_unplayed=fail_unplayed,
    )
    choices.finish(replay(asked, choices.environment()), summary_json)
