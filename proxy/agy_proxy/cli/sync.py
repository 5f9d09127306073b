"""``agy-proxy sync``: saves what installed shims recorded."""

from collections.abc import Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import Any

import click

from agy_cassettes.errors import UserError
from agy_proxy.cli import choices, page
from agy_proxy.record.finish import FinishReport
from agy_proxy.report.lines import Line
from agy_proxy.run.installed import MakeRedactor, chosen_installs, sync
from agy_proxy.shim.install import Install


@click.command(short_help="Save what installed shims recorded into their cassettes.")
@click.argument("folders", metavar="[DIR...]", nargs=-1, type=choices.ABSOLUTE)
@click.option("--state-home", hidden=True, type=choices.ABSOLUTE, help="In place of XDG_STATE_HOME.")
@page.json_option
def command(folders: tuple[Path, ...], *, state_home: Path | None, as_json: bool) -> int:
    """Save the calls of shims installed in the folders, or of all, that were not saved after the call.

    A call that is not over stays for the next time. Exit status 1 where one that is over could not be saved.
    """
    env = choices.environment()
    if state_home is not None:
        env["XDG_STATE_HOME"] = str(state_home)
    make_redactor = partial(choices.redactor_for, env=env)
    recording = [each for each in chosen_installs(folders, env) if each.verb == "record"]
    # A call's own finisher names its state home. It leaves to others what they are at.
    wait = state_home is None
    reports = [(each, synced(each, env, make_redactor, wait=wait)) for each in recording]
    if as_json:
        page.print_json({"installs": [shape(install, report) for install, report in reports]})
    else:
        page.print_lines(lines(reports))
    return 1 if any(report.errors for _, report in reports) else 0


def synced(
    install: Install, env: Mapping[str, str], make_redactor: MakeRedactor, *, wait: bool
) -> FinishReport:
    """What came of one install; one that can't be saved must not cost the others."""
    try:
        return sync(install, env, make_redactor, wait=wait)
    except UserError as failed:
        return FinishReport(errors=(failed.message,))


def shape(install: Install, report: FinishReport) -> dict[str, Any]:
    """One element of ``installs``."""
    return {
        "agy": str(install.shim),
        "cassette": install.cassette,
        "saved": len(report.saved),
        "troubles": list(report.errors),
    }


def lines(reports: list[tuple[Install, FinishReport]]) -> Iterator[Line]:
    """What is printed for people."""
    if not reports:
        yield ("no shim that records is installed",)
    for install, report in reports:
        count = f"{len(report.saved)} interactions" if len(report.saved) != 1 else "1 interaction"
        yield (f"{install.shim}: saved {count} to {install.cassette}",)
        for trouble in report.errors:
            yield ("   ", (trouble, "red"))
        if report.live:
            yield (f"   {len(report.live)} not over yet",)
