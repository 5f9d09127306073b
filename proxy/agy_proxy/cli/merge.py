"""``agy-proxy merge``: unites cassettes."""

from pathlib import Path

import click

from agy_cassettes.merge import merge, merge_git
from agy_proxy.cli import page


@click.command(short_help="Unite cassettes, also after a git conflict.")
@click.argument("paths", metavar="[OUT IN...]", nargs=-1, type=click.Path(path_type=Path))
@click.option(
    "--git",
    "conflicted",
    metavar="FILE",
    type=click.Path(path_type=Path),
    help="Unite both sides of the conflict that git left in FILE, in place.",
)
@page.json_option
def command(paths: tuple[Path, ...], *, conflicted: Path | None, as_json: bool) -> None:
    """Unite cassettes into OUT, each record once, in the order of their times.

    OUT must not exist unless it is one of the inputs. After a git merge that stopped, `agy-proxy merge --git
    FILE` takes both sides from git, keeps each record that either has, and `git add FILE` then resolves it.
    """
    if (conflicted is None) == (not paths):
        raise click.UsageError("give OUT and the cassettes to unite, or --git FILE")
    if conflicted is not None:
        out, count = conflicted, merge_git(conflicted)
    elif len(paths) == 1:
        raise click.UsageError(f"nothing to unite into {paths[0]}: give OUT and at least one cassette")
    else:
        out, count = paths[0], merge(paths[1:], paths[0])
    if as_json:
        page.print_json({"out": str(out), "records": count})
    else:
        told = f"{count} records" if count != 1 else "1 record"
        page.print_lines([(f"{out}: {told}",)])
