"""What verbs print: JSON, or lines that have colours on a terminal only."""

import sys
from collections.abc import Callable, Iterable, Mapping
from typing import Any, TypeVar

import click

from agy_proxy.report.json_text import json_line
from agy_proxy.report.lines import Line, Piece
from agy_proxy.report.visible import visible

Decorated = TypeVar("Decorated", bound=Callable[..., Any])


def json_option(function: Decorated) -> Decorated:
    """Adds ``--json`` as the parameter `as_json`."""
    option = click.option("--json", "as_json", is_flag=True, help="Print one JSON object instead of text.")
    return option(function)


def print_json(shape: Mapping[str, Any]) -> None:
    """Prints `shape` with ``"version": 1`` in front, on one line, in UTF-8 whatever the locale says."""
    click.echo(json_line({"version": 1, **shape}).encode())


def tell(message: str) -> None:
    """Says something about a verb's work on stderr, as errors are said."""
    click.echo(f"agy-proxy: {visible(message)}", err=True)


def plain(line: Line) -> str:
    """The line as text, with nothing in it that a terminal obeys: names of files hold anything."""
    return visible("".join(piece if isinstance(piece, str) else piece[0] for piece in line)).rstrip()


def print_lines(lines: Iterable[Line]) -> None:
    """Prints the lines: through rich where stdout is a terminal, as they are elsewhere."""
    if not sys.stdout.isatty():
        for line in lines:
            click.echo(plain(line))
        return
    from rich.console import Console
    from rich.text import Text

    console = Console(highlight=False, soft_wrap=True)
    for line in lines:
        console.print(Text.assemble(*(_visible(piece) for piece in line)))


def _visible(piece: Piece) -> Piece:
    return visible(piece) if isinstance(piece, str) else (visible(piece[0]), piece[1])
