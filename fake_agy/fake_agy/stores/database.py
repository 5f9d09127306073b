"""One conversation's database: ``conversations/<id>.db`` (stores.md 4.1, 4.2)."""

from __future__ import annotations

import _sqlite3
import os

from fake_agy.go.digest import uuid_of
from fake_agy.stores.files import private_folder
from fake_agy.stores.generations import generation
from fake_agy.stores.payload import STATUSES, STEP_TYPES, Trail, columns
from fake_agy.stores.protobuf import encode, number_at, text_at, timestamp, with_number
from fake_agy.stores.step import Usage

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any, NamedTuple

    from fake_agy.stores.protobuf import Message
    from fake_agy.stores.step import Step
else:
    from fake_agy.record import NamedTuple

DDL = (
    "CREATE TABLE `trajectory_meta` (`trajectory_id` text,`cascade_id` text,`trajectory_type` integer,"
    "`source` integer,PRIMARY KEY (`trajectory_id`))",
    "CREATE TABLE `steps` (`idx` integer,`step_type` integer NOT NULL DEFAULT 0,"
    "`status` integer NOT NULL DEFAULT 0,`has_subtrajectory` numeric NOT NULL DEFAULT false,`metadata` blob,"
    "`error_details` blob,`permissions` blob,`task_details` blob,`render_info` blob,`step_payload` blob,"
    "`step_format` integer NOT NULL DEFAULT 0,PRIMARY KEY (`idx`))",
    "CREATE INDEX `idx_steps_status` ON `steps`(`status`)",
    "CREATE INDEX `idx_steps_step_type` ON `steps`(`step_type`)",
    "CREATE TABLE `gen_metadata` (`idx` integer,`data` blob,`size` integer NOT NULL DEFAULT 0,"
    "PRIMARY KEY (`idx`))",
    "CREATE TABLE `executor_metadata` (`idx` integer,`data` blob,PRIMARY KEY (`idx`))",
    "CREATE TABLE `parent_references` (`idx` integer,`data` blob,PRIMARY KEY (`idx`))",
    'CREATE TABLE `trajectory_metadata_blob` (`id` text DEFAULT "main",`data` blob,PRIMARY KEY (`id`))',
    "CREATE TABLE `battle_mode_infos` (`idx` integer,`data` blob,PRIMARY KEY (`idx`))",
)
CASCADE, CLI = 4, 17
"""The trajectory's type, and the source that says that the command line made it."""

BUSY = 10.0
"""Seconds to wait for a reader that keeps the database for itself."""

_left_open: list[object] = []
"""Connections that must not be closed, since closing the last one takes the write-ahead log away."""


class Broken(Exception):  # noqa: N818 - what is broken is the file
    """A database that can't be read or written; the message says why."""


class Facts(NamedTuple):
    """What a conversation is born with; `workspaces` are paths, `created` seconds since the epoch."""

    conversation: str
    trajectory: str
    created: float
    workspaces: tuple[str, ...] = ()
    project: str = "default-cli-project"
    parent: str | None = None
    depth: int = 0


class Told(NamedTuple):
    """One turn of a conversation: what the user said, the answer where there is one, its tokens."""

    prompt: str
    answer: str | None
    usage: Usage
    execution: str = ""


