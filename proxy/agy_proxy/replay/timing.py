"""The rhythm of an interaction as the player needs it: whole, in order, with nothing left to decide."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from agy_cassettes.interaction import FileEvent, Stdio, Tick

LATE_MS = 10
"""What was seen so shortly after the exit was there before it: a pump or a poll only told of it later."""
POLLED_MS = 100
"""The same for a stream that went into a file, which is looked at now and then."""
HELD_MS = 100
"""Streams that stay open for longer than this after the exit were held by somebody."""
PIPES = Stdio(stdin="null", stdout="pipe", stderr="pipe")


@dataclass(frozen=True, slots=True)
class Event:
    """Something due `at` ms after the start; codes as in a `Tick`, but that ``i`` may count lines."""

    at: int
    code: str
    count: int


def arranged(
    timing: Sequence[Tick],
    *,
    stdout: int,
    stderr: int,
    files: Sequence[FileEvent] = (),
    stdin: bytes = b"",
    typed: bool = False,
    stdio: Stdio = PIPES,
) -> tuple[Event, ...]:
    """The events of `timing`, made to fit texts of `stdout` and `stderr` bytes and these files.

    Counts that are too high are cut. What no tick accounts for, as after a hand edit, belongs to the last
    tick of its kind or comes at the exit, input at the start. ``i`` counts lines of `stdin`, or bytes where
    it was `typed`. There is exactly one ``x``. It is last, unless somebody went on after it: agy's children,
    whose output, files and hold on the streams follow it.
    """
    merged = stdio.stderr == "same"
    fitted = list(_fitted(_absolute(timing), stdout, stderr, len(files), (stdin, typed), merged=merged))
    exits = [at for at, event in enumerate(fitted) if event.code == "x"]
    if not exits:
        at = fitted[-1].at if fitted else 0
        while fitted and fitted[-1].code == "c":
            fitted.pop()
        return (*fitted, Event(at, "x", 1))
    before, after = fitted[: exits[0]], fitted[exits[0] + 1 :]
    left = fitted[exits[0]].at
    told = sum(event.count for event in before if event.code == "f")
    early, tail = _after_exit(after, left, files[told:], stdio)
    return (*before, *early, Event(left, "x", 1), *tail)


def in_turns(events: Iterable[Event], results: Sequence[int]) -> tuple[Event, ...]:
    """The events with each message awaited no sooner than the answer to the one before is out.

    `results` are where in the output each answer ends, in bytes. Whoever sent messages ahead need not do so
    again: a client that waits for each answer would else wait for ever.
    """
    made: list[Event] = []
    out = awaited = early = 0

    def bound() -> int:
        """How much comes out before the next message is needed; as recorded where nothing tells."""
        return results[awaited - 1] if 0 < awaited <= len(results) else 0

    for event in events:
        if event.code == "i":
            early += event.count
        elif event.code in "zsx":
            if early:
                made.append(Event(event.at, "i", early))
                awaited, early = awaited + early, 0
            made.append(event)
            continue
        elif event.code not in "om":
            made.append(event)
            continue
        left = event.count if event.code in "om" else 0
        while early and bound() <= out + left:
            before = max(0, bound() - out)
            if before:
                made.append(Event(event.at, event.code, before))
                out, left = out + before, left - before
            made.append(Event(event.at, "i", 1))
            awaited, early = awaited + 1, early - 1
        if left:
            made.append(Event(event.at, event.code, left))
            out += left
    return tuple(made)


def _after_exit(
    events: Iterable[Event], left: int, files: Sequence[FileEvent], stdio: Stdio
) -> tuple[list[Event], list[Event]]:
    """What was there before the exit at `left` and only seen later, and what really came after it."""
    limits = {"o": LATE_MS, "m": LATE_MS, "e": LATE_MS, "f": LATE_MS}
    limits |= dict.fromkeys("om" if stdio.stdout == "file" else "", POLLED_MS)
    limits |= dict.fromkeys("e" if stdio.stderr == "file" else "", POLLED_MS)
    early: list[Event] = []
    tail: list[Event] = []
    told = 0
    for event in events:
        guessed = event.code == "f" and all(one.approx for one in files[told : told + event.count])
        told += event.count if event.code == "f" else 0
        going_on = any(other.code != "c" for other in tail)
        if event.code in limits and not going_on and (event.at - left <= limits[event.code] or guessed):
            early.append(replace(event, at=left))
        elif event.code in limits or event.code == "c":
            tail.append(event)
    if not any(event.code != "c" or event.at - left > HELD_MS for event in tail):
        tail = []
    return early, tail


def _absolute(timing: Iterable[Tick]) -> Iterable[Event]:
    at = 0
    for tick in timing:
        at += max(0, tick.ms)
        yield Event(at, tick.code, tick.count)


def _fitted(
    events: Iterable[Event], stdout: int, stderr: int, files: int, read: tuple[bytes, bool], *, merged: bool
) -> Iterable[Event]:
    main = "m" if merged else "o"
    left = {main: stdout, "e": 0 if merged else stderr, "f": files}
    kept: list[Event] = []
    stdin, typed = read
    done = 0
    for event in events:
        code = main if event.code in "om" or (merged and event.code == "e") else event.code
        if code in left:
            count = min(event.count, left[code])
            left[code] -= count
            if count > 0:
                kept.append(Event(event.at, code, count))
        elif code == "i":
            part = stdin[done : done + event.count]
            kept.append(Event(event.at, "i", len(part) if typed else part.count(b"\n")))
            done += len(part)
        elif code in "zsc" or (code == "x" and all(other.code != "x" for other in kept)):
            kept.append(Event(event.at, code, event.count))
    for code in ("f", main, "e"):
        if left[code]:
            _add(kept, code, left[code])
    rest = stdin[done:]
    if rest:
        count = len(rest) if typed else rest.count(b"\n")
        if any(event.code == "i" for event in kept):
            _add(kept, "i", count)
        else:
            kept.insert(0, Event(0, "i", count))
    return kept


def _add(kept: list[Event], code: str, count: int) -> None:
    for place in reversed(range(len(kept))):
        if kept[place].code == code:
            kept[place] = replace(kept[place], count=kept[place].count + count)
            return
    for place, event in enumerate(kept):
        if event.code in "xc":
            kept.insert(place, Event(event.at, code, count))
            return
    kept.append(Event(kept[-1].at if kept else 0, code, count))
