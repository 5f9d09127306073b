"""Time as the double sees it: what the clock says, and the double's own timeline."""

from __future__ import annotations

import time

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable


class TimeUp(Exception):  # noqa: N818 - it is not an error: a limit that was asked for is reached
    """The limit set for a turn is reached on the timeline."""


class Clock:
    """The time, and a timeline of waits in seconds as they are at speed 1.

    `speed` divides every wait; None leaves the waits out, but they count on the timeline all the same. A
    frozen clock still waits: the rhythm of the output doesn't depend on what time it says.
    """

    def __init__(
        self,
        now: Callable[[], float],
        sleep: Callable[[float | None], None],
        speed: float | None = None,
        *,
        frozen: bool = False,
    ) -> None:
        self.now = now
        """Seconds since the epoch."""

        self.frozen = frozen
        self._sleep = sleep
        self._speed = speed
        self._elapsed = 0.0
        self._limit: float | None = None

    def elapsed(self) -> float:
        """Seconds of the timeline so far."""
        return round(self._elapsed, 9)

    def limit(self, seconds: float | None) -> None:
        """Let waits raise `TimeUp` once that many more seconds of the timeline are over; None: never.

        No time at all is over at once.
        """
        self._limit = None if seconds is None else self._elapsed + seconds
        if seconds == 0:
            raise TimeUp

    def left(self) -> float | None:
        """Seconds until the limit, None where there is none."""
        return None if self._limit is None else max(0.0, self._limit - self._elapsed)

    def wait(self, seconds: float) -> None:
        """Let a span of the timeline pass; `TimeUp` where the limit comes first."""
        left = self.left()
        up = left is not None and seconds >= left
        span = left if left is not None and up else seconds
        if self._speed is not None:
            self._sleep(span / self._speed)
        self._elapsed += span
        if up:
            raise TimeUp

    def hang(self) -> None:
        """Wait in real time for a signal or for the limit, which raises `TimeUp`."""
        left = self.left()
        while left is None:
            self._sleep(None)
        self._sleep(left)
        self._elapsed += left
        raise TimeUp

    def spent(self, seconds: float) -> None:
        """Count real time that something else took; a frozen clock counts none, so that runs are equal."""
        if not self.frozen:
            self._elapsed += seconds


def clock_of(iso: str | None, speed: float | None, sleep: Callable[[float | None], None]) -> Clock:
    """Make the clock that `DoubleSettings.clock` and `DoubleSettings.speed` ask for.

    `sleep` waits in real seconds, without end for None. `ValueError` as `parse_time`.
    """
    if iso is None:
        return Clock(time.time, sleep, speed)
    frozen_at = parse_time(iso)
    return Clock(lambda: frozen_at, sleep, speed, frozen=True)


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


def nanoseconds(now: float) -> int:
    """Count nanoseconds since the epoch, as exactly as a float's fraction gives them."""
    return int(now) * 1_000_000_000 + round(now % 1 * 1e9)


def utc_nanosecond(now: float) -> str:
    """Write ``2026-07-01T10:00:00.123456789Z``, as in agy's small files (stores.md 1.4)."""
    count = nanoseconds(now)
    return f"{utc_second(count // 1_000_000_000)[:-1]}.{count % 1_000_000_000:09d}Z"


def local_second(now: float) -> str:
    """Write local time with its offset, ``Z`` where that is zero (stores.md 2.3)."""
    local = time.localtime(now)
    if not local.tm_gmtoff:
        return time.strftime("%Y-%m-%dT%H:%M:%SZ", local)
    offset = time.strftime("%z", local)
    return time.strftime("%Y-%m-%dT%H:%M:%S", local) + f"{offset[:3]}:{offset[3:5]}"
