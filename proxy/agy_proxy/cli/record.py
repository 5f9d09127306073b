"""``agy-proxy record``: run a client, record its calls of agy."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from agy_proxy.cli import choices
from agy_proxy.run.home import parse_home
from agy_proxy.run.recording import Recording, record

if TYPE_CHECKING:
    from agy_cassettes.modes import Mode


@click.command(short_help="Run a client and record every call of agy into a cassette.")
@click.argument("cassette", type=choices.ABSOLUTE)
@click.option(
    "--mode",
    type=click.Choice(["all", "once", "new_episodes", "rewrite", "passthrough"]),
    default="all",
    show_default=True,
    help="What happens to calls that the cassette holds, and to those that it doesn't.",
)
@click.option(
    "--real", type=choices.ABSOLUTE, metavar="PATH", help="The agy to record; else the one on PATH."
)
@click.option(
    "--home",
    default="keep",
    show_default=True,
    metavar="keep|temp|DIR",
    help="The HOME that the client gets.",
)
@choices.redact_options
@click.option(
    "--workspace", is_flag=True, help="Keep the files that agy changed below its working directory."
)
@click.option("--keep-journals", is_flag=True, help="Keep the raw, unredacted journals.")
@choices.summary_option
@choices.client_argument
def command(
    *,
    cassette: Path,
    mode: "Mode",
    real: Path | None,
    home: str,
    redact: str,
    redactors: Path | None,
    workspace: bool,
    keep_journals: bool,
    summary_json: Path | None,
    client: tuple[str, ...],
) -> None:
    """Run CLIENT with a shim named agy first on its PATH, and save every call into CASSETTE.

    The client keeps its streams and its exit status; the summary is on stderr.
    """
    env = choices.environment()
    asked = Recording(
        cassette=cassette,
        client=client,
        mode=mode,
        real=real,
        home=parse_home(home),
        redactor=choices.redactor_for(redact, redactors, env),
        redactors=redactors,
        keep_journals=keep_journals,
        workspace=workspace,
    )
    choices.finish(record(asked, env), summary_json)
