"""Where two requests differ: their arguments word by word, their prompts in the first span."""

import difflib
from collections.abc import Sequence
from typing import NamedTuple

from agy_cassettes.matchers import same

CONTEXT = 30
SPAN = 60
WORD = 100
"""How many characters are shown around a difference, of it, and of a word."""


class Difference(NamedTuple):
    """The first span where two texts differ: its offset in characters and its line, both sides cut short."""

    offset: int
    line: int
    asked: str
    recorded: str


class ArgvLine(NamedTuple):
    """One word of an aligned argv: ``=`` in both, ``-`` only recorded, ``+`` only asked."""

    sign: str
    word: str


def argv_difference(asked: Sequence[str], recorded: Sequence[str]) -> tuple[ArgvLine, ...]:
    """Return both argvs as one, word by word; words that differ only in a placeholder's number are equal."""
    kept = [same(word) or "" for word in recorded]
    wanted = [same(word) or "" for word in asked]
    lines: list[ArgvLine] = []
    for tag, i1, i2, j1, j2 in difflib.SequenceMatcher(None, kept, wanted, autojunk=False).get_opcodes():
        if tag == "equal":
            lines += [ArgvLine("=", word) for word in recorded[i1:i2]]
        else:
            lines += [ArgvLine("-", word) for word in recorded[i1:i2]]
            lines += [ArgvLine("+", word) for word in asked[j1:j2]]
    return tuple(lines)


def first_difference(asked: str, recorded: str) -> Difference | None:
    """Return where two texts first differ, with what stands around it, or None if they don't."""
    if asked == recorded:
        return None
    start = common(asked, recorded)
    tail = common_tail(asked[start:], recorded[start:])
    return Difference(
        start,
        asked.count("\n", 0, start) + 1,
        _around(asked, start, len(asked) - tail),
        _around(recorded, start, len(recorded) - tail),
    )


def quoted(text: str, most: int = WORD) -> str:
    """Return a word to be shown: control characters and lone bytes escaped, the middle cut out if long."""
    if len(text) > most:
        half = (most - 1) // 2
        text = text[:half] + "…" + text[-half:]
    shown = "".join(_character(character) for character in text)
    return shown if shown and " " not in shown else f'"{shown}"'


def common(one: str, other: str) -> int:
    """Return how many characters both texts begin with."""
    # By halving: prompts are long, and slices compare fast.
    low, high = 0, min(len(one), len(other))
    while low < high:
        middle = (low + high + 1) // 2
        if one[low:middle] == other[low:middle]:
            low = middle
        else:
            high = middle - 1
    return low


def common_tail(one: str, other: str) -> int:
    """Return how many characters both texts end with."""
    low, high = 0, min(len(one), len(other))
    while low < high:
        middle = (low + high + 1) // 2
        if one[len(one) - middle : len(one) - low] == other[len(other) - middle : len(other) - low]:
            low = middle
        else:
            high = middle - 1
    return low


def _around(text: str, start: int, end: int) -> str:
    begin = max(0, start - CONTEXT)
    span = text[start:end] if end - start <= SPAN else text[start : start + SPAN] + "…"
    behind = text[end : end + CONTEXT] if end - start <= SPAN else ""
    shown = "".join(_character(each) for each in f"{text[begin:start]}[{span}]{behind}")
    return f"{'…' if begin else ''}{shown}{'…' if behind and end + CONTEXT < len(text) else ''}"


def _character(character: str) -> str:
    code = ord(character)
    if 0xDC80 <= code <= 0xDCFF:
        return f"\\x{code - 0xDC00:02x}"
    return character if character.isprintable() else character.encode("unicode_escape").decode("ascii")
