"""``agy-proxy verify``: tells whether cassettes are whole."""

import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click

from agy_cassettes.verify import Accepted, VerifyReport, accept, verify
from agy_proxy.cli import page
from agy_proxy.report.lines import Line


@click.command(short_help="Tell whether cassettes are whole and unedited.")
@click.argument("cassettes", metavar="CASSETTE...", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option("--strict", is_flag=True, help="Count records that were edited by hand as wrong.")
@click.option(
    "--accept",
    "accepting",
    is_flag=True,
    help="First give edited records a new hash and origin: edited, and cut off a torn tail, kept in a file.",
)
@page.json_option
def command(cassettes: tuple[Path, ...], *, strict: bool, accepting: bool, as_json: bool) -> int:
    """Read cassettes whole, and tell what is torn, edited, there twice, or no cassette at all.

    Exit status 1 where something is wrong. A record that was edited by hand is told of and is not wrong,
    unless --strict says so.
    """
    accepted = {path: accept(path, clock=time.time_ns) for path in cassettes} if accepting else {}
    reports = [verify(path) for path in cassettes]
    if as_json:
        for path, one in accepted.items():
            for line in torn_lines(path, one):
                click.echo(page.plain(line), err=True)
        page.print_json({"files": [shape(report) for report in reports]})
    else:
        for report in reports:
            page.print_lines(lines(report, accepted.get(report.file, Accepted()), strict=strict))
    return 0 if all(report.is_sound(strict=strict) for report in reports) else 1


def shape(report: VerifyReport) -> dict[str, Any]:
    """One element of ``files``; `torn` tells whether there is a torn tail, the other two are ids."""
    return {
        "file": str(report.file),
        "records": report.records,
        "torn": report.torn is not None,
        "edited": [entry.id for entry in report.edited],
        "duplicates": list(report.duplicates),
        "errors": [{"line": problem.line, "what": problem.what} for problem in report.errors],
    }


def lines(report: VerifyReport, accepted: Accepted, *, strict: bool) -> Iterator[Line]:
    """What is printed for people: a line for each thing found, then one for the file."""
    style = "red" if strict else "yellow"
    for problem in report.errors:
        yield (f"{report.file}:{problem.line}: ", (problem.what, "red"))
    for entry in report.edited:
        yield (f"{report.file}:{entry.line}: ", (f"record {entry.id} was edited by hand", style))
    for record in accepted.edited:
        yield (f"{report.file}: record {record} is accepted as edited",)
    yield from torn_lines(report.file, accepted)
    count = f"{report.records} records" if report.records != 1 else "1 record"
    if report.is_sound(strict=strict):
        yield (f"{report.file}: {count}, ", ("whole", "green"))
    else:
        yield (f"{report.file}: {count}, ", ("not sound", "red"))


def torn_lines(file: Path, accepted: Accepted) -> Iterator[Line]:
    """Where the bytes are that were cut off."""
    if accepted.torn is not None:
        name = f"record {accepted.torn.id}" if accepted.torn.id else "the last record"
        yield (
            f"{file}:{accepted.torn.line}: ",
            (f"{name} was torn; its {accepted.torn.length} bytes are now in {accepted.torn_file}", "yellow"),
        )
