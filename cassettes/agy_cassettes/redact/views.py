r"""The same bytes as a reader further on would see them: escapes undone, each with the way back.

A secret is often not there letter by letter: it may be written in JSON (``\u003d``), for a shell (``\&``), in
a URL (``%2F``), in HTML (``&amp;``), or have a colour change in its midst. Each view undoes one of these for
the whole text, so that the rules need to know only the plain form.
"""

import re
from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator
from html import unescape
from typing import NamedTuple

_OSC_BODY = rb"[^\x07\x1b\n\r]{0,65536}"
_STRING_SEQUENCE = re.compile(rb"\x1b[\]P_^X](" + _OSC_BODY + rb")(?:\x07|\x1b\\|(?=[\x1b\n\r])|\Z)")
_SEQUENCE = re.compile(
    rb"\x1b(?:\[[0-?]{0,256}[ -/]{0,16}[@-~]"
    rb"|[\]P_^X]" + _OSC_BODY + rb"(?:\x07|\x1b\\|(?=[\x1b\n\r])|\Z)"
    rb"|[ -/]{1,4}[0-~]|[0-OQ-WYZ\\`-~])"
)
_BACKSLASH = re.compile(
    rb"\\u[dD][89abAB][0-9A-Fa-f]{2}\\u[dD][c-fC-F][0-9A-Fa-f]{2}|\\u[0-9A-Fa-f]{4}|\\x[0-9A-Fa-f]{2}"
    rb"|\\0[0-7]{2}|\\[ -/:-@\[-`{-~bfnrte0]"
)
_ENTITY = re.compile(rb"&(?:amp|quot|apos|lt|gt|#[0-9]{1,4}|#[xX][0-9A-Fa-f]{1,4});")
_PERCENT = re.compile(rb"%[0-9A-Fa-f]{2}")
_LETTERS = {b"b": b"\b", b"f": b"\f", b"n": b"\n", b"r": b"\r", b"t": b"\t", b"e": b"\x1b", b"0": b"\0"}
"""What a letter after a backslash means in JSON and in shells; punctuation means itself."""


class Pieces:
    """How a derived text maps to its original, piece by piece.

    A piece either stands in the text as it is, or is one escape, which as a whole stands for what it means (a
    colour change: for nothing).
    """

    __slots__ = ("_from", "_to", "_until")

    def __init__(self) -> None:
        self._to = array("q", [0])
        self._from = array("q", [0])
        self._until = array("q", [-1])

    def literal(self, to: int, origin: int) -> None:
        """Add a piece that stands at `to` as it stands at `origin`."""
        self._to.append(to)
        self._from.append(origin)
        self._until.append(-1)

    def escape(self, to: int, origin: int, until: int) -> None:
        """Add a piece at `to` that stands for ``origin:until`` as a whole."""
        self._to.append(to)
        self._from.append(origin)
        self._until.append(until)

    def origin(self, start: int, end: int) -> tuple[int, int]:
        """Return what ``start:end`` (not empty) stands for in the original: whole escapes only."""
        # Of pieces at one place all but the last are empty, so the last one is the one that is meant.
        first = bisect_right(self._to, start) - 1
        last = bisect_left(self._to, end) - 1
        begin = self._from[first]
        if self._until[first] < 0:
            begin += start - self._to[first]
        stop = self._until[last]
        return begin, stop if stop >= 0 else self._from[last] + end - self._to[last]

    def derived(self, place: int) -> int | None:
        """Return where `place` of the original is in the derived text, None within an escape."""
        piece = bisect_right(self._from, place) - 1
        past = place - self._from[piece]
        if self._until[piece] < 0:
            return self._to[piece] + past
        return self._to[piece] if past == 0 else None


class View(NamedTuple):
    """A text derived from another, and the way back.

    `strings` is set where it is what terminal commands carry, `osc` there and on all that is derived from it.
    """

    text: bytes
    pieces: Pieces
    osc: bool = False
    strings: bool = False


