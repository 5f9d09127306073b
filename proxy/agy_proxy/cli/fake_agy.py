"""``fake-agy``: the double as a tool. It lives in the top layer so that it may use runs as well."""

from collections.abc import Sequence
from pathlib import Path

import click

from agy_cassettes.errors import UserError
from agy_proxy import VERSION
from agy_proxy.cli import choices, entry, profile
from fake_agy.double import check_settings
from fake_agy.process import run
from fake_agy.profile.row import Value


@click.group(context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(VERSION, message="%(prog)s %(version)s")
def command() -> None:
    """The double of agy, for the command line."""


@command.command(name="exec", short_help="Be agy for one call.")
@choices.double_options
@click.option("--home", type=choices.ABSOLUTE, metavar="DIR", help="Where the store lies, in place of HOME.")
@click.argument("argv", nargs=-1, type=click.UNPROCESSED, metavar="-- AGY-ARGS...")
def execute(
    *,
    scenario: str | None,
    agy_version: str,
    switches: tuple[tuple[str, Value], ...],
    speed: float | None,
    seed: int,
    clock: str | None,
    home: Path | None,
    argv: tuple[str, ...],
) -> None:
    """Do what agy would do with AGY-ARGS, and exit as it would."""
    if home is not None and not home.is_dir():
        raise UserError(f"--home {home} is not a folder; make it first")
    settings = choices.double_settings(
        scenario=scenario,
        agy_version=agy_version,
        switches=switches,
        speed=speed,
        seed=seed,
        clock=clock,
    )._replace(home=None if home is None else str(home))
    check_settings(settings)
    raise SystemExit(run(argv, settings))


command.add_command(profile.command)


def main(argv: Sequence[str] | None = None) -> int:
    """Runs the command line; the exit status."""
    return entry.run(command, argv, name="fake-agy")
