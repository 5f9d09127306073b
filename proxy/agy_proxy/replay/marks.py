"""What in a stored text is put anew on each replay.

Paths of the live call, and times moved to the present.
"""

import re
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta

from agy_cassettes.places import NAMES, Places, to_live

Mark = tuple[int, int, str, str | bytes | tuple[int, int]]
"""Where it starts and ends, a kind and a value, as `play_text.live_edits` takes them."""

_RFC3339 = rb'(?<!\\)"(?:%s)":\s?"(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.(\d{1,9}))?Z"'
_NUMBER = rb'(?<!\\)"(?:%s)":\s?(\d{9,19})(?=[,}\s])'
_SECONDS = rb'(?<!\\)"(?:%s)":\s?(\d{9,11})(?:\.(\d{1,9})\d*)?(?=[,}\s])'
_LOGGED = re.compile(
    rb"(?m)^(?:ERROR: logging before google\.Init: )?[IWEF](\d{4} \d\d:\d\d:\d\d)\.(\d{1,9}) "
)
"""A line of a log (contract.md 2.9): month, day and time, local and without a year."""
_LOG_NAME = re.compile(rb"cli-(\d{8}_\d{6})\.log")
_QUARTER = 900
_SECOND = 1_000_000_000
_SIGNS = {name: b"/" + name for name in NAMES}


def path_marks(text: bytes, *, stdin: bool = False) -> tuple[Mark, ...]:
    """The places named in a text, and the ``$`` that is one too many before a literal name.

    In `stdin` ``${PROMPT}`` is such a name, too. None in binary text.
    """
    try:
        text.decode()
    except UnicodeDecodeError:
        return ()
    signs = Places(_SIGNS[b"HOME"], _SIGNS[b"CWD"], _SIGNS[b"AGY_HOME"], _SIGNS[b"TMP"], _SIGNS[b"LOG_FILE"])
    return tuple(
        (start, end, "P", new[1:].decode()) if new else (start, end, "=", new)
        for start, end, new in to_live(text, signs, prompt=b"/PROMPT" if stdin else None)
    )


def row_marks(text: bytes, keys: bytes = b"created_at") -> tuple[Mark, ...]:
    """The ``created_at`` of rows (stores.md 2.1), or what else has RFC 3339 under `keys`, a pattern."""
    pattern = re.compile(_RFC3339 % keys)
    return tuple(_times(text, pattern, "T", lambda found: datetime.fromisoformat(f"{found}+00:00")))


def number_marks(text: bytes, keys: bytes, digits: int) -> tuple[Mark, ...]:
    """Times told as numbers since the epoch, in seconds or in milliseconds (3 `digits`) and so on."""
    unit = 10 ** (9 - digits)
    found = re.finditer(_NUMBER % keys, text)
    return tuple((each.start(1), each.end(1), "U", (int(each[1]) * unit, digits)) for each in found)


def second_marks(text: bytes, keys: bytes) -> tuple[Mark, ...]:
    """Times told in seconds since the epoch with a fraction."""
    marks: list[Mark] = []
    for found in re.finditer(_SECONDS % keys, text):
        fraction = found[2] or b""
        at = int(found[1]) * _SECOND + int(fraction.ljust(9, b"0"))
        # A number loses the zeros at its end, not what it was measured with.
        marks.append((found.start(1), found.end(), "S", (at, max(6, len(fraction)))))
    return tuple(marks)


def log_name_marks(name: bytes, recorded: datetime) -> tuple[Mark, ...]:
    """The time in the name of a default log (stores.md 1.2), local to who recorded."""
    found = _LOG_NAME.fullmatch(name)
    if found is None:
        return ()
    try:
        at = datetime.strptime(found[1].decode(), "%Y%m%d_%H%M%S").replace(tzinfo=UTC)
    except ValueError:
        return ()
    zone = timedelta(seconds=round((at - recorded).total_seconds() / _QUARTER) * _QUARTER)
    return ((found.start(1), found.end(1), "F", (nanoseconds(at - zone), 0)),)


def log_marks(text: bytes, recorded: datetime) -> tuple[Mark, ...]:
    """The times of log lines, whose zone and year follow from when the call was recorded."""
    first = _LOGGED.search(text)
    if first is None:
        return ()
    zone = timedelta(seconds=_zone(first[1].decode(), recorded))
    return tuple(_times(text, _LOGGED, "L", lambda found: _near(found, recorded + zone) - zone))


def in_order(*marks: tuple[Mark, ...]) -> tuple[Mark, ...]:
    """All of them by position."""
    return tuple(sorted((mark for some in marks for mark in some), key=lambda mark: mark[0]))


def nanoseconds(at: datetime) -> int:
    """A time as ns of the epoch."""
    return int((at - datetime(1970, 1, 1, tzinfo=UTC)) / timedelta(microseconds=1)) * 1000


def _times(
    text: bytes, pattern: re.Pattern[bytes], kind: str, parse: Callable[[str], datetime]
) -> Iterator[Mark]:
    for found in pattern.finditer(text):
        digits = (found[2] or b"").decode()
        try:
            at = nanoseconds(parse(found[1].decode()))
        except (ValueError, OverflowError):
            continue
        fraction = int(digits.ljust(9, "0")) if digits else 0
        # The mark of a created_at takes in the Z.
        end = found.end(2) if digits else found.end(1)
        yield found.start(1), end + (kind == "T"), kind, (at + fraction, len(digits))


def _zone(found: str, recorded: datetime) -> int:
    """Seconds east of UTC of the one who recorded: the first line is from just then."""
    try:
        ahead = (_near(found, recorded) - recorded).total_seconds()
    except ValueError:
        return 0
    return round(ahead / _QUARTER) * _QUARTER


def _near(found: str, when: datetime) -> datetime:
    """The time ``MMDD hh:mm:ss`` of the year in which it is nearest to `when`."""
    years = []
    for year in (when.year - 1, when.year, when.year + 1):
        try:
            years.append(datetime.strptime(f"{year}{found}", "%Y%m%d %H:%M:%S").replace(tzinfo=UTC))
        except ValueError:
            # The 29th of February.
            continue
    if not years:
        raise ValueError(found)
    return min(years, key=lambda at: abs(at - when))
