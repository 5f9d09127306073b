r"""How one value is written in YAML, so that PyYAML's C and Python loaders both read exactly it back.

A body is a literal block where the text allows it, else double-quoted with one source line per output line
(each ending in ``\n\``), else, where it isn't UTF-8, ``!!binary``. PyYAML's own emitter is never used: it
changes NEL, and its output depends on whether libyaml is there.
"""

import base64
import math
import re
from collections.abc import Mapping, Sequence
from typing import Any

Text = str | bytes
"""Canonical text: `str` where it is UTF-8, else `bytes`."""

# CR, NEL, LS and PS count as line breaks in YAML 1.1, control characters may not stand in it at all.
_NOT_LITERAL = re.compile(
    "[^\t\n\x20-\x7e\xa0-\u2027\u202a-\ud7ff\ue000-\ufefe\uff00-\ufffd\U00010000-\U0010ffff]"
)
_ESCAPED = re.compile('[\x00-\x1f"\\\\\x7f-\xa0\u2028\u2029\ufeff\ufffe\uffff]')
_SHORT = {
    "\0": "\\0", "\a": "\\a", "\b": "\\b", "\t": "\\t", "\n": "\\n", "\v": "\\v", "\f": "\\f", "\r": "\\r",
    "\x1b": "\\e", '"': '\\"', "\\": "\\\\", "\x85": "\\N", "\xa0": "\\_", "\u2028": "\\L", "\u2029": "\\P",
}  # fmt: skip
_PLAIN = re.compile(r"[A-Za-z][A-Za-z0-9_-]*", re.ASCII)
# Words that YAML 1.1 reads as a boolean or as null when they aren't quoted.
_WORDS = frozenset({"y", "n", "yes", "no", "on", "off", "true", "false", "null"})
_BINARY_COLUMNS = 76
# A simple key ends within 1024 characters.
_LONGEST_KEY = 500


def canonical(value: Text) -> Text:
    """Give text as `str` where it is UTF-8, else as `bytes`; surrogate escapes are the bytes they stand for.

    Raises `ValueError` for a surrogate that stands for no byte.
    """
    data = value.encode("utf-8", "surrogateescape") if isinstance(value, str) else value
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        return data


def is_word(text: str) -> bool:
    """Tell whether text can stand in YAML without quotes and still be text."""
    return _PLAIN.fullmatch(text) is not None and text.lower() not in _WORDS


def quoted(text: str) -> str:
    """Write text in double quotes on one line."""
    return f'"{_escape(text)}"'


def body(value: Text, indent: int) -> str:
    """Write what follows ``key:`` for a body whose lines are indented by `indent`; ends with a newline."""
    if isinstance(value, bytes):
        pad = " " * indent
        return " !!binary |\n" + "".join(f"{pad}{line}\n" for line in _base64_lines(value))
    if not value or not _fits_literal(value):
        return f" {folded(value, indent)}\n"
    return _literal(value, indent)


def folded(value: Text, indent: int) -> str:
    r"""Write text in double quotes, one source line per line of text, each joined to the next by ``\``."""
    if isinstance(value, bytes):
        return f'!!binary "{_joined(_base64_lines(value), indent)}"'
    return f'"{_joined(_by_newline(value), indent)}"'


def flow(value: Any, indent: int) -> str:
    """Write any value in flow style: ``{key: "text"}``, ``["a", "b"]``, a number, or text by `folded`."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return str(value)
    if isinstance(value, float):
        return _number(value)
    if isinstance(value, str | bytes):
        return folded(value, indent)
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{key(name)} {flow(item, indent)}" for name, item in value.items()) + "}"
    if isinstance(value, Sequence):
        return "[" + ", ".join(flow(item, indent) for item in value) + "]"
    raise ValueError(f"a cassette can't hold a {type(value).__name__}")


def key(name: Text, joint: str = " ") -> str:
    """Write a mapping's key and its colon: as a bare word where it is one, with ``?`` where it is very long.

    `joint` stands before the colon of a long one: a newline and the indent, unless in flow style.
    """
    if isinstance(name, str) and is_word(name) and len(name) < _LONGEST_KEY:
        return f"{name}:"
    text = quoted(name) if isinstance(name, str) else f'!!binary "{base64.b64encode(name).decode()}"'
    return f"{text}:" if len(text) < _LONGEST_KEY else f"? {text}{joint}:"


def _fits_literal(text: str) -> bool:
    last = text.rstrip("\n").rpartition("\n")[2]
    return (
        _NOT_LITERAL.search(text) is None
        # The C loader refuses a tab where it looks for the indent; a last line of blanks would be chomped.
        and not text.lstrip("\n ").startswith("\t")
        and not last.isspace()
        and last != ""
    )


def _literal(text: str, indent: int) -> str:
    digit = "2" if text[0] in "\n " else ""
    ends = len(text) - len(text.rstrip("\n"))
    chomp = ("-", "", "+")[min(ends, 2)]
    pad = " " * indent
    lines = text[: len(text) - 1 if ends else None].split("\n")
    return f" |{digit}{chomp}\n" + "".join(f"{pad}{line}\n" if line else "\n" for line in lines)


def _by_newline(text: str) -> list[str]:
    *lines, last = text.split("\n")
    return [_escape(line + "\n") for line in lines] + ([_escape(last)] if last else [])


def _joined(lines: Sequence[str], indent: int) -> str:
    first, *rest = lines or [""]
    # White space at the start of a joined line would be skipped but for the backslash.
    return first + "".join(
        "\\\n" + " " * indent + ("\\" if line.startswith(" ") else "") + line for line in rest
    )


def _escape(text: str) -> str:
    return _ESCAPED.sub(_escape_one, text)


def _escape_one(match: re.Match[str]) -> str:
    char = match[0]
    return _SHORT.get(char) or (f"\\x{ord(char):02x}" if ord(char) < 256 else f"\\u{ord(char):04x}")


def _base64_lines(data: bytes) -> list[str]:
    text = base64.b64encode(data).decode()
    return [text[at : at + _BINARY_COLUMNS] for at in range(0, len(text), _BINARY_COLUMNS)]


def _number(value: float) -> str:
    if math.isnan(value):
        return ".nan"
    if math.isinf(value):
        return ".inf" if value > 0 else "-.inf"
    text = repr(value)
    return text if "." in text else text.replace("e", ".0e")
