"""``agy-proxy contract``: whether the real agy behaves as the double of its version."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click

from agy_cassettes.errors import UserError
from agy_proxy.cli import choices, page
from agy_proxy.contract.compare import Compared, Comparison
from agy_proxy.contract.contract import contract
from agy_proxy.contract.read import Value
from agy_proxy.report.lines import Line
from agy_proxy.run.real_agy import real_agy
from fake_agy.profile.resolve import NEWEST_KNOWN, as_text

INDENT = " " * 11


@click.command(short_help="Compare the real agy with the double of its version.")
@click.option("--real", metavar="PATH", type=choices.ABSOLUTE, help="The agy to ask; else found on PATH.")
@click.option("--turns", is_flag=True, help="Make calls that cost a turn too, about eight.")
@click.option("--home", metavar="DIR", type=choices.ABSOLUTE, help="The HOME of the real agy; else your own.")
@click.option(
    "--agy-version", metavar="V", help="Compare with this version's double, not with the one it says."
)
@page.json_option
def command(
    *, real: Path | None, turns: bool, home: Path | None, agy_version: str | None, as_json: bool
) -> int:
    """Ask the real agy and a double of its version the same things, and tell fact by fact what agrees.

    Without --turns no call costs a turn. Exit status 1 where something differs.
    """
    if home is not None and not home.is_dir():
        raise UserError(f"--home {home} is not a folder; make it first")
    env = choices.environment()
    found = contract(real_agy(real, env), env, turns=turns, home=home, as_version=agy_version)
    if as_json:
        page.print_json(shape(found))
    else:
        page.print_lines(lines(found))
    return 1 if found.differs else 0


def shape(found: Comparison) -> dict[str, Any]:
    """The JSON shape."""
    return {
        "real": found.agy,
        "agy": found.said,
        "double": found.version,
        "assumed": found.assumed,
        "updated": found.updated,
        "facts": [
            {
                "name": each.fact.name,
                "section": each.fact.section,
                "verdict": each.verdict,
                "real": each.real,
                "double": each.double,
                "why": each.why,
                "behaviours": list(each.fact.behaviours),
            }
            for each in found.facts
        ],
        "agrees": found.count("agrees"),
        "differs": found.count("differs"),
        "not_tried": found.count("not_tried"),
    }


def lines(found: Comparison) -> Iterator[Line]:
    """What is printed for people."""
    said = "that doesn't say its version" if found.said is None else f"that says {found.said}"
    yield (f"{found.agy}, {said}, beside the double of {found.version}",)
    if found.assumed:
        newest = ".".join(map(str, NEWEST_KNOWN))
        yield (f"the double of {found.version} is assumed to behave as {newest}, the newest that is known",)
    if found.updated is not None:
        updated = f"it became {found.updated} between the calls: run this again"
        yield ((updated, "bold red"),)
    yield from _left_out(found)
    for each in found.facts:
        if each.why is None:
            yield from _fact_lines(each)
    yield (
        f"{found.count('agrees')} agree, {found.count('differs')} differ, "
        f"{found.count('not_tried')} could not be tried",
    )


def _left_out(found: Comparison) -> Iterator[Line]:
    """What could not be tried, a line for each call."""
    calls = dict.fromkeys((each.fact.call, each.why) for each in found.facts if each.why is not None)
    for call, why in calls:
        yield (("not tried  ", "yellow"), f"{call}: {why}")


def _fact_lines(compared: Compared) -> Iterator[Line]:
    fact = compared.fact
    agrees = compared.verdict == "agrees"
    mark = ("agrees     ", "green") if agrees else ("differs    ", "bold red")
    yield (mark, fact.name, (f"  {fact.section}", "dim"))
    if agrees:
        return
    for whose, value in _apart(compared.real, compared.double):
        yield (f"{INDENT}{whose}{value}",)
    if fact.behaviours:
        yield ((f"{INDENT}a --switch that may fit: {', '.join(fact.behaviours)}", "dim"),)


def _apart(real: Value | None, double: Value | None) -> Iterator[tuple[str, str]]:
    """Both values; of two lists only what one of them lacks, where the rest is alike."""
    if isinstance(real, list) and isinstance(double, list):
        only_real = [each for each in real if each not in double]
        only_double = [each for each in double if each not in real]
        if only_real or only_double:
            yield from (("only the real one:  ", each) for each in only_real)
            yield from (("only the double:    ", each) for each in only_double)
            return
    yield "the real one:  ", _told(real)
    yield "the double:    ", _told(double)


def _told(value: Value | None) -> str:
    if isinstance(value, list):
        return ", ".join(value) or "nothing"
    return "nothing" if value is None else as_text(value)
