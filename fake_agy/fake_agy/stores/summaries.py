"""``conversation_summaries.db``: the list of conversations that agy's picker shows (stores.md 4.3)."""

from __future__ import annotations

import _sqlite3
import os
import time

from fake_agy.go.json import compact_json
from fake_agy.stores.database import BUSY, Broken
from fake_agy.stores.files import private_folder

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import NamedTuple

    from fake_agy.stores.layout import Layout
else:
    from fake_agy.record import NamedTuple

DDL = (
    'CREATE TABLE `conversation_summaries` (`conversation_id` text,`title` text NOT NULL DEFAULT "",'
    '`preview` text NOT NULL DEFAULT "",`step_count` integer NOT NULL DEFAULT 0,'
    "`last_modified_time` datetime NOT NULL,`workspace_uris` text NOT NULL,"
    '`status` text NOT NULL DEFAULT "",`source` text NOT NULL DEFAULT "",'
    '`project_id` text NOT NULL DEFAULT "",`agent_name` text NOT NULL DEFAULT "",'
    '`parent_conversation_id` text NOT NULL DEFAULT "",`nesting_depth` integer NOT NULL DEFAULT 0,'
    '`battle_id` text NOT NULL DEFAULT "",`winning_conversation_id` text NOT NULL DEFAULT "",'
    "`not_fully_idle` numeric NOT NULL DEFAULT false,`killed` numeric NOT NULL DEFAULT false,"
    "`last_user_input_time` datetime NOT NULL,`last_user_input_step_index` integer NOT NULL DEFAULT -1,"
    '`app_data_dir` text NOT NULL DEFAULT "",PRIMARY KEY (`conversation_id`))',
    "CREATE INDEX `idx_conversation_summaries_last_user_input_time` ON "
    "`conversation_summaries`(`last_user_input_time`)",
    "CREATE INDEX `idx_conversation_summaries_last_modified_time` ON "
    "`conversation_summaries`(`last_modified_time`)",
)


class Summary(NamedTuple):
    """One conversation in the list; times are seconds since the epoch, `workspaces` absolute paths."""

    conversation: str
    title: str
    preview: str
    step_count: int
    modified: float
    workspaces: tuple[str, ...]
    project: str
    last_input: float
    last_input_step: int
    parent: str = ""
    depth: int = 0


def remember(layout: Layout, summary: Summary, *, lagging: bool = False) -> None:
    """Put a conversation into the list; a `lagging` list takes the first one only.

    The caller holds the store's lock. `Broken` where the file can't be read or written.
    """
    path = f"{layout.root}/conversation_summaries.db"
    private_folder(layout.root)
    os.close(os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600))
    row = {
        "conversation_id": summary.conversation,
        "title": summary.title,
        "preview": summary.preview,
        "step_count": summary.step_count,
        "last_modified_time": _written(summary.modified),
        "workspace_uris": compact_json([f"file://{path}" for path in summary.workspaces]),
        "status": "CASCADE_RUN_STATUS_IDLE",
        "source": "CORTEX_TRAJECTORY_SOURCE_CLI",
        "project_id": summary.project,
        "parent_conversation_id": summary.parent,
        "nesting_depth": summary.depth,
        "last_user_input_time": _written(summary.last_input),
        "last_user_input_step_index": summary.last_input_step,
        "app_data_dir": "antigravity-cli",
    }
    connection = None
    try:
        connection = _sqlite3.connect(path, timeout=BUSY, isolation_level=None)
        connection.execute("PRAGMA synchronous = OFF")
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("BEGIN IMMEDIATE")
        if not connection.execute("SELECT 1 FROM sqlite_master").fetchone():
            for statement in DDL:
                connection.execute(statement)
        first = connection.execute("SELECT conversation_id FROM conversation_summaries LIMIT 1").fetchone()
        if not lagging or first in (None, (summary.conversation,)):
            names, places = ", ".join(row), ", ".join("?" * len(row))
            # The names are this module's own.
            statement = f"INSERT OR REPLACE INTO conversation_summaries ({names}) VALUES ({places})"
            connection.execute(statement, tuple(row.values()))
        connection.execute("COMMIT")
    except _sqlite3.Error as wrong:
        raise Broken(f"{path}: {wrong}") from None
    finally:
        if connection is not None:
            connection.close()


def titled(prompt: str) -> str:
    """Make a conversation's title of a prompt: one line of at most 60 characters."""
    return " ".join(prompt.split())[:60]


def _written(seconds: float) -> str:
    whole = time.strftime("%Y-%m-%d %H:%M:%S", time.gmtime(seconds))
    return f"{whole}.{int(seconds % 1 * 1e6):06d}+00:00"
