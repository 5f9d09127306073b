"""Where the secrets of a text are, in whatever way they are written there."""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NamedTuple

from agy_cassettes.places import is_text
from agy_cassettes.redact.headers import decoded
from agy_cassettes.redact.legible import Legible
from agy_cassettes.redact.rule import Finder, Found
from agy_cassettes.redact.values import PLACEHOLDER
from agy_cassettes.redact.views import Pieces, View, chain, origin, plain, sequences

BLOCK_BYTES = 4 * 1024 * 1024
"""A longer text is looked at in pieces of about this size, cut at line ends, so that memory stays bounded."""

_CLIPBOARD = re.compile(
    rb"(?m:^)(?:52;[\w]{0,8};|1337;SetUserVar=[^=\n]{1,64}=)(?P<s>[A-Za-z0-9+/]{8,}={0,2})"
)
_TOKENS = (re.compile(rb"[A-Za-z0-9_\-]{16,}"), re.compile(rb"[A-Za-z0-9_\-.+/=~]{16,}"))


class Span(NamedTuple):
    """A secret at ``start:end`` of a text; `secret` is its plain form, the same for every spelling of it."""

    start: int
    end: int
    cls: str
    secret: bytes


class _Candidate(NamedTuple):
    start: int
    end: int
    cls: str
    depth: int
    rank: int


Known = Callable[[bytes], str | None]
"""Gives the class of a token that is already known to be a secret."""


def find(data: bytes, rules: Sequence[Finder], known: Known | None = None) -> tuple[Span, ...]:
    """Return the secrets in `data`, in order and apart from each other.

    With `known`, whole tokens of 16 letters or more that it knows are secrets too, wherever they stand. In
    data that is not UTF-8 the rules see what is legible; a user's own redactors see all of it.
    Takes time in proportion to the length of `data`.
    """
    if is_text(data):
        return _find_in_text(data, rules, known)
    legible = Legible(data)
    candidates = {
        _Candidate(*legible.origin(span.start, span.end), span.cls, 0, len(rules))
        for span in _find_in_text(legible.text, rules, known)
    }
    for rank, rule in enumerate(rules):
        if rule.raw:
            found = rule.find(data, data.lower())
            candidates.update(_Candidate(*each, 0, rank) for each in found if each.end > each.start)
    return tuple(_spans(data, candidates))


def _find_in_text(data: bytes, rules: Sequence[Finder], known: Known | None) -> tuple[Span, ...]:
    spans: list[Span] = []
    for start, end in _blocks(data, rules):
        block = data if end - start == len(data) else data[start:end]
        found = _find_in_block(block, rules, known)
        spans += (span._replace(start=span.start + start, end=span.end + start) for span in found)
    return tuple(spans)


def replacement(data: bytes, span: Span, placeholder: bytes) -> bytes:
    """Return what stands in place of `span`: the placeholder, and the terminal sequences that were within."""
    return placeholder + sequences(data[span.start : span.end])


def _blocks(data: bytes, rules: Sequence[Finder]) -> Iterator[tuple[int, int]]:
    """Cut `data` after line ends, but never within something that is longer than a line: a key block."""
    if len(data) <= BLOCK_BYTES:
        yield 0, len(data)
        return
    long = [found for rule in rules if rule.cls == "private-key" for found in rule.find(data, data)]
    start = 0
    while start < len(data):
        end = data.find(b"\n", start + BLOCK_BYTES) + 1 or len(data)
        end = next((found.end for found in long if found.start < end < found.end), end)
        yield start, end
        start = end


def _find_in_block(data: bytes, rules: Sequence[Finder], known: Known | None) -> Iterator[Span]:
    views: list[tuple[View, ...]] = [(), *chain(data)]
    candidates: set[_Candidate] = set()
    # From the last view to the first: what escapes are in a view, those that come after it tell.
    undone: dict[tuple[int, ...], tuple[Pieces, ...]] = {}
    for steps in reversed(views):
        key = tuple(map(id, steps))
        later = undone.get(key, ())
        if steps and not steps[-1].strings:
            undone[key[:-1]] = (steps[-1].pieces, *later)
        candidates.update(_candidates(data, steps, rules, known, later))
    yield from _spans(data, candidates)


