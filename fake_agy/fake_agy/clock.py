"""Time as the double sees it: now, and waiting."""

import time
from collections.abc import Callable
from typing import NamedTuple


class Clock(NamedTuple):
    """Seconds since the epoch by `now`; `wait` lets a span of the double's own timeline pass."""

    now: Callable[[], float]
    wait: Callable[[float], None]
    frozen: bool = False


def clock_of(iso: str | None, speed: float | None) -> Clock:
    """Make the clock that `DoubleSettings.clock` and `DoubleSettings.speed` ask for.

    A frozen clock still waits: the rhythm of the output doesn't depend on what time it says.
    """

    def wait(seconds: float) -> None:
        if speed is not None:
            time.sleep(seconds / speed)

    if iso is None:
        return Clock(time.time, wait)
    frozen_at = parse_time(iso)
    return Clock(lambda: frozen_at, wait, frozen=True)


def parse_time(iso: str) -> float:
    """Read ISO 8601 as seconds since the epoch, UTC where it gives no offset; else `ValueError`."""
    from datetime import UTC, datetime  # only a frozen clock needs it, and every call pays for imports

    try:
        when = datetime.fromisoformat(iso)
    except ValueError:
        raise ValueError(f"{iso!r} is not a time such as 2026-06-20T10:33:40Z") from None
    return (when if when.tzinfo else when.replace(tzinfo=UTC)).timestamp()


def utc_second(now: float) -> str:
    """Write ``2026-06-20T10:33:40Z``, cut off to whole seconds as in agy's rows (stores.md 2.1)."""
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(now))


def local_second(now: float) -> str:
    """Write local time with its offset, ``Z`` where that is zero (stores.md 2.3)."""
    local = time.localtime(now)
    if not local.tm_gmtoff:
        return time.strftime("%Y-%m-%dT%H:%M:%SZ", local)
    offset = time.strftime("%z", local)
    return time.strftime("%Y-%m-%dT%H:%M:%S", local) + f"{offset[:3]}:{offset[3:5]}"
