"""What a redaction rule is: where to look, what must stand there, and what of it is the secret."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import NamedTuple, Protocol


class Found(NamedTuple):
    """A secret at ``start:end`` of a text, of class `cls` (letters, digits, hyphens)."""

    start: int
    end: int
    cls: str


class Finder(Protocol):
    """What finds secrets of a class, by a rule of ours or by a user's own code."""

    @property
    def cls(self) -> str:
        """The class of what it finds, unless the finding says otherwise."""

    @property
    def osc_only(self) -> bool:
        """Whether it looks only at what terminal commands carry, such as window titles."""

    @property
    def whole_word(self) -> bool:
        """Whether it finds words, so that what begins within an escape is no finding: the n of a newline."""

    @property
    def raw(self) -> bool:
        """Whether it looks at all bytes of what is no text, not only at the legible parts."""

    def find(self, text: bytes, lower: bytes) -> Iterator[Found]:
        """Yield the secrets in `text`; `lower` is the same in lower case."""


Judge = Callable[[re.Match[bytes]], Iterator[Found]]
"""Says which parts of a match are secrets; it sees the text around it by ``match.string``."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """One way to find secrets.

    An anchor is a literal that every such secret has in or before it (lower case where `fold`): texts without
    it cost next to nothing. From an anchor the rule goes back over at most `reach` bytes of `back`, and
    `pattern` must match there; its group ``s`` is the secret, unless a `judge` says what is. What a `whole`
    rule matched is not looked at again, even if nothing came of it: long matches stay linear.
    """

    cls: str
    why: str
    anchors: tuple[bytes, ...]
    pattern: re.Pattern[bytes]
    back: bytes = b""
    reach: int = 64
    fold: bool = False
    whole: bool = False
    osc_only: bool = False
    whole_word: bool = False
    raw: bool = False
    judge: Judge | None = None

    def find(self, text: bytes, lower: bytes) -> Iterator[Found]:
        """Yield the secrets in `text`; `lower` is the same in lower case."""
        where = lower if self.fold else text
        for anchor in self.anchors:
            at = where.find(anchor)
            while at >= 0:
                begin = at
                if self.back:
                    low = max(0, at - self.reach)
                    begin = low + len(text[low:at].rstrip(self.back))
                match = self.pattern.match(text, begin)
                after = at + len(anchor)
                if match is not None:
                    found = tuple(self._judged(match))
                    yield from found
                    if found or self.whole:
                        after = max(after, match.end())
                at = where.find(anchor, after)

    def _judged(self, match: re.Match[bytes]) -> Iterator[Found]:
        if self.judge is not None:
            return self.judge(match)
        return iter((Found(*match.span("s"), self.cls),))
