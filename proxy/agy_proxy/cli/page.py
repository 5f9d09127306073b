"""What verbs print: JSON, or lines that have colours on a terminal only."""

import base64
import json
import sys
from collections.abc import Callable, Iterable, Mapping
from typing import Any, TypeVar

import click

Piece = str | tuple[str, str]
"""A part of a line: text, or text and the style it has on a terminal (``bold``, ``dim``, ``red``...)."""

Line = tuple[Piece, ...]

Decorated = TypeVar("Decorated", bound=Callable[..., Any])

CONTROL = {code: f"\\x{code:02x}" for code in (*range(32), *range(127, 160)) if code not in (9, 10)}
CONTROL.update({code: f"\\u{code:04x}" for code in (*range(0x202A, 0x202F), *range(0x2066, 0x206A))})
"""Characters that a terminal would obey, and directions that would turn a line around."""


def json_option(function: Decorated) -> Decorated:
    """Adds ``--json`` as the parameter `as_json`."""
    option = click.option("--json", "as_json", is_flag=True, help="Print one JSON object instead of text.")
    return option(function)


def print_json(shape: Mapping[str, Any]) -> None:
    """Prints `shape` with ``"version": 1`` in front, on one line."""
    click.echo(json.dumps({"version": 1, **shape}, ensure_ascii=False))


def json_text(value: str | bytes | None) -> str | dict[str, str] | None:
    """The value as JSON has it: a string where it is UTF-8, else ``{"base64": ...}``."""
    if value is None:
        return None
    raw = value.encode("utf-8", "surrogateescape") if isinstance(value, str) else value
    try:
        return raw.decode("utf-8")
    except UnicodeDecodeError:
        return {"base64": base64.b64encode(raw).decode("ascii")}


def visible(value: str | bytes) -> str:
    r"""The text with control characters spelled out (``\x1b``), but for tabs and newlines."""
    raw = value.encode("utf-8", "surrogateescape") if isinstance(value, str) else value
    return raw.decode("utf-8", "backslashreplace").translate(CONTROL)


def plain(line: Line) -> str:
    """The line as text."""
    return "".join(piece if isinstance(piece, str) else piece[0] for piece in line)


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
        console.print(Text.assemble(*line))
