"""What a recorder remembers from one append to the next: an SQLite file in which any look-up costs the same.

Readable by its owner only; of secrets it holds salted hashes. It is opened under the cassette's lock, and
what was not committed is undone: a recorder may be killed at any moment. It is not synced to the disk, as
cassettes are not: after a power cut it may be behind the cassette or damaged.
"""

import hashlib
import json
import os
import secrets
import sqlite3
from collections.abc import Iterable, Iterator, Mapping
from contextlib import closing, contextmanager
from pathlib import Path
from typing import NamedTuple

from agy_cassettes.errors import UserError
from agy_cassettes.redact.placeholders import Numbered
from agy_proxy.record.shared_files import Stretch

_VERSION = 1
_LONGEST = 1023
"""Secrets of this many bytes or more count as of one length."""
_TABLES = (
    "create table state (salt blob, lengths blob, highest text, identity text, size integer, ending blob)",
    "create table secrets (name blob primary key, class text, number integer) without rowid",
    "create table transcripts (name blob primary key) without rowid",
    f"pragma user_version = {_VERSION}",
)
_ADDED = (
    "create table if not exists stretches (began integer, pid integer, stream text, file text, ended integer,"
    " first integer, last integer, primary key (began, pid, stream)) without rowid"
)
"""Ledgers of the same version may be without it."""
_SETTINGS = ("locking_mode = exclusive", "journal_mode = persist", "synchronous = off")


class ReadTo(NamedTuple):
    """How far a cassette was read: which file, its first `size` bytes, and a hash of the last of them."""

    identity: str = ""
    size: int = 0
    ending: bytes = b""


class Ledger:
    """The state of one cassette's recorders, made by `open_ledger`; a `Register` of its secrets' numbers.

    `read_to` says what part of the cassette its transcripts and numbers were taken from. Nothing of what is
    changed stays, unless `commit` is called.
    """

    def __init__(self, db: sqlite3.Connection) -> None:
        self._db = db
        found = db.execute("select salt, lengths, highest, identity, size, ending from state").fetchone()
        salt, lengths, highest, *read_to = found
        self.salt = bytes(salt)
        self.read_to = ReadTo(*read_to)
        self._lengths = int.from_bytes(lengths, "little")
        self._highest = {str(cls): int(number) for cls, number in json.loads(highest).items()}

    def numbered(self, name: bytes) -> Numbered | None:
        """Return what the secret of that name has, None where it has nothing yet."""
        found = self._db.execute("select class, number from secrets where name = ?", (name,)).fetchone()
        return None if found is None else Numbered(*found)

    def may_have(self, length: int) -> bool:
        """Whether a secret of that many bytes may have a number."""
        return bool(self._lengths >> min(length, _LONGEST) & 1)

    def give(self, name: bytes, length: int, cls: str) -> Numbered:
        """Give a secret of `length` bytes, which has no number, the next one of a class."""
        self._highest[cls] = number = self._highest.get(cls, 0) + 1
        self._lengths |= 1 << min(length, _LONGEST)
        self._db.execute("insert into secrets values (?, ?, ?)", (name, cls, number))
        return Numbered(cls, number)

    def start_after(self, numbers: Mapping[str, int]) -> None:
        """Give no number again that was given before."""
        for cls, number in numbers.items():
            self._highest[cls] = max(number, self._highest.get(cls, 0))

    def has_transcript(self, path: str) -> bool:
        """Whether the cassette has something of the transcript with that stored path."""
        asked = self._db.execute("select 1 from transcripts where name = ?", (_name(path),))
        return asked.fetchone() is not None

    def add_transcript(self, path: str) -> None:
        """Note that the cassette has something of it."""
        self._db.execute("insert or ignore into transcripts values (?)", (_name(path),))

    def stretches(self, besides: Stretch) -> tuple[Stretch, ...]:
        """Return what other calls than that one wrote into files."""
        rows = self._db.execute(
            "select * from stretches where (began, pid) != (?, ?)", (besides.began, besides.pid)
        )
        return tuple(Stretch(*row) for row in rows)

    def add_stretches(self, stretches: Iterable[Stretch]) -> None:
        """Note what a call wrote into files, for those that ran at the same time and are saved later."""
        self._db.executemany("insert or replace into stretches values (?, ?, ?, ?, ?, ?, ?)", stretches)

    def forget_stretches(self, *, before: int) -> None:
        """Forget those that ended before that (CLOCK_REALTIME ns)."""
        self._db.execute("delete from stretches where ended < ?", (before,))

    def begin_anew(self) -> None:
        """Forget what was in the cassette, for it is another one; numbers are still not given twice."""
        self.read_to = ReadTo()
        self._db.execute("delete from transcripts")

    def commit(self) -> None:
        """Keep what was changed; to be called once."""
        lengths = self._lengths.to_bytes((_LONGEST + 8) // 8, "little")
        self._db.execute(
            "update state set lengths = ?, highest = ?, identity = ?, size = ?, ending = ?",
            (lengths, json.dumps(self._highest), *self.read_to),
        )
        self._db.execute("commit")


@contextmanager
def open_ledger(path: Path) -> Iterator[Ledger]:
    """Open the ledger, made where it isn't there; `UserError` where it can't be read or written."""
    _make_file(path)
    try:
        with closing(sqlite3.connect(path, isolation_level=None)) as db:
            for setting in _SETTINGS:
                db.execute(f"pragma {setting}")
            db.execute("begin immediate")
            yield _opened(db, path)
    except sqlite3.OperationalError as error:
        raise UserError(f"{path}: can't be read or written: {error}") from error
    except sqlite3.Error as error:
        raise _damaged(path) from error


def _make_file(path: Path) -> None:
    # SQLite would make it readable by others, and its journal has the same mode.
    try:
        os.close(os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW, 0o600))
    except OSError as error:
        raise UserError(f"{path}: can't be opened: {error.strerror}") from error


def _opened(db: sqlite3.Connection, path: Path) -> Ledger:
    (version,) = db.execute("pragma user_version").fetchone()
    if version not in (0, _VERSION):
        raise UserError(
            f"{path}: has version {version}, this program knows {_VERSION}; delete it to number secrets anew"
        )
    if version == 0:
        for statement in _TABLES:
            db.execute(statement)
        db.execute("insert into state values (?, x'', '{}', '', 0, x'')", (secrets.token_bytes(16),))
    db.execute(_ADDED)
    try:
        return Ledger(db)
    except (ValueError, TypeError, AttributeError) as error:
        raise _damaged(path) from error


def _damaged(path: Path) -> UserError:
    return UserError(f"{path}: not a readable ledger; delete it to number secrets anew")


def _name(path: str) -> bytes:
    return hashlib.sha256(path.encode("utf-8", "surrogateescape")).digest()
