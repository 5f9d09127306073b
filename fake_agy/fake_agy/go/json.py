"""JSON as Go's encoder writes it, as the transcripts hold it, and read without importing the json package."""

from __future__ import annotations

from _json import encode_basestring, make_encoder, make_scanner

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from typing import Any

    Json = None | bool | int | float | str | Sequence["Json"] | Mapping[str, "Json"]

_ESCAPES = {
    ord("<"): "\\u003c",
    ord(">"): "\\u003e",
    ord("&"): "\\u0026",
    0x2028: "\\u2028",
    0x2029: "\\u2029",
}
_BLANKS = " \t\n\r"


def go_json(value: Json) -> str:
    r"""Write one value on one line, keys in the order given, as ``encoding/json`` does (contract.md 3.1).

    Half a surrogate pair becomes ``\ufffd``; `ValueError` for a float that is no number.
    """
    return _written(value, _go_text)


def go_table(value: Json) -> str:
    """Write what `go_json` writes of a value without floats, fast: a store's tables can be long.

    A float would be written as Python writes it.
    """
    # None of the characters that Go escapes stands outside a string, so the whole is escaped at once.
    return _escaped("".join(_encode(value, 0)))


def compact_json(value: Json) -> str:
    """Write one value without spaces and without Go's escapes, as the transcripts do (stores.md 2.1)."""
    return _written(value, _plain_text)


def go_float(value: float) -> str:
    """Write the shortest digits that give the same float64, without exponent from 1e-6 up to 1e21.

    ``2.0`` is ``2`` and ``5e-06`` is ``0.000005`` (contract.md 3.2).
    """
    if value - value != 0:
        raise ValueError(f"{value} can't be written as JSON")
    mantissa, _, exponent = repr(value).partition("e")
    sign = "-" if mantissa.startswith("-") else ""
    whole, _, fraction = mantissa.lstrip("-").partition(".")
    fraction = fraction if fraction != "0" else ""
    power = int(exponent or 0)
    if value != 0 and not 1e-6 <= abs(value) < 1e21:
        digits = f"{whole}.{fraction}" if fraction else whole
        return f"{sign}{digits}e{'-' if power < 0 else '+'}{abs(power)}"
    if power < 0:
        whole, fraction = "0", "0" * (-power - len(whole)) + whole + fraction
    elif power > 0:
        moved = fraction.ljust(power, "0")
        whole, fraction = whole + moved[:power], moved[power:]
    return f"{sign}{whole}.{fraction}" if fraction else f"{sign}{whole}"


def read_json(text: str) -> Any:
    """Read one value that fills the whole text; `ValueError` where it doesn't, or is nested too deeply."""
    start = len(text) - len(text.lstrip(_BLANKS))
    try:
        value, end = _scan(text, start)
    except StopIteration as stopped:
        raise ValueError(f"no JSON value at character {stopped.value}") from None
    except RecursionError:
        raise ValueError("JSON is nested too deeply") from None
    except SystemError:  # so Python 3.11 where json.decoder, whose error it would raise, was not imported
        raise ValueError("this is not JSON") from None
    if text[end:].strip(_BLANKS):
        raise ValueError(f"more than one JSON value: character {end}")
    return value


def _written(value: Json, text: Callable[[str], str]) -> str:
    if isinstance(value, str):
        return text(value)
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return str(value)
    if isinstance(value, float):
        return go_float(value)
    if isinstance(value, (list, tuple)):
        return "[" + ",".join([_written(item, text) for item in value]) + "]"
    # What is left is a mapping; asking for that by its abstract class would cost an import.
    pairs: Mapping[str, Json] = value  # type: ignore[assignment]  # lists and tuples are the only sequences
    return "{" + ",".join([f"{text(key)}:{_written(item, text)}" for key, item in pairs.items()]) + "}"


def _go_text(text: str) -> str:
    return _escaped(encode_basestring(text))


def _escaped(quoted: str) -> str:
    # Go writes what isn't UTF-8 as an escape, and a real U+FFFD as itself.
    return _without_halves(quoted, "\\ufffd").translate(_ESCAPES)


def _plain_text(text: str) -> str:
    return _without_halves(encode_basestring(text), "\ufffd")


def _without_halves(quoted: str, instead: str) -> str:
    if quoted.isascii():
        return quoted
    try:
        quoted.encode()
    except UnicodeEncodeError:
        return "".join([instead if "\ud800" <= each <= "\udfff" else each for each in quoted])
    return quoted


class _Reading:
    """What the scanner asks of its caller."""

    strict = True
    object_hook = None
    object_pairs_hook = None
    parse_float = float
    parse_int = int

    def __init__(self) -> None:
        self.memo: dict[str, str] = {}

    def parse_constant(self, name: str) -> Any:
        raise ValueError(f"{name} is not JSON")


# typeshed knows the json package's own context only.
_scan = make_scanner(_Reading())  # type: ignore[arg-type]
# By position only; typeshed wants a function for values of other types, which there are none of.
_settings = (None, None, encode_basestring, None, ":", ",", False, False, False)
_encode = make_encoder(*_settings)  # type: ignore[arg-type]
