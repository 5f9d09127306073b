"""A database as lines of steps, read from a copy so that nobody is held up."""

import json
import sqlite3
from pathlib import Path

import pytest

from agy_proxy.record.decoded import BETWEEN_NS, DecodedDatabase
from agy_proxy.watch.tail import Change
from fake_agy.stores.database import Database, Facts, open_database
from fake_agy.stores.layout import layout_of
from fake_agy.stores.payload import Trail
from fake_agy.stores.step import Step, ToolCall, Usage
from fake_agy.stores.summaries import Summary, remember

ID = "11111111-2222-4333-8444-555555555555"


@pytest.fixture
def root(home: Path) -> Path:
    return home / ".gemini" / "antigravity-cli"


@pytest.fixture
def database(root: Path) -> Database:
    trail = Trail(ID, "trajectory", "/t")
    made = open_database(
        str(root / "conversations" / f"{ID}.db"), trail, Facts(ID, "trajectory", 1.0, ("/w",))
    )
    made.append([said(0, "one")])
    return made


def said(idx: int, text: str) -> Step:
    return Step(idx, "USER_EXPLICIT", "USER_INPUT", 2.0, 3.5, plain=text)


def told(change: Change | bytes | None) -> list[dict[str, object]]:
    data = change.data if isinstance(change, Change) else change
    return [json.loads(line) for line in (data or b"").splitlines()]


def test_new_and_changed_steps_are_told_once(root: Path, database: Database) -> None:
    decoded = DecodedDatabase(bytes(root), ID, fresh=True)
    first = decoded.change(0)
    assert first is not None
    assert first.op == "create"
    facts, step = told(first)
    assert facts == {
        "facts": {
            "conversation": ID,
            "trajectory": "trajectory",
            "created": 1.0,
            "workspaces": ["/w"],
            "project": "default-cli-project",
            "parent": None,
            "depth": 0,
        }
    }
    assert step == {
        "step": {
            "idx": 0,
            "source": "USER_EXPLICIT",
            "type": "USER_INPUT",
            "status": "DONE",
            "created": 2.0,
            "finished": 3.5,
            "plain": "one",
        }
    }
    call = ToolCall("run_command", {"CommandLine": "ls"}, "id")
    answer = Step(
        1, "MODEL", "PLANNER_RESPONSE", 4.0, 5.0, plain="two", tool_calls=(call,), usage=Usage(1, 2, 1)
    )
    database.append([answer])
    database.change(said(0, "changed"))
    second = decoded.change(BETWEEN_NS)
    assert second is not None
    assert second.op == "append"
    changed, added = told(second)
    assert changed["step"]["plain"] == "changed"  # type: ignore[index]  # values of JSON
    assert added["step"]["tool_calls"] == [{"name": "run_command", "args": {"CommandLine": "ls"}, "id": "id"}]  # type: ignore[index]  # as above
    assert decoded.change(2 * BETWEEN_NS) is None


def test_it_is_not_read_too_often_but_at_last_in_any_case(root: Path, database: Database) -> None:
    decoded = DecodedDatabase(bytes(root), ID, fresh=True)
    assert decoded.change(0) is not None
    database.append([said(1, "two")])
    assert decoded.change(BETWEEN_NS - 1) is None
    assert len(told(decoded.change(BETWEEN_NS - 1, last=True))) == 1


def test_what_stood_before_is_told_apart(root: Path, database: Database) -> None:
    decoded = DecodedDatabase(bytes(root), ID, fresh=False)
    assert len(told(decoded.stood)) == 2
    database.append([said(1, "two")])
    change = decoded.change(0)
    assert change is not None
    assert (change.op, len(told(change))) == ("append", 1)


def test_title_and_preview_come_from_the_list(root: Path, database: Database, home: Path) -> None:
    remember(layout_of(str(home)), Summary(ID, "title", "preview", 1, 1.0, ("/w",), "p", 1.0, 0))
    facts, _ = told(DecodedDatabase(bytes(root), ID, fresh=True).change(0))
    assert facts["facts"]["title"] == "title"  # type: ignore[index]  # values of JSON
    assert facts["facts"]["preview"] == "preview"  # type: ignore[index]  # as above
    database.finish(checkpoint=True)


def test_reading_leaves_no_file_and_holds_no_lock(root: Path, database: Database) -> None:
    folder = root / "conversations"
    database.finish(checkpoint=True)
    before = sorted(path.name for path in folder.iterdir())
    assert DecodedDatabase(bytes(root), ID, fresh=True).change(0) is not None
    assert sorted(path.name for path in folder.iterdir()) == before == [f"{ID}.db"]
    holder = sqlite3.connect(folder / f"{ID}.db", isolation_level=None)
    holder.execute("PRAGMA locking_mode = EXCLUSIVE")
    holder.execute("BEGIN EXCLUSIVE")
    assert DecodedDatabase(bytes(root), ID, fresh=True).change(0) is not None
    holder.close()


def test_what_is_no_database_says_nothing(root: Path) -> None:
    decoded = DecodedDatabase(bytes(root), ID, fresh=True)
    assert decoded.change(0) is None
    (root / "conversations").mkdir(parents=True)
    (root / "conversations" / f"{ID}.db").write_bytes(b"not a database, by any means")
    assert decoded.change(BETWEEN_NS) is None
    (root / "conversations" / f"{ID}.db").unlink()
    (root / "conversations" / f"{ID}.db").symlink_to("/etc/passwd")
    assert decoded.change(2 * BETWEEN_NS) is None