def sequences(text: bytes) -> bytes:
    """Return the escape sequences for terminals within `text`, one after another."""
    return b"".join(_SEQUENCE.findall(text)) if b"\x1b" in text else b""


def plain(text: bytes) -> bytes:
    """Return `text` with all escapes undone: what two spellings of one secret have in common."""
    for view in chain(text):
        if not view[-1].osc:
            text = view[-1].text
    return text


def chain(text: bytes) -> Iterator[tuple[View, ...]]:
    """Yield every other view of `text`, each as the steps that lead from `text` to it.

    Their number is bounded, and each takes time in proportion to the text.
    """
    yield from _derive(text, (), _STAGES)


def origin(steps: tuple[View, ...], start: int, end: int) -> tuple[int, int]:
    """Return the span of the first text for a span of the last step's text."""
    for view in reversed(steps):
        start, end = view.pieces.origin(start, end)
    return start, end


def _derive(text: bytes, steps: tuple[View, ...], stages: str) -> Iterator[tuple[View, ...]]:
    for place, stage in enumerate(stages):
        needs, pattern, meaning = _HOW[stage]
        if needs not in text:
            continue
        if stage == "a":
            strings = _strings(text)
            if strings is not None:
                yield (*steps, strings)
                yield from _derive(strings.text, (*steps, strings), stages[place + 1 :].replace("a", ""))
        view = _undo(text, pattern, meaning, osc=bool(steps) and steps[-1].osc)
        if view is not None:
            steps = (*steps, view)
            text = view.text
            yield steps


def _undo(
    text: bytes, pattern: re.Pattern[bytes], meaning: Callable[[bytes], bytes], *, osc: bool
) -> View | None:
    parts: list[bytes] = []
    pieces = Pieces()
    size = at = 0
    for match in pattern.finditer(text):
        start, end = match.span()
        means = meaning(match[0])
        parts += text[at:start], means
        size += start - at
        pieces.escape(size, start, end)
        size += len(means)
        pieces.literal(size, end)
        at = end
    if not parts:
        return None
    parts.append(text[at:])
    return View(b"".join(parts), pieces, osc)


def _strings(text: bytes) -> View | None:
    parts: list[bytes] = []
    pieces = Pieces()
    size = 0
    for match in _STRING_SEQUENCE.finditer(text):
        pieces.literal(size, match.start(1))
        size += len(match[1])
        pieces.escape(size, match.end(1), match.end())
        size += 1
        parts += match[1], b"\n"
    return View(b"".join(parts), pieces, osc=True, strings=True) if parts else None


def _nothing(_: bytes) -> bytes:
    return b""


def _unbackslashed(escape: bytes) -> bytes:
    kind = escape[1:2]
    if kind == b"u":
        units = [int(part, 16) for part in escape.split(b"\\u")[1:]]
        raw = b"".join(unit.to_bytes(2, "big") for unit in units)
        return raw.decode("utf-16-be", "replace").encode()
    if kind == b"x":
        return bytes([int(escape[2:4], 16)])
    if len(escape) > 2:
        return bytes([int(escape[1:], 8)])
    return _LETTERS.get(kind, kind)


def _entity(escape: bytes) -> bytes:
    return unescape(escape.decode("ascii")).encode("utf-8", "replace")


def _unpercented(escape: bytes) -> bytes:
    return bytes([int(escape[1:], 16)])


_HOW: dict[str, tuple[bytes, re.Pattern[bytes], Callable[[bytes], bytes]]] = {
    "a": (b"\x1b", _SEQUENCE, _nothing),
    "j": (b"\\", _BACKSLASH, _unbackslashed),
    "e": (b"&", _ENTITY, _entity),
    "p": (b"%", _PERCENT, _unpercented),
}
_STAGES = "ajajajaepp"
"""Terminal sequences lie outermost unless JSON holds them; JSON lies within JSON; URLs within either."""
