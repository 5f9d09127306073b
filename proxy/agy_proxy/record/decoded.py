"""A conversation's database as lines of decoded steps: what is in a cassette in its place."""

import errno
import hashlib
import json
import os
import shutil
import sqlite3
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from agy_proxy.watch.tail import Change
from fake_agy.stores.database import Broken, Facts
from fake_agy.stores.decoding import read_facts, read_steps
from fake_agy.stores.step import Step

BETWEEN_NS = 250_000_000
"""Nanoseconds between two reads at least: each copies the whole."""
MOST = 1 << 26
"""Bytes of a database that are read at most."""
STEP_FIELDS = ("error", "content", "plain", "thinking", "exit_code", "title")


class DecodedDatabase:
    """The database of one conversation below the store at `root`, read without ever touching it.

    What is there at first is old unless the conversation is `fresh`; `stood` gives that.
    """

    def __init__(self, root: bytes, conversation: str, *, fresh: bool) -> None:
        self.path = root + b"/conversations/" + conversation.encode() + b".db"
        self._summaries = root + b"/conversation_summaries.db"
        self._conversation = conversation
        self._facts: dict[str, Any] | None = None
        self._marks: dict[int, bytes] = {}
        self._stamp: tuple[int, ...] | None = None
        self._read_at = -BETWEEN_NS
        self._created = fresh
        self.stood = b"" if fresh else self._read()

    def change(self, now_ns: int, *, last: bool = False) -> Change | None:
        """Return the steps that are new or changed since; None where that is nothing, or it is too soon."""
        if not last and now_ns - self._read_at < BETWEEN_NS:
            return None
        stamp = self._look()
        if stamp is None or (stamp == self._stamp and not last):
            return None
        self._read_at = now_ns
        data = self._read()
        self._stamp = stamp
        if not data:
            return None
        created, self._created = self._created, False
        # What was read may be newer than what the first look told.
        return Change("create" if created else "append", data, None, max(self._look() or stamp))

    def _look(self) -> tuple[int, ...] | None:
        """When the database and its log were last written."""
        found = []
        for suffix in (b"", b"-wal"):
            try:
                found.append(os.stat(self.path + suffix, follow_symlinks=False).st_mtime_ns)  # noqa: PTH116 - bytes
            except OSError:
                continue
        return tuple(found) or None

    def _read(self) -> bytes:
        """The lines of what is new; nothing where it can't be read."""
        try:
            with _copied(self.path) as connection:
                facts = read_facts(connection)
                steps = [
                    (step, mark)
                    for step, payload in read_steps(connection)
                    if self._marks.get(step.idx)
                    != (mark := hashlib.blake2b(payload, digest_size=16).digest())
                ]
        except (Broken, OSError, sqlite3.Error):
            return b""
        self._marks |= {step.idx: mark for step, mark in steps}
        lines = [{"step": step_value(step)} for step, _ in steps]
        told = None if facts is None else facts_value(facts) | self._listed()
        if told is not None and told != self._facts:
            self._facts = told
            lines.insert(0, {"facts": told})
        return b"".join(_line(each) for each in lines)

    def _listed(self) -> dict[str, Any]:
        """Its title and preview in the list of conversations."""
        query = "SELECT title, preview FROM conversation_summaries WHERE conversation_id = ?"
        try:
            with _copied(self._summaries) as connection:
                row = connection.execute(query, (self._conversation,)).fetchone()
        except (OSError, sqlite3.Error):
            return {}
        return {} if row is None else {"title": str(row[0]), "preview": str(row[1])}


def facts_value(facts: Facts) -> dict[str, Any]:
    """Facts as JSON values."""
    return {**facts._asdict(), "workspaces": list(facts.workspaces)}


def step_value(step: Step) -> dict[str, Any]:
    """A step as JSON values; what it lacks is left out."""
    value: dict[str, Any] = {"idx": step.idx, "source": step.source, "type": step.type, "status": step.status}
    value |= {"created": step.created, "finished": step.finished}
    value |= {name: found for name in STEP_FIELDS if (found := getattr(step, name)) is not None}
    value |= {name: found for name in ("model", "execution") if (found := getattr(step, name))}
    if step.tool_calls:
        value["tool_calls"] = [{**call._asdict(), "args": dict(call.args)} for call in step.tool_calls]
    if step.answers is not None:
        value["answers"] = {**step.answers._asdict(), "args": dict(step.answers.args)}
    if step.usage is not None:
        value["usage"] = step.usage._asdict()
    return value


def _line(value: dict[str, Any]) -> bytes:
    return json.dumps(value, separators=(",", ":"), sort_keys=True).encode() + b"\n"


@contextmanager
def _copied(path: bytes) -> Iterator[sqlite3.Connection]:
    """Open a copy of a database and its log: a reader of the files themselves would hold up agy's own end.

    A copy that was torn by a writer can't be read, or lacks what is read next time. Raises OSError where
    there is none, or it is larger than `MOST`.
    """
    with tempfile.TemporaryDirectory(prefix="agy-proxy-") as folder:
        copy = os.path.join(folder, "copy.db")  # noqa: PTH118 - it is handed to sqlite3
        for suffix in ("-wal", ""):
            _copy(path + suffix.encode(), copy + suffix, needed=not suffix)
        connection = sqlite3.connect(copy)
        try:
            yield connection
        finally:
            connection.close()


def _copy(path: bytes, to: str, *, needed: bool) -> None:
    try:
        fd = os.open(path, os.O_RDONLY | os.O_CLOEXEC | os.O_NOFOLLOW | os.O_NONBLOCK)
    except FileNotFoundError:
        if needed:
            raise
        return
    with os.fdopen(fd, "rb") as source:
        if os.fstat(fd).st_size > MOST:
            raise OSError(errno.EFBIG, os.strerror(errno.EFBIG))
        with Path(to).open("wb") as target:
            shutil.copyfileobj(source, target)
