"""Which number each secret has: the same secret the same placeholder, within one cassette.

The numbers are written down in a `Register`, never in the cassette; of a secret only a salted hash is kept.
The caller gives numbers while it holds the lock under which it appends.
"""

import hashlib
import re
import secrets
from collections.abc import Callable, Mapping
from typing import NamedTuple, Protocol

_MARK = b"REDACTED-"
_NUMBERED = re.compile(rb"([0-9]*[A-Za-z][A-Za-z0-9]*(?:-[0-9]*[A-Za-z][A-Za-z0-9]*){0,16})-([0-9]{1,15})")

Naming = Callable[[str, bytes], bytes]
"""Gives the placeholder for a secret of a class."""


def placeholder(cls: str, number: int) -> bytes:
    """Return the placeholder's bytes: letters, digits and hyphens, so that JSON, URLs and ANSI stay whole."""
    return _MARK + b"%s-%d" % (cls.encode("ascii"), number)


def unnumbered(cls: str, _secret: bytes) -> bytes:
    """Name a secret without telling it from others: for messages, and for requests that are only compared."""
    return placeholder(cls, 0)


def highest(data: bytes) -> dict[str, int]:
    """Return the highest number of each class in `data`, for instance a cassette whose state was lost."""
    numbers: dict[str, int] = {}
    at = data.find(_MARK)
    while at >= 0:
        at += len(_MARK)
        following = data.find(_MARK, at)
        match = _NUMBERED.match(data, at, len(data) if following < 0 else following)
        at = following
        if match is None:
            continue
        cls = match[1].decode("ascii")
        numbers[cls] = max(numbers.get(cls, 0), int(match[2]))
    return numbers


class Numbered(NamedTuple):
    """What a secret has: its class and its number in that class."""

    cls: str
    number: int


class Register(Protocol):
    """Where it is written down which secret has which number; a secret's `name` is its salted hash.

    Each of these costs the same however many secrets there are: they are asked for every long word of a text.
    """

    @property
    def salt(self) -> bytes:
        """What is hashed with each secret, so that nobody can try out likely ones."""

    def numbered(self, name: bytes) -> Numbered | None:
        """Return what the secret of that name has, None where it has nothing yet."""

    def may_have(self, length: int) -> bool:
        """Whether a secret of that many bytes may have a number: saves hashing most of a text's words."""

    def give(self, name: bytes, length: int, cls: str) -> Numbered:
        """Give a secret of `length` bytes, which has no number, the next one of a class."""

    def start_after(self, numbers: Mapping[str, int]) -> None:
        """Give no number again that `numbers` (see `highest`) says was given before."""


class Memory:
    """A register that lasts as long as the process."""

    def __init__(self) -> None:
        self.salt = secrets.token_bytes(16)
        self._numbered: dict[bytes, Numbered] = {}
        self._lengths: set[int] = set()
        self._highest: dict[str, int] = {}

    def numbered(self, name: bytes) -> Numbered | None:
        """See `Register`."""
        return self._numbered.get(name)

    def may_have(self, length: int) -> bool:
        """See `Register`."""
        return length in self._lengths

    def give(self, name: bytes, length: int, cls: str) -> Numbered:
        """See `Register`."""
        self._highest[cls] = number = self._highest.get(cls, 0) + 1
        self._lengths.add(length)
        self._numbered[name] = given = Numbered(cls, number)
        return given

    def start_after(self, numbers: Mapping[str, int]) -> None:
        """See `Register`."""
        for cls, number in numbers.items():
            self._highest[cls] = max(number, self._highest.get(cls, 0))


class Placeholders:
    """The numbers given so far; calling it with a class and a secret gives the placeholder.

    A secret keeps the class under which it first appeared, wherever else it is found.
    """

    def __init__(self, register: Register | None = None) -> None:
        self._register: Register = Memory() if register is None else register
        # A text is searched several times over, and most of its words are asked for each time.
        self._asked: dict[bytes, str | None] = {}

    def __call__(self, cls: str, secret: bytes) -> bytes:
        """Return the secret's placeholder; a new one has the next number of its class."""
        name = self._name(secret)
        found = self._register.numbered(name) or self._register.give(name, len(secret), cls)
        self._asked.pop(secret, None)
        return placeholder(*found)

    def class_of(self, secret: bytes) -> str | None:
        """Return the class of a secret that has a number, else None."""
        if not self._register.may_have(len(secret)):
            return None
        if secret not in self._asked:
            found = self._register.numbered(self._name(secret))
            self._asked[secret] = None if found is None else found.cls
        return self._asked[secret]

    def _name(self, secret: bytes) -> bytes:
        return hashlib.sha256(self._register.salt + secret).digest()
