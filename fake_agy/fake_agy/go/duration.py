"""Durations as Go's time package reads and prints them, such as ``5m0s``."""

from __future__ import annotations

_NANOSECONDS = {
    "ns": 1,
    "us": 1_000,
    "\u00b5s": 1_000,
    "\u03bcs": 1_000,
    "ms": 1_000_000,
    "s": 1_000_000_000,
    "m": 60_000_000_000,
    "h": 3_600_000_000_000,
}
_MOST = 2**63 - 1
_DIGITS = "0123456789"


def parse_duration(text: str) -> float:
    """Read a duration in seconds; `ValueError` says what is wrong in Go's words."""
    unsigned = text[1:] if text[:1] in {"-", "+"} else text
    if unsigned == "0":
        return 0.0
    if not unsigned:
        raise ValueError(f"time: invalid duration {_quoted(text)}")
    total, rest = 0, unsigned
    while rest:
        nanoseconds, rest = _part(rest, text)
        total += nanoseconds
    if total > _MOST:
        raise ValueError(f"time: invalid duration {_quoted(text)}")
    return (-total if text.startswith("-") else total) / 1_000_000_000


def go_duration(seconds: float) -> str:
    """Print seconds: ``5m0s``, ``1.5s``, ``250ms``, ``0s``."""
    total = round(abs(seconds) * 1_000_000_000)
    sign = "-" if seconds < 0 and total else ""
    if total == 0:
        return "0s"
    if total < 1_000_000_000:
        unit = "ms" if total >= 1_000_000 else "\u00b5s" if total >= 1_000 else "ns"
        return f"{sign}{_fraction(total, _NANOSECONDS[unit])}{unit}"
    minutes, left = divmod(total, 60_000_000_000)
    shown = f"{_fraction(left, 1_000_000_000)}s"
    if minutes:
        hours, minutes = divmod(minutes, 60)
        shown = f"{hours}h{minutes}m{shown}" if hours else f"{minutes}m{shown}"
    return sign + shown


def _part(rest: str, text: str) -> tuple[int, str]:
    """Take one number with its unit; gives nanoseconds and what follows."""
    whole, rest = _digits(rest)
    fraction = ""
    pointed = rest.startswith(".")
    if pointed:
        fraction, rest = _digits(rest[1:])
    if not whole and not fraction:
        raise ValueError(f"time: invalid duration {_quoted(text)}")
    unit = ""
    while rest and rest[0] not in "." + _DIGITS:
        unit, rest = unit + rest[0], rest[1:]
    if not unit:
        raise ValueError(f"time: missing unit in duration {_quoted(text)}")
    if unit not in _NANOSECONDS:
        raise ValueError(f"time: unknown unit {_quoted(unit)} in duration {_quoted(text)}")
    if len(whole) > 20:
        raise ValueError(f"time: invalid duration {_quoted(text)}")
    size = _NANOSECONDS[unit]
    # Digits beyond the nanosecond don't count; without the cut a long prompt of digits would take long.
    fraction = fraction[:20]
    return int(whole or "0") * size + int(fraction or "0") * size // 10 ** len(fraction), rest


def _digits(text: str) -> tuple[str, str]:
    rest = text.lstrip(_DIGITS)
    return text[: len(text) - len(rest)], rest


def _fraction(nanoseconds: int, unit: int) -> str:
    whole, left = divmod(nanoseconds, unit)
    if not left:
        return str(whole)
    places = len(str(unit)) - 1
    return f"{whole}.{left:0{places}d}".rstrip("0")


def _quoted(text: str) -> str:
    quoted = ""
    for character in text:
        if character in '"\\':
            quoted += "\\" + character
        elif " " <= character < "\x7f":
            quoted += character
        else:
            encoded = character.encode(errors="surrogateescape")
            quoted += "".join([f"\\x{byte:02x}" for byte in encoded])
    return f'"{quoted}"'
