"""Which number each secret has: the same secret the same placeholder, within one cassette.

The numbers lie in a state file of the run (mode 0600), never in the cassette; of a secret only a salted hash
is kept. The caller gives numbers while it holds the lock under which it appends.
"""

import hashlib
import json
import os
import re
import secrets
import tempfile
from collections.abc import Callable, Mapping
from pathlib import Path

from agy_cassettes.errors import UserError

_VERSION = 1
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


class Placeholders:
    """The numbers given so far; calling it with a class and a secret gives the placeholder.

    A secret keeps the class under which it first appeared, wherever else it is found.
    """

    def __init__(
        self,
        *,
        salt: bytes | None = None,
        counts: Mapping[str, int] | None = None,
        known: Mapping[str, tuple[str, int, int]] | None = None,
    ) -> None:
        self._salt = secrets.token_bytes(16) if salt is None else salt
        self._counts = dict(counts or {})
        self._known = dict(known or {})
        self._lengths = {length for _, _, length in self._known.values()}

    def __call__(self, cls: str, secret: bytes) -> bytes:
        """Return the secret's placeholder; a new one has the next number of its class."""
        name = self._hash(secret)
        if name not in self._known:
            self._counts[cls] = self._counts.get(cls, 0) + 1
            self._known[name] = (cls, self._counts[cls], len(secret))
            self._lengths.add(len(secret))
        cls, number, _ = self._known[name]
        return placeholder(cls, number)

    def class_of(self, secret: bytes) -> str | None:
        """Return the class of a secret that has a number, else None."""
        if len(secret) not in self._lengths:
            return None
        found = self._known.get(self._hash(secret))
        return None if found is None else found[0]

    def start_after(self, numbers: Mapping[str, int]) -> None:
        """Give no number again that `numbers` (see `highest`) says was given before."""
        for cls, number in numbers.items():
            self._counts[cls] = max(number, self._counts.get(cls, 0))

    def _hash(self, secret: bytes) -> str:
        return hashlib.sha256(self._salt + secret).hexdigest()

    @classmethod
    def load(cls, path: Path) -> "Placeholders":
        """Return what `save` wrote to `path`, or new ones without a file; UserError where it is damaged."""
        try:
            raw = path.read_bytes()
        except FileNotFoundError:
            return cls()
        try:
            state = {_VERSION: json.loads(raw)}[json.loads(raw)["version"]]
            known = {
                str(name): (str(c), int(n), int(length)) for name, (c, n, length) in state["known"].items()
            }
            counts = {str(name): int(number) for name, number in state["counts"].items()}
            return cls(salt=bytes.fromhex(state["salt"]), counts=counts, known=known)
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            raise UserError(
                f"{path}: not a readable list of placeholders; delete it to number secrets anew"
            ) from error

    def save(self, path: Path) -> None:
        """Write the numbers to `path`, readable by its owner only; the file is replaced whole."""
        state = {"version": _VERSION, "salt": self._salt.hex(), "counts": self._counts, "known": self._known}
        descriptor, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}-")
        try:
            with os.fdopen(descriptor, "w", encoding="ascii") as file:
                json.dump(state, file)
            Path(name).replace(path)
        except BaseException:
            Path(name).unlink(missing_ok=True)
            raise