class Database:
    """A conversation's database, open; callers hold the store's lock while they change it.

    `Broken` from every method where the file is no such database or can't be written.
    """

    def __init__(self, connection: Any, trail: Trail) -> None:
        self._connection = connection
        self._trail = trail
        self._turn: tuple[int, str] | None = None
        """The highest index and the execution of the turn that is open here."""

    def next_idx(self) -> int:
        """Give the index after the highest one there is."""
        highest = self._ask("SELECT max(idx) FROM steps")[0][0]
        return 0 if highest is None else int(highest) + 1

    def append(self, steps: Sequence[Step]) -> None:
        """Add steps, all or none of them, with what agy keeps on model calls and turns."""

        def add() -> None:
            for step in steps:
                self._add(step)

        self._change(add)

    def change(self, step: Step) -> None:
        """Put a step in the place of the one with its index."""
        old = self._ask("SELECT step_payload FROM steps WHERE idx = ?", (step.idx,))
        ordinal = number_at(old[0][0], 5, 20, 3) if old else 0
        self._change(lambda: self._put(step, ordinal))

    def end_turn(self) -> None:
        """Note the turn that is open here as ended; one that is killed never is (stores.md 5.2)."""
        if self._turn is not None:
            self._change(self._note_turn)

    def told(self) -> tuple[Told, ...]:
        """Read what was said turn by turn, from the payloads; a turn that was killed has no answer."""
        turns: list[Told] = []
        said = (STEP_TYPES["USER_INPUT"], STEP_TYPES["PLANNER_RESPONSE"])
        for kind, payload in self._ask(
            "SELECT step_type, step_payload FROM steps WHERE step_type IN (?, ?) ORDER BY idx", said
        ):
            execution = text_at(payload, 5, 12) or ""
            if kind == STEP_TYPES["USER_INPUT"]:
                turns.append(Told(text_at(payload, 19, 2) or "", None, Usage(), execution))
            elif turns:
                turns[-1] = _answered(turns[-1], payload)
        return tuple(turns)

    def created(self) -> float:
        """Give the time it began, in seconds since the epoch."""
        rows = self._ask("SELECT data FROM trajectory_metadata_blob WHERE id = 'main'")
        return _seconds(rows[0][0], 2) if rows else 0.0

    def model(self) -> str:
        """Give the slug of the model that the newest turn asked for, empty where none is known."""
        rows = self._ask(
            "SELECT step_payload FROM steps WHERE step_type = ? ORDER BY idx DESC LIMIT 1",
            (STEP_TYPES["USER_INPUT"],),
        )
        return (text_at(rows[0][0], 5, 13, 1) or "") if rows else ""

    def last_error(self) -> str | None:
        """Give the text of the newest error that was stored, None where there is none."""
        rows = self._ask(
            "SELECT step_payload FROM steps WHERE step_type = ? ORDER BY idx DESC LIMIT 1",
            (STEP_TYPES["ERROR_MESSAGE"],),
        )
        return text_at(rows[0][0], 24, 3, 3) if rows else None

    def last_input(self) -> int:
        """Give the index of the newest prompt, -1 where there is none."""
        newest = self._ask("SELECT max(idx) FROM steps WHERE step_type = ?", (STEP_TYPES["USER_INPUT"],))[0][
            0
        ]
        return -1 if newest is None else int(newest)

    def cancel_running(self) -> None:
        """Mark steps that an earlier process left running as canceled, as a resume does (stores.md 4.2)."""
        running = self._ask("SELECT idx, step_payload FROM steps WHERE status = ?", (STATUSES["RUNNING"],))
        if running:
            canceled = STATUSES["CANCELED"]
            rows = [(canceled, with_number(payload, 4, canceled), idx) for idx, payload in running]
            self._change(
                lambda: self._connection.executemany(
                    "UPDATE steps SET status = ?, step_payload = ? WHERE idx = ?", rows
                )
            )

    def finish(self, *, checkpoint: bool) -> None:
        """Let go of it: written back into one file, or with its write-ahead log left as it is."""
        self.end_turn()
        if checkpoint:
            self._connection.close()
        else:
            _left_open.append(self._connection)

    def make(self, facts: Facts) -> None:
        """Create the tables of a new conversation."""

        def create() -> None:
            for statement in DDL:
                self._connection.execute(statement)
            self._connection.execute(
                "INSERT INTO trajectory_meta VALUES (?, ?, ?, ?)",
                (facts.trajectory, facts.conversation, CASCADE, CLI),
            )
            self._connection.execute(
                "INSERT INTO trajectory_metadata_blob VALUES ('main', ?)", (encode(_birth(facts)),)
            )

        self._set("PRAGMA user_version = 1")
        self._change(create)

    def _add(self, step: Step) -> None:
        if step.type == "USER_INPUT":
            if not self._trail.first_prompt:
                self._trail = self._trail._replace(first_prompt=self._first_prompt() or step.plain or "")
            self._note_turn()
            self._turn = (step.idx, step.execution)
        elif self._turn is not None:
            self._turn = (max(self._turn[0], step.idx), step.execution or self._turn[1])
        calls = self._ask("SELECT count(*) FROM gen_metadata")[0][0]
        self._put(step, calls)
        if step.type == "PLANNER_RESPONSE" and step.usage is not None:
            self._generated(step, calls)

    def _note_turn(self) -> None:
        if self._turn is None:
            return
        (last, execution), self._turn = self._turn, None
        self._connection.execute(
            "INSERT INTO executor_metadata SELECT ifnull(max(idx) + 1, 0), ? FROM executor_metadata",
            (encode([(3, last or None), (9, execution or None)]),),
        )

    def _put(self, step: Step, ordinal: int) -> None:
        row = columns(step, self._trail, ordinal)
        self._connection.execute(
            "INSERT OR REPLACE INTO steps (idx, step_type, status, metadata, error_details, task_details,"
            " step_payload) VALUES (?, ?, ?, ?, ?, ?, ?)",
            tuple(row),
        )

    def _generated(self, step: Step, number: int) -> None:
        """Note a model call; only the newest keeps what was sent, so the one before is written again."""
        for idx, newest in ((number - 1, False), (number, True)):
            if idx < 0:
                continue
            blob = generation(step, self._trail, newest=newest)
            if not newest:
                old = self._ask("SELECT data FROM gen_metadata WHERE idx = ?", (idx,))
                blob = without_prompts(old[0][0]) if old else blob
            self._connection.execute(
                "INSERT OR REPLACE INTO gen_metadata VALUES (?, ?, ?)", (idx, blob, len(blob))
            )

    def _first_prompt(self) -> str | None:
        rows = self._ask(
            "SELECT step_payload FROM steps WHERE step_type = ? ORDER BY idx LIMIT 1",
            (STEP_TYPES["USER_INPUT"],),
        )
        return text_at(rows[0][0], 19, 2) if rows else None

    def _ask(self, query: str, values: tuple[object, ...] = ()) -> list[Any]:
        try:
            rows: list[Any] = self._connection.execute(query, values).fetchall()
        except (_sqlite3.Error, ValueError) as wrong:
            raise self._broken(wrong) from None
        return rows

    def _set(self, pragma: str) -> None:
        self._ask(pragma)

    def _change(self, change: Any) -> None:
        try:
            self._connection.execute("BEGIN IMMEDIATE")
            change()
            self._connection.execute("COMMIT")
        except _sqlite3.Error as wrong:
            if self._connection.in_transaction:
                self._connection.execute("ROLLBACK")
            raise self._broken(wrong) from None

    def _broken(self, wrong: Exception) -> Broken:
        return Broken(f"the database of conversation {self._trail.conversation}: {wrong}")


