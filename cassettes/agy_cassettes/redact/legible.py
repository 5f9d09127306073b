"""Which parts of a body that is no text can be read all the same: its mostly readable lines, and long runs.

A transcript whose first letter was cut in two, text in Latin-1, and coloured output with a stray byte are
legible line by line. What a program, picture or archive holds is legible in runs of printable ASCII. Random
bytes have next to nothing of either, so that no rule finds in them by chance what looks like a secret.
"""

import re
from array import array
from bisect import bisect_right
from collections.abc import Iterator

_RUN_BYTES = 16
_READABLE = 0.75
_ASCII = rb"\t\x07\x08\r\x1b\x20-\x7e"
_LETTER = rb"[\xc2-\xdf][\x80-\xbf]|[\xe0-\xef][\x80-\xbf]{2}|[\xf0-\xf4][\x80-\xbf]{3}"
# Possessive: lines of text are passed over at once, and each byte is looked at three times at most.
_LINES = re.compile(
    rb"(?P<text>(?:(?:[" + _ASCII + rb"]++|" + _LETTER + rb")*+\n)++)"
    rb"|(?P<short>(?:[^\n]{1,5}+\n)++)|[^\n]*+\n|[^\n]++"
)
_RUN = re.compile(rb"[\n" + _ASCII + rb"]{%d,}+" % _RUN_BYTES)
_NO_LETTERS = bytes(set(range(32)) - set(b"\t\x07\x08\n\r\x1b") | {0x7F})
_BORDER = b"\n\0\n"
"""Next to no rule's match goes on across it."""


class Legible:
    """The legible parts of `data` as one `text`, and the way back."""

    __slots__ = ("_from", "_to", "text")

    def __init__(self, data: bytes) -> None:
        self._to = array("q")
        self._from = array("q")
        parts: list[bytes] = []
        size = 0
        for start, end in _joined(_parts(data)):
            self._to.append(size)
            self._from.append(start)
            parts += data[start:end], _BORDER
            size += end - start + len(_BORDER)
        self.text = b"".join(parts)

    def origin(self, start: int, end: int) -> tuple[int, int]:
        """Return where ``start:end`` of the text is in the data; what is in further parts is left out."""
        part = bisect_right(self._to, start) - 1
        following = self._to[part + 1] if part + 1 < len(self._to) else len(self.text)
        shift = self._from[part] - self._to[part]
        return start + shift, min(end, following - len(_BORDER)) + shift


def _joined(parts: Iterator[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    """The parts, those that touch as one."""
    begin = stop = 0
    for start, end in parts:
        if start > stop:
            if stop > begin:
                yield begin, stop
            begin = start
        stop = end
    if stop > begin:
        yield begin, stop


def _parts(data: bytes) -> Iterator[tuple[int, int]]:
    for match in _LINES.finditer(data):
        if match["short"] is not None:
            continue
        if match["text"] is not None or _is_readable(match[0]):
            yield match.span()
        else:
            yield from (run.span() for run in _RUN.finditer(data, *match.span()))


def _is_readable(line: bytes) -> bool:
    """Whether most of a line is ASCII or UTF-8; NUL, which parts words and fills up, counts for neither."""
    filled = line.replace(b"\0", b"")
    letters = filled.translate(None, _NO_LETTERS).decode("utf-8", "ignore").encode()
    return len(letters) >= _READABLE * len(filled) > 0
