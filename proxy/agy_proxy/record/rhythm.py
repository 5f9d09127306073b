"""The times of a recording: what happened when, as the few ticks that a cassette keeps."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from agy_cassettes.interaction import Tick

COUNTED = frozenset("oemif")
"""Codes whose counts add up when two ticks become one."""

NARROW_NS = 1_000_000
MOST_TICKS = 20_000
"""Above this many, ticks that lie close together are drawn together: one line of about 150 KB."""


class Moment(NamedTuple):
    """Something that happened at `at` (CLOCK_MONOTONIC ns), before it is put into ticks."""

    at: int
    code: str
    amount: int = 1


def ticks(moments: Iterable[Moment], begin: int, *, most: int = MOST_TICKS) -> tuple[Tick, ...]:
    """Turn moments in their order into ticks, in ms since the one before, the first since `begin` (ns).

    What came on one stream within a millisecond is one tick. Where that leaves more than `most`, the span is
    doubled until it doesn't, and the two streams are then in order only from one span to the next.
    """
    drawn = _drawn_together(moments, NARROW_NS, across=False)
    span = NARROW_NS
    while len(drawn) > most:
        span *= 2
        closer = _drawn_together(drawn, span, across=True)
        if len(closer) == len(drawn) and span > drawn[-1].at - drawn[0].at:
            break
        drawn = closer
    made: list[Tick] = []
    before = 0
    for moment in drawn:
        since_begin = max(before, (moment.at - begin) // 1_000_000)
        made.append(Tick(since_begin - before, moment.code, moment.amount))
        before = since_begin
    return tuple(made)


def _drawn_together(moments: Iterable[Moment], span: int, *, across: bool) -> list[Moment]:
    """Add up the amounts within one span; `across` says that others may stand in between."""
    kept: list[Moment] = []
    open_at: dict[str, int] = {}
    for moment in moments:
        joins = open_at.get(moment.code)
        if joins is not None and moment.at - kept[joins].at < span:
            was = kept[joins]
            kept[joins] = was._replace(amount=was.amount + moment.amount)
            continue
        if not across or moment.code not in COUNTED or moment.code == "i":
            open_at.clear()
        # Input is never joined across output: an answer comes after its question.
        open_at.pop("i", None)
        if moment.code in COUNTED:
            open_at[moment.code] = len(kept)
        kept.append(moment)
    return kept


def in_order(written: Sequence[Moment], seen: Iterable[Moment]) -> list[Moment]:
    """Put what was seen (any order) among what was written, whose order stays even where times go back."""
    latest = 0
    forward: list[Moment] = []
    for moment in written:
        latest = max(latest, moment.at)
        forward.append(moment._replace(at=latest))
    return sorted([*forward, *seen], key=lambda moment: moment.at)
