"""What Go's encoding/json says about bytes that are no JSON value."""

from __future__ import annotations

DEEPEST = 10_000
"""Levels of arrays and objects that Go's decoder takes."""

_BLANKS = b" \t\r\n"
_DIGITS = b"0123456789"
_HEX = b"0123456789abcdefABCDEF"
_LITERALS = {ord("t"): b"true", ord("f"): b"false", ord("n"): b"null"}


class _Wrong(Exception):  # noqa: N818 - it is the outcome of the scan
    """Carries Go's text."""


def decode_error(data: bytes) -> str | None:
    """Give the text of the first error in `data`, None where it is one JSON value.

    Such as ``invalid character 'r' looking for beginning of value`` or ``unexpected end of JSON input``
    (contract.md 3.4). Go counts bytes, so a character that is not ASCII shows as its first byte.
    """
    try:
        at = _scan_value(data, _skip(data, 0))
        at = _skip(data, at)
        if at < len(data):
            raise _at(data, at, "after top-level value")
    except _Wrong as wrong:
        return str(wrong)
    return None


def kind_of(value: object) -> str:
    """Name the kind of a decoded value as Go's errors about wrong types do."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "bool"
    if isinstance(value, (int, float)):
        return "number"
    if isinstance(value, str):
        return "string"
    return "array" if isinstance(value, list) else "object"


def _scan_value(data: bytes, at: int) -> int:
    """Scan from the beginning of a value to behind it; arrays and objects are held open on a stack."""
    open_ends = bytearray()
    while True:
        start = _byte(data, at)
        if start in b"{[":
            open_ends.append(ord("}") if start == ord("{") else ord("]"))
            if len(open_ends) > DEEPEST:
                raise _Wrong("exceeded max depth")
            at = _skip(data, at + 1)
            if _byte(data, at) != open_ends[-1]:
                if start == ord("{"):
                    at = _scan_key(data, at, "looking for beginning of object key string")
                continue
            open_ends.pop()
            at += 1
        else:
            at = _scan_scalar(data, at)
        while open_ends:
            at = _skip(data, at)
            here, end = _byte(data, at), open_ends[-1]
            at += 1
            if here == ord(","):
                at = _skip(data, at)
                if end == ord("}"):
                    at = _scan_key(data, at, "looking for beginning of object key string")
                break
            if here != end:
                where = "object key:value pair" if end == ord("}") else "array element"
                raise _at(data, at - 1, f"after {where}")
            open_ends.pop()
        else:
            return at


def _scan_key(data: bytes, at: int, looking: str) -> int:
    """Scan a key and its colon; gives where the value begins."""
    if _byte(data, at) != ord('"'):
        raise _at(data, at, looking)
    at = _skip(data, _scan_string(data, at))
    if _byte(data, at) != ord(":"):
        raise _at(data, at, "after object key")
    return _skip(data, at + 1)


def _scan_scalar(data: bytes, at: int) -> int:
    start = _byte(data, at)
    if start == ord('"'):
        return _scan_string(data, at)
    if start in _LITERALS:
        literal = _LITERALS[start]
        for place, letter in enumerate(literal):
            if _byte(data, at + place) != letter:
                raise _at(data, at + place, f"in literal {literal.decode()} (expecting '{chr(letter)}')")
        return at + len(literal)
    if start in b"-" or start in _DIGITS:
        return _scan_number(data, at)
    raise _at(data, at, "looking for beginning of value")


def _scan_string(data: bytes, at: int) -> int:
    at += 1
    while (here := _byte(data, at)) != ord('"'):
        if here < 0x20:
            raise _at(data, at, "in string literal")
        at += 1
        if here == ord("\\"):
            escape = _byte(data, at)
            if escape not in b'bfnrt\\/"u':
                raise _at(data, at, "in string escape code")
            at += 1
            if escape == ord("u"):
                for place in range(at, at + 4):
                    if _byte(data, place) not in _HEX:
                        raise _at(data, place, "in \\u hexadecimal character escape")
                at += 4
    return at + 1


def _scan_number(data: bytes, at: int) -> int:
    if data[at] == ord("-"):
        at += 1
        if _byte(data, at) not in _DIGITS:
            raise _at(data, at, "in numeric literal")
    at = at + 1 if data[at] == ord("0") else _behind_digits(data, at)
    if data[at : at + 1] == b".":
        at += 1
        if _byte(data, at) not in _DIGITS:
            raise _at(data, at, "after decimal point in numeric literal")
        at = _behind_digits(data, at)
    if data[at : at + 1] in {b"e", b"E"}:
        at += 2 if data[at + 1 : at + 2] in {b"+", b"-"} else 1
        if _byte(data, at) not in _DIGITS:
            raise _at(data, at, "in exponent of numeric literal")
        at = _behind_digits(data, at)
    return at


def _behind_digits(data: bytes, at: int) -> int:
    while data[at : at + 1] and data[at] in _DIGITS:
        at += 1
    return at


def _skip(data: bytes, at: int) -> int:
    while at < len(data) and data[at] in _BLANKS:
        at += 1
    return at


def _byte(data: bytes, at: int) -> int:
    if at >= len(data):
        raise _Wrong("unexpected end of JSON input")
    return data[at]


def _at(data: bytes, at: int, where: str) -> _Wrong:
    return _Wrong(f"invalid character {_shown(data[at])} {where}")


def _shown(byte: int) -> str:
    """Quote a byte as Go does: as the character with that number."""
    named = {0x07: "\\a", 0x08: "\\b", 0x09: "\\t", 0x0A: "\\n", 0x0B: "\\v", 0x0C: "\\f", 0x0D: "\\r"}
    if byte in named:
        return f"'{named[byte]}'"
    if chr(byte) in "'\\":
        return f"'\\{chr(byte)}'"
    if byte < 0x20 or byte == 0x7F:
        return f"'\\x{byte:02x}'"
    if 0x80 <= byte <= 0xA0 or byte == 0xAD:
        return f"'\\u{byte:04x}'"
    return f"'{chr(byte)}'"
