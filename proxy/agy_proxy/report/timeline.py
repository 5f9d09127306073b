"""An interaction as moments in order of time."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from signal import Signals

from agy_cassettes.interaction import Exit, FileEvent, Interaction

TOGETHER = 1.0
"""Seconds: chunks of one stream that follow each other within this time are one moment."""

STREAMS = {"o": "stdout", "e": "stderr", "m": "stdout", "i": "stdin"}


@dataclass(frozen=True, slots=True)
class Moment:
    """What happened on one channel from `at` to `until`, seconds after the call's beginning.

    `at` is None where the record gives no time. `body` is what a stream carried, `event` what became of a
    file, `says` anything else.
    """

    at: float | None
    until: float | None
    channel: str
    body: bytes | None = None
    event: FileEvent | None = None
    says: str | None = None


def duration(interaction: Interaction) -> float:
    """Seconds from the beginning to agy's exit, or to the last thing seen where the exit was not."""
    total = 0
    for tick in interaction.response.timing:
        total += tick.ms
        if tick.code == "x":
            break
    return total / 1000


def moments(interaction: Interaction) -> tuple[Moment, ...]:
    """All moments of an interaction whose bodies are bytes (no sidecars).

    What `timing` does not count comes at the end, without a time; so does the exit, where it has none.
    """
    joined: list[Moment] = []
    for moment in _single(interaction):
        before = joined[-1] if joined else None
        if before is not None and _continues(before, moment):
            assert before.body is not None and moment.body is not None  # noqa: PT018 - both follow from _continues
            joined[-1] = replace(before, until=moment.until, body=before.body + moment.body)
        else:
            joined.append(moment)
    return tuple(joined)


def ending(end: Exit) -> str:
    """How agy ended, in words: ``exit 0``, ``killed by signal 9 (SIGKILL)``."""
    if end.signal is not None:
        return f"killed by {signal_named(end.signal)}"
    return "exit not seen" if end.unknown else f"exit {end.code}"


def signal_named(number: int) -> str:
    """The signal's number and, where it has one, its name."""
    try:
        return f"signal {number} ({Signals(number).name})"
    except ValueError:
        return f"signal {number}"


def _single(interaction: Interaction) -> Iterator[Moment]:
    response = interaction.response
    streams = {"o": _bytes(response.stdout), "m": _bytes(response.stdout), "e": _bytes(response.stderr)}
    streams["i"] = _bytes(interaction.request.stdin)
    taken = dict.fromkeys(("stdout", "stderr", "stdin"), 0)
    files = iter(interaction.files)
    now, ended = 0, False
    for tick in response.timing:
        now += tick.ms
        at = now / 1000
        if tick.code in STREAMS:
            channel = STREAMS[tick.code]
            body = streams[tick.code][taken[channel] : taken[channel] + tick.count]
            taken[channel] += tick.count
            yield Moment(at, at, channel, body=body)
        elif tick.code == "f":
            for _ in range(tick.count):
                if (event := next(files, None)) is not None:
                    yield Moment(at, at, "file", event=event)
        else:
            ended = ended or tick.code == "x"
            yield Moment(at, at, *_other(tick.code, tick.count, response.exit))
    for code, channel in (("o", "stdout"), ("e", "stderr")):
        if rest := streams[code][taken[channel] :]:
            yield Moment(None, None, channel, body=rest)
    for event in files:
        yield Moment(None, None, "file", event=event)
    if not ended:
        yield Moment(None, None, "agy", says=ending(response.exit))


def _other(code: str, count: int, end: Exit) -> tuple[str, None, None, str]:
    says = {
        "x": ("agy", ending(end)),
        "c": ("streams", "the last one closed"),
        "z": ("stdin", "end"),
        "s": ("signal", f"{signal_named(count)} sent to agy"),
        "w": ("terminal", "resized"),
    }
    channel, text = says.get(code, ("other", f"{code} {count}"))
    return channel, None, None, text


def _continues(before: Moment, moment: Moment) -> bool:
    if before.channel != moment.channel or before.body is None or moment.body is None:
        return False
    if before.until is None or moment.at is None:
        return before.until is moment.at
    return moment.at - before.until <= TOGETHER


def _bytes(value: object) -> bytes:
    if isinstance(value, bytes):
        return value
    return value.encode("utf-8", "surrogateescape") if isinstance(value, str) else b""
