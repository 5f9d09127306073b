"""JSON as Go's encoder writes it, which differs from Python's in escapes and in numbers."""

import json
from collections.abc import Mapping, Sequence

Json = None | bool | int | float | str | Sequence["Json"] | Mapping[str, "Json"]

_ESCAPES = str.maketrans(
    {"<": "\\u003c", ">": "\\u003e", "&": "\\u0026", "\u2028": "\\u2028", "\u2029": "\\u2029"}
)


def go_json(value: Json) -> str:
    """Write one value on one line, keys in the order given, as ``encoding/json`` does (contract.md 3.1)."""
    if isinstance(value, str):
        return json.dumps(value, ensure_ascii=False).translate(_ESCAPES)
    if isinstance(value, bool) or value is None:
        return json.dumps(value)
    if isinstance(value, float):
        return go_float(value)
    if isinstance(value, int):
        return str(value)
    if isinstance(value, Mapping):
        return "{" + ",".join(f"{go_json(key)}:{go_json(item)}" for key, item in value.items()) + "}"
    return "[" + ",".join(go_json(item) for item in value) + "]"


def go_float(value: float) -> str:
    """Write the shortest digits that give the same float64, without exponent from 1e-6 up to 1e21.

    ``2.0`` is ``2`` and ``5e-06`` is ``0.000005`` (contract.md 3.2).
    """
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