def _spans(data: bytes, candidates: Iterable[_Candidate]) -> Iterator[Span]:
    for found in _apart(candidates):
        secret = data[found.start : found.end]
        if PLACEHOLDER.fullmatch(secret) is None:
            spelled = plain(secret)
            if PLACEHOLDER.fullmatch(spelled) is None:
                yield Span(found.start, found.end, found.cls, spelled)


def _candidates(
    data: bytes,
    steps: tuple[View, ...],
    rules: Sequence[Finder],
    known: Known | None,
    later: tuple[Pieces, ...],
) -> Iterator[_Candidate]:
    text = steps[-1].text if steps else data
    osc = bool(steps) and steps[-1].osc
    lower = text.lower()
    for rank, rule in enumerate(rules):
        if rule.osc_only and not osc:
            continue
        for start, end, cls in rule.find(text, lower):
            if end > start and not (rule.whole_word and _is_torn(start, later)):
                yield _Candidate(*origin(steps, start, end), cls, len(steps), rank)
    for start, end, cls in (*_known_tokens(text, known), *(_clipboards(text, rules, known) if osc else ())):
        yield _Candidate(*origin(steps, start, end), cls, len(steps), len(rules))


def _is_torn(start: int, later: tuple[Pieces, ...]) -> bool:
    """Whether `start` lies within an escape that one of the later views undid."""
    place: int | None = start
    for pieces in later:
        place = None if place is None else pieces.derived(place)
    return place is None


def _known_tokens(text: bytes, known: Known | None) -> Iterator[Found]:
    if known is None:
        return
    for pattern in _TOKENS:
        for match in pattern.finditer(text):
            cls = known(match[0])
            if cls is not None:
                yield Found(*match.span(), cls)


def _clipboards(text: bytes, rules: Sequence[Finder], known: Known | None) -> Iterator[Found]:
    """What a program puts into the clipboard is base64: the whole of it is a secret if one is in it."""
    for match in _CLIPBOARD.finditer(text):
        inner = decoded(match["s"])
        secret = next(iter(find(inner, rules, known)), None) if inner else None
        if secret is not None:
            yield Found(*match.span("s"), secret.cls)


def _apart(candidates: Iterable[_Candidate]) -> list[_Candidate]:
    """Choose among candidates that overlap, and cut off from the others what is covered.

    Of those with one beginning the longest counts. Else the view that undid more escapes is right about where
    a secret begins (the n of a newline in JSON is no part of an address): what it leaves to the left is none.
    """
    longest: dict[int, _Candidate] = {}
    for one in candidates:
        other = longest.get(one.start, one)
        best = max(one, other, key=lambda one: (one.end, -one.rank))
        # Found in the text of several views, it is as sure as the one that undid most.
        deepest = max(one.depth, other.depth) if one.end == other.end else best.depth
        longest[one.start] = best._replace(depth=deepest)
    chosen: list[_Candidate] = []
    for cluster in _clusters(sorted(longest.values())):
        if len(cluster) == 1:
            chosen += cluster
            continue
        taken: list[_Candidate] = []
        for one in sorted(cluster, key=lambda one: (-one.depth, one.start - one.end, one.rank)):
            taken += _uncovered(one, taken)
        chosen += sorted(taken)
    return chosen


def _clusters(ordered: Sequence[_Candidate]) -> Iterator[list[_Candidate]]:
    cluster: list[_Candidate] = []
    end = -1
    for one in ordered:
        if cluster and one.start >= end:
            yield cluster
            cluster = []
        cluster.append(one)
        end = max(end, one.end)
    if cluster:
        yield cluster


def _uncovered(one: _Candidate, taken: Sequence[_Candidate]) -> list[_Candidate]:
    """The parts of `one` that none of `taken` covers."""
    parts: list[_Candidate] = []
    at = one.start
    for other in sorted(taken):
        if other.end <= at or other.start >= one.end:
            continue
        if other.start > at and not (other.cls == one.cls and other.depth > one.depth):
            parts.append(one._replace(start=at, end=other.start))
        at = max(at, other.end)
    if at < one.end:
        parts.append(one._replace(start=at))
    return parts