def open_database(path: str, trail: Trail, facts: Facts | None) -> Database:
    """Open a database, made new where `facts` say with what; `Broken` where it can't be read."""
    if facts is not None:
        private_folder(os.path.dirname(path))
        os.close(os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600))
    try:
        connection = _sqlite3.connect(path, timeout=BUSY, isolation_level=None)
        connection.execute("PRAGMA synchronous = OFF")
        connection.execute("PRAGMA journal_mode = WAL")
    except _sqlite3.Error as wrong:
        raise Broken(f"{path}: {wrong}") from None
    database = Database(connection, trail)
    if facts is not None:
        database.make(facts)
    else:
        database.next_idx()
        database.created()
    return database


def without_prompts(blob: bytes) -> bytes:
    """Write a model call's blob again without what was sent: only the newest keeps that."""
    from fake_agy.stores.protobuf import fields_of

    kept: Message = []
    for number, _, value in fields_of(blob):
        if number == 1 and isinstance(value, bytes):
            value = encode([(each, old) for each, _, old in fields_of(value) if each not in {2, 8, 16}])
        kept.append((number, value))
    return encode(kept)


def trail_of(facts_id: str, seed: int, transcript: str) -> Trail:
    """Name what a conversation's steps refer to."""
    return Trail(facts_id, uuid_of(str(seed), facts_id, "trajectory"), transcript)


def _answered(turn: Told, payload: bytes) -> Told:
    used = turn.usage
    added = Usage(
        used.input + number_at(payload, 5, 9, 2),
        used.output + number_at(payload, 5, 9, 3),
        used.thinking + number_at(payload, 5, 9, 9),
        used.cache_read + number_at(payload, 5, 9, 5),
    )
    text = text_at(payload, 20, 1)
    return Told(turn.prompt, text or turn.answer, added, turn.execution)


def _seconds(payload: bytes, field: int) -> float:
    return number_at(payload, field, 1) + number_at(payload, field, 2) / 1e9


def _birth(facts: Facts) -> Message:
    """Make the ``main`` blob; without a workspace fields 1 and 7 are absent (stores.md 4.2)."""
    spaces: Message = [(1, _workspace(path)) for path in facts.workspaces]
    listed: Message = [(7, f"file://{path}") for path in facts.workspaces]
    return [
        *spaces,
        (2, timestamp(facts.created)),
        (3, uuid_of(facts.conversation, "metadata")),
        (5, facts.parent),
        (6, facts.parent or facts.conversation),
        *listed,
        (17, facts.depth or None),
        (18, facts.project),
    ]


def _workspace(path: str) -> Message:
    """Name a workspace and the repository it lies in."""
    from fake_agy.stores.repository import repository_of  # most calls in print mode have no workspace

    found = repository_of(path)
    if found is None:
        return [(1, f"file://{path}")]
    remote: Message | None = None if found.remote is None else [(2, found.remote)]
    return [(1, f"file://{path}"), (2, f"file://{found.root}"), (3, remote), (4, found.branch)]
