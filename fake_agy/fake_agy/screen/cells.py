"""Text in the cells of a terminal: how wide it is, and how it breaks."""

from __future__ import annotations

import unicodedata

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

TAB = "    "


def width_of(text: str) -> int:
    """Count the cells of a text without control characters."""
    if text.isascii():
        return len(text)
    return sum(map(_cells, text))


def plain(text: str) -> str:
    """Put U+FFFD for control characters, which would move the cursor; a tab becomes four blanks."""
    text = text.replace("\t", TAB).replace("\r\n", "\n")
    if text.isascii() and (text.isprintable() or text.replace("\n", "").isprintable()):
        return text
    return "".join(
        "\ufffd" if unicodedata.category(each) in {"Cc", "Cs"} and each != "\n" else each for each in text
    )


def wrapped(text: str, width: int, first: str = "", rest: str = "") -> list[str]:
    """Break a text into lines of at most `width` cells, `first` before the first and `rest` before others.

    Lines break at blanks where there are any, and nowhere else than at the end of a character.
    """
    lines: list[str] = []
    for paragraph in plain(text).split("\n"):
        for piece in _pieces(paragraph, max(1, width - width_of(rest if lines else first))):
            lines.append((rest if lines else first) + piece)
    return [line.rstrip() if not line.strip() else line for line in lines]


def cut(text: str, width: int) -> str:
    """Cut a text off at a width."""
    taken = 0
    for place, each in enumerate(text):
        taken += _cells(each)
        if taken > width:
            return text[:place]
    return text


def _pieces(line: str, width: int) -> Iterator[str]:
    while width_of(line) > width:
        head = cut(line, width) or line[:1]
        blank = head.rfind(" ")
        if blank > 0 and line[len(head) : len(head) + 1] != " ":
            yield head[:blank]
            line = line[blank + 1 :]
        else:
            yield head
            line = line[len(head) :].removeprefix(" ")
    yield line


def _cells(each: str) -> int:
    if unicodedata.combining(each) or unicodedata.category(each) in {"Mn", "Me", "Cf"}:
        return 0
    return 2 if unicodedata.east_asian_width(each) in {"W", "F"} else 1
