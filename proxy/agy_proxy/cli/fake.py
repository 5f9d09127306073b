"""``agy-proxy fake``: run a client with a double of agy."""

from pathlib import Path

import click

from agy_proxy.cli import choices
from agy_proxy.run.faking import Faking, fake
from agy_proxy.run.home import parse_home
from fake_agy.profile.row import Value


@click.command(short_help="Run a client with a double of agy that needs no recording.")
@choices.double_options
@click.option(
    "--home", default="temp", show_default=True, metavar="temp|DIR", help="The HOME of client and double."
)
@click.option(
    "--record", "cassette", type=choices.ABSOLUTE, metavar="CASSETTE", help="Record every call too."
)
@choices.summary_option
@choices.client_argument
def command(
    *,
    scenario: str | None,
    agy_version: str,
    switches: tuple[tuple[str, Value], ...],
    speed: float | None,
    seed: int,
    clock: str | None,
    home: str,
    cassette: Path | None,
    summary_json: Path | None,
    client: tuple[str, ...],
) -> None:
    """Run CLIENT with a double named agy first on its PATH, which keeps conversations as agy does."""
    settings = choices.double_settings(
        scenario=scenario,
        agy_version=agy_version,
        switches=switches,
        speed=speed,
        seed=seed,
        clock=clock,
    )
    env = choices.environment()
    asked = Faking(
        client=client,
        settings=settings,
        home=parse_home(home),
        cassette=cassette,
        redactor=choices.redactor_for("default", None, env),
    )
    choices.finish(fake(asked, env), summary_json)
