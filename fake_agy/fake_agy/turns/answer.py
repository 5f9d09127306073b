"""What the double says of itself: pure functions of the seed and of what was said so far."""

from __future__ import annotations

from fake_agy.go.digest import uuid_of
from fake_agy.stores.step import Usage

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

_WORDS = (
    "alder",
    "birch",
    "cedar",
    "elm",
    "hazel",
    "juniper",
    "larch",
    "maple",
    "oak",
    "pine",
    "rowan",
    "yew",
)
_RECALLED = 4
"""How many prompts are recalled from each end of a long conversation."""

_SENT_WITH_EVERY_PROMPT = 16000
"""Tokens of instructions and tools that go before the conversation."""


def answer(seed: int, conversation: str, earlier: Sequence[str], prompt: str) -> str:
    """Answer a prompt: which turn it is, what was asked, what was said before, and a word of the seed's.

    `earlier` are the prompts of the turns before, as the conversation's memory holds them.
    """
    turn = len(earlier) + 1
    drawn = uuid_of(str(seed), conversation, str(turn), "word")
    word = f"{_WORDS[int(drawn[:4], 16) % len(_WORDS)]}-{int(drawn[4:6], 16)}"
    lines = [f'This is turn {turn} of our conversation. You said: "{short(prompt)}"']
    lines += [f"Earlier you told me: {recall(earlier)}"] if earlier else []
    return "".join(f"{line}\n" for line in (*lines, f"My word for this turn is {word}."))


def recall(earlier: Sequence[str]) -> str:
    """Name the earlier prompts by turn, the middle of a long conversation left out."""
    named = [f'{number}) "{short(prompt)}"' for number, prompt in enumerate(earlier, 1)]
    if len(named) > 2 * _RECALLED:
        named[_RECALLED:-_RECALLED] = ["..."]
    return ", ".join(named)


def short(prompt: str) -> str:
    """Put a prompt on one line of at most 85 characters, both ends kept."""
    line = " ".join(prompt.split())
    return line if len(line) <= 85 else f"{line[:40]} ... {line[-40:]}"


def thinking(prompt: str) -> str:
    """Write the thought a planner row carries, in agy's shape (stores.md 2.3)."""
    return f"**Answering the request**\n\nThe user said: {short(prompt)}\n\n\n"


def title(prompt: str) -> str:
    """Name a conversation by its first prompt, as a title checkpoint does (stores.md 3.3)."""
    return " ".join(prompt.split()[:6]) or "New conversation"


def usage_of(said_before: int, text: str, *, cached: bool) -> Usage:
    """Count the tokens of one response: all that was said before is sent, four bytes are a token.

    `said_before` are bytes. With `cached`, what a turn before sent already is read from the cache.
    """
    sent = _SENT_WITH_EVERY_PROMPT + said_before // 4
    return Usage(sent, 20 + len(text.encode()) // 4, 20, sent if cached else 0)


def total(usages: Sequence[Usage]) -> Usage:
    """Add the tokens of several responses."""
    return Usage(
        sum(usage.input for usage in usages),
        sum(usage.output for usage in usages),
        sum(usage.thinking for usage in usages),
        sum(usage.cache_read for usage in usages),
    )
