"""The texts of an interaction as the live call gets them: places filled in, times moved to the present."""

import time

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping
    from typing import Any

    from agy_cassettes.edits import Edit

    Speed = float | str

PIECE = 262144
SECOND = 1_000_000_000


class Clock:
    """How recorded times become live ones; all in ns of the epoch, `speed` a number or ``"max"``."""

    __slots__ = ("live", "recorded", "speed")

    def __init__(self, recorded: int, live: int, speed: "Speed") -> None:
        self.recorded = recorded
        self.live = live
        self.speed = speed

    def moved(self, at: int, unit: int) -> int:
        """The live time of `at`, which was cut off to a multiple of `unit`."""
        since = at - self.recorded
        if -unit < since < 0:
            # Cut off from a time after the start: as early as it can have been.
            since = 0
        if since <= 0:
            return self.live + since
        return self.live + scaled(since, self.speed)


def scaled(wait: int, speed: "Speed") -> int:
    """A wait in ns at this speed: none at ``"max"``."""
    return 0 if isinstance(speed, str) else int(wait / speed)


def live_edits(
    marks: "Iterable[tuple[int, int, str, Any]]", places: "Mapping[str, bytes | None]", clock: "Clock | None"
) -> "list[Edit]":
    """What replaces what in a stored text: a list of ``(start, end, new)`` in order.

    `marks` are ``(start, end, kind, value)``: ``=`` the bytes of value, ``P`` the place of that name, or a
    time of a kind of `written_time`; a time's value is ``(ns, digits)``, the digits being those of its
    fraction of a second. `places` maps names to bytes; `clock` is None where times stay as recorded.
    """
    edits: list[Edit] = []
    for start, end, kind, value in marks:
        if kind == "=":
            edits.append((start, end, value))
        elif kind == "P":
            path = places.get(value)
            if path is not None:
                edits.append((start, end, path))
        elif clock is not None:
            at, digits = value
            edits.append((start, end, written_time(kind, clock.moved(at, SECOND // 10**digits), digits)))
    return edits


def written_time(kind: str, at: int, digits: int) -> bytes:
    """A time in ns of the epoch as it stood there; its fraction has `digits`.

    `kind` is ``T``, RFC 3339 in UTC as in rows; ``L``, local as in a log line; ``F``, local as in a log's
    name; ``U``, a number of units since the epoch, seconds, milliseconds or nanoseconds by its digits; ``S``,
    seconds with a fraction.
    """
    seconds, rest = divmod(at, SECOND)
    if kind == "U":
        return b"%d" % (at // 10 ** (9 - digits))
    if kind == "F":
        return time.strftime("%Y%m%d_%H%M%S", time.localtime(seconds)).encode()
    fraction = f".{rest:09}"
    if kind == "T":
        text = time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(seconds))
        return (text + (fraction[: digits + 1] if digits else "") + "Z").encode()
    if kind == "S":
        return (str(seconds) + (fraction[: digits + 1] if digits else "")).encode()
    return (time.strftime("%m%d %H:%M:%S", time.localtime(seconds)) + fraction[: digits + 1]).encode()


class Text:
    """A stored text of `length` bytes, read piece by piece by `read(offset, count)`, with `edits` applied.

    Memory stays flat: no more than `PIECE` bytes of it are held at once.
    """

    __slots__ = ("_parts", "_read", "length")

    def __init__(
        self, read: "Callable[[int, int], bytes]", start: int, length: int, edits: "Iterable[Edit]"
    ) -> None:
        self._read = read
        self._parts: list[bytes | tuple[int, int]] = []
        self.length = 0
        position = 0
        for low, high, new in edits:
            self._add(start + position, start + low)
            if new:
                self._parts.append(new)
                self.length += len(new)
            position = high
        self._add(start + position, start + length)
        self._parts.reverse()

    def _add(self, low: int, high: int) -> None:
        if low < high:
            self._parts.append((low, high))
            self.length += high - low

    def take(self, count: int) -> "Iterator[bytes]":
        """Yields the next `count` bytes, or what is left of them, in pieces."""
        parts = self._parts
        while count > 0 and parts:
            part = parts.pop()
            if isinstance(part, tuple):
                low, high = part
                piece = self._read(low, min(high - low, count, PIECE))
                if low + len(piece) < high:
                    parts.append((low + len(piece), high))
            else:
                piece = part[:count]
                if count < len(part):
                    parts.append(part[count:])
            count -= len(piece)
            yield piece
