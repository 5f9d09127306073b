"""The rhythm of a recording as one scalar: ``2104o61 0f1 350o118 12e34 900x``."""

import re
from collections.abc import Iterable, Iterator

from agy_cassettes.interaction import Tick
from agy_cassettes.limits import LIMITS, Limits

_TICK = re.compile(r"([0-9]{1,18})([oemifszwxc])([0-9]{0,18})", re.ASCII)
_COUNTED = frozenset("oemifs")


def format_timing(ticks: Iterable[Tick]) -> str:
    """Write ticks as one line: milliseconds since the entry before, code, count (none for ``z w x c``)."""
    return " ".join(
        f"{tick.ms}{tick.code}{tick.count if tick.code in _COUNTED or tick.count != 1 else ''}"
        for tick in ticks
    )


def parse_timing(text: str, limits: Limits = LIMITS) -> tuple[Tick, ...]:
    """Read what `format_timing` wrote; raises `ValueError` that names the entry it can't read."""
    return tuple(_ticks(text, limits))


def _ticks(text: str, limits: Limits) -> Iterator[Tick]:
    words = text.split(maxsplit=limits.ticks)
    if len(words) > limits.ticks:
        raise ValueError(f"timing has more than {limits.ticks} entries")
    for word in words:
        match = _TICK.fullmatch(word)
        if match is None or (match[2] in _COUNTED and not match[3]):
            raise ValueError(
                f"timing holds {word[:40]!r}; an entry is MILLISECONDS CODE COUNT, as in 350o118"
            )
        tick = Tick(int(match[1]), match[2], int(match[3] or 1))
        if tick.ms > limits.tick_ms or tick.count > limits.tick_count:
            raise ValueError(f"timing holds {word[:40]!r}, which is more than can be")
        yield tick
