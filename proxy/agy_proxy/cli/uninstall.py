"""``agy-proxy uninstall``: takes away what install wrote."""

from functools import partial
from pathlib import Path

import click

from agy_proxy.cli import choices, page
from agy_proxy.run.installed import uninstall


@click.command(short_help="Take away a file named agy that install wrote.")
@click.argument("folder", metavar="DIR", type=choices.ABSOLUTE)
@page.json_option
def command(folder: Path, *, as_json: bool) -> int:
    """Take the file named agy out of DIR, and save what it recorded.

    An agy that is not ours is left alone. Exit status 1 where something that it recorded could not be saved.
    """
    env = choices.environment()
    removed, report = uninstall(folder, env, partial(choices.redactor_for, env=env))
    for trouble in report.errors:
        page.tell(trouble)
    if as_json:
        page.print_json({"removed": str(removed)})
    else:
        page.print_lines([(f"{removed} is taken away",)])
    return 1 if report.errors else 0
