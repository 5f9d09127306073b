"""``agy-proxy scan``: looks for secrets."""

from pathlib import Path

import click

from agy_cassettes.redact.scan import scan, unredacted
from agy_proxy.cli import page


@click.command(short_help="Look for secrets in cassettes and other files.")
@click.argument(
    "paths", metavar="PATH...", nargs=-1, required=True, type=click.Path(exists=True, path_type=Path)
)
@page.json_option
def command(paths: tuple[Path, ...], *, as_json: bool) -> int:
    """Look for what redaction would have taken out, in files and in all files of folders.

    Exit status 1 where something is left. What was found is not printed, only its class and its line.
    """
    left = [each for path in paths for each in scan(path)]
    for cassette in (each for path in paths for each in unredacted(path)):
        page.tell(f"{cassette} was recorded without redaction (--redact off)")
    if as_json:
        shapes = [{"file": str(each.file), "line": each.line, "class": each.cls} for each in left]
        page.print_json({"left": shapes})
    elif left:
        page.print_lines((f"{each.file}:{each.line}: ", (each.cls, "red")) for each in left)
    else:
        page.print_lines([(f"{', '.join(str(path) for path in paths)}: ", ("nothing is left", "green"))])
    return 1 if left else 0
