"""Puts placeholders where secrets are: in bytes, in single values, in messages.

A `Redactor` is the rules, the facts about this machine and the user's own redactors; it remembers nothing.
Which number a placeholder has is the business of a `Naming`, see `placeholders`.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from agy_cassettes.edits import Edit, apply
from agy_cassettes.interaction import Value
from agy_cassettes.redact.find import Known, Span, find, replacement
from agy_cassettes.redact.names import NO_FACTS, Facts, known_names
from agy_cassettes.redact.own import Own
from agy_cassettes.redact.placeholders import Naming, Placeholders, unnumbered
from agy_cassettes.redact.rule import Finder, Rule
from agy_cassettes.redact.rules import RULES
from agy_cassettes.redact.values import is_random

_ROUNDS = 3
_UUID = re.compile(rb"[0-9A-Fa-f]{8}(?:-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}")
_NAMES = frozenset(("user", "host", "email"))
_SURELY_SECRET = frozenset(("csrf-token", "client-secret", "api-key", "password"))


class Redacted(NamedTuple):
    """Bytes without secrets: `rounds` are the edits that led to them, each on the outcome of the one before.

    `secrets` are the plain secrets that were taken out, with their classes.
    """

    data: bytes
    rounds: tuple[tuple[Edit, ...], ...] = ()
    secrets: tuple[tuple[str, bytes], ...] = ()


@dataclass(frozen=True)
class Redactor:
    """What is looked for: `rules`, the names in `facts`, and the user's `own` redactors."""

    facts: Facts = NO_FACTS
    own: tuple[Own, ...] = ()
    rules: tuple[Rule, ...] = RULES

    @cached_property
    def finders(self) -> tuple[Finder, ...]:
        """All of them; where two find the same, the first gives the class."""
        return (*self.own, *self.rules, *known_names(self.facts))

    def spans(self, data: bytes, known: Known | None = None) -> tuple[Span, ...]:
        """Return the secrets in `data`."""
        return find(data, self.finders, known)

    def redact(self, data: bytes, naming: Naming = unnumbered) -> Redacted:
        """Return `data` with a placeholder for each secret, and what was done.

        What `naming` has numbered already is a secret here too, without the key or header that gave it away.
        """
        known = known_to(naming) if isinstance(naming, Placeholders) else None
        return _rounds(data, self.finders, naming, known)

    def redact_bytes(self, data: bytes, naming: Naming = unnumbered) -> bytes:
        """Return `data` with a placeholder for each secret."""
        return self.redact(data, naming).data

    def redact_text(self, text: str, naming: Naming = unnumbered) -> str:
        """Return a message, path or other text with a placeholder for each secret."""
        data = text.encode("utf-8", "surrogateescape")
        return self.redact_bytes(data, naming).decode("utf-8", "surrogateescape")

    def redact_value(self, value: Value, naming: Naming = unnumbered) -> Value:
        """Return one argument or prompt with a placeholder for each secret; `str` stays `str`."""
        return value_of(self.redact_bytes(bytes_of(value), naming))

    def redact_words(self, words: Sequence[Value], naming: Naming = unnumbered) -> tuple[Value, ...]:
        """Return the words of a command line redacted: a flag tells of the word after it what it is."""
        redacted = split(self.redact_bytes(joined(words), naming), len(words))
        if redacted is None:
            return tuple(self.redact_value(word, naming) for word in words)
        return tuple(map(value_of, redacted))


def without(data: bytes, secrets: Mapping[bytes, str], naming: Naming) -> Redacted:
    """Return `data` with placeholders for `secrets` (with their classes) where they stand as whole tokens."""
    return _rounds(data, (), naming, secrets.get)


def known_to(naming: Placeholders) -> Known:
    """Return what tells the class of a token that has a number, if it is one that spreads."""

    def known(token: bytes) -> str | None:
        cls = naming.class_of(token)
        return cls if cls is not None and spreads(cls, token) else None

    return known


def spreads(cls: str, secret: bytes) -> bool:
    """Whether a secret is one wherever it stands, even bare: generated, long, and no id of a conversation."""
    if cls in _NAMES or len(secret) < 16 or not is_random(secret):
        return False
    return cls in _SURELY_SECRET or _UUID.fullmatch(secret) is None


def bytes_of(value: Value) -> bytes:
    """Return a value's bytes."""
    return value.encode("utf-8", "surrogateescape") if isinstance(value, str) else value


def value_of(data: bytes) -> Value:
    """Return bytes as a value: `str` where they are UTF-8."""
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        return data


def joined(words: Sequence[Value]) -> bytes:
    """Return a command line as one text, NUL between the words as the kernel has it."""
    return b"\0".join(bytes_of(word) for word in words)


def split(line: bytes, count: int) -> list[bytes] | None:
    """Return the `count` words of a joined command line, or None where a border between two was redacted."""
    words = line.split(b"\0") if count else []
    return words if len(words) == count else None


def _rounds(data: bytes, finders: Sequence[Finder], naming: Naming, known: Known | None) -> Redacted:
    """Redact until nothing is found: what stood beside a secret may be one itself once that is gone."""
    rounds: list[tuple[Edit, ...]] = []
    secrets: list[tuple[str, bytes]] = []
    for _ in range(_ROUNDS):
        spans = find(data, finders, known)
        if not spans:
            break
        edits = tuple(
            (span.start, span.end, replacement(data, span, naming(span.cls, span.secret))) for span in spans
        )
        secrets += ((span.cls, span.secret) for span in spans)
        rounds.append(edits)
        data = apply(data, edits)
    return Redacted(data, tuple(rounds), tuple(secrets))
