import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from fake_agy.stores import summaries
from fake_agy.stores.database import DDL, Broken, Database, Facts, open_database, trail_of
from fake_agy.stores.layout import layout_of
from fake_agy.stores.opaque import open_opaque
from fake_agy.stores.protobuf import decode, number_at, text_at
from fake_agy.stores.step import Step, ToolCall, Usage

ID = "6a459081-19d6-465b-a339-76a50db44af6"
TRAIL = trail_of(ID, 1, "/h/transcript.jsonl")
FACTS = Facts(ID, TRAIL.trajectory, 1000.5, ("/work/a",))
ASKED = Step(
    0, "USER_EXPLICIT", "USER_INPUT", 1000.25, 1000.25, content="<wrapped>", plain="hello", model="m"
)
ANSWERED = Step(
    1,
    "MODEL",
    "PLANNER_RESPONSE",
    1001.0,
    1003.5,
    content="Hi.\n",
    thinking="why",
    tool_calls=(ToolCall("run_command", {"b": 1, "a": "x"}, "call-1"),),
    usage=Usage(314, 305, 9, 7),
    model="m",
    execution="turn",
)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "conversations" / f"{ID}.db"


@pytest.fixture
def database(path: Path) -> Iterator[Database]:
    made = open_database(str(path), TRAIL, FACTS)
    made.append((ASKED, ANSWERED))
    yield made
    made.finish(checkpoint=True)


def asked(path: Path, query: str) -> list[tuple[object, ...]]:
    with closing(sqlite3.connect(path)) as connection:
        return connection.execute(query).fetchall()


def test_the_schema_is_agys_in_order(database: Database, path: Path) -> None:
    made = [row[0] for row in asked(path, "SELECT sql FROM sqlite_master WHERE sql IS NOT NULL")]

    assert tuple(made) == DDL
    assert asked(path, "PRAGMA user_version") == [(1,)]
    assert asked(path, "PRAGMA journal_mode") == [("wal",)]
    assert asked(path, "PRAGMA page_size") == [(4096,)]
    assert database.next_idx() == 2


@pytest.mark.usefixtures("database")
def test_the_files_are_for_their_owner_alone(path: Path) -> None:
    assert {each.name for each in path.parent.iterdir()} == {
        path.name,
        f"{path.name}-wal",
        f"{path.name}-shm",
    }
    assert {each.stat().st_mode & 0o777 for each in path.parent.iterdir()} == {0o600}


@pytest.mark.usefixtures("database")
def test_a_prompt_is_held_bare_in_both_of_its_fields(path: Path) -> None:
    ((kind, status, metadata, payload),) = asked(
        path, "SELECT step_type, status, metadata, step_payload FROM steps WHERE idx = 0"
    )
    assert isinstance(payload, bytes)

    assert (kind, status) == (14, 3)
    assert (number_at(payload, 1), number_at(payload, 4)) == (14, 3)
    assert decode(payload)[5] == [metadata]
    assert (text_at(payload, 19, 2), text_at(payload, 19, 3, 1)) == ("hello", "hello")
    assert 1 not in decode(decode(payload)[19][0])  # type: ignore[arg-type]  # a message is bytes
    assert (number_at(payload, 5, 1, 1), number_at(payload, 5, 1, 2)) == (1000, 250_000_000)
    assert number_at(payload, 5, 3) == 4


@pytest.mark.usefixtures("database")
def test_an_answer_has_text_thought_calls_and_tokens_in_agys_fields(path: Path) -> None:
    ((payload,),) = asked(path, "SELECT step_payload FROM steps WHERE idx = 1")
    assert isinstance(payload, bytes)

    assert (text_at(payload, 20, 1), text_at(payload, 20, 8), text_at(payload, 20, 3)) == (
        "Hi.\n",
        "Hi.\n",
        "why",
    )
    assert (text_at(payload, 20, 7, 1), text_at(payload, 20, 7, 2)) == ("call-1", "run_command")
    assert text_at(payload, 20, 7, 3) == '{"a":"x","b":1}'
    assert (text_at(payload, 20, 6) or "").startswith("bot-")
    assert number_at(payload, 20, 12) == 2
    used = [number_at(payload, 5, 9, field) for field in (2, 3, 5, 6, 9, 10)]
    assert used == [314, 305, 7, 24, 9, 296]
    assert (text_at(payload, 5, 12), number_at(payload, 5, 20, 2), text_at(payload, 5, 20, 4)) == (
        "turn",
        1,
        ID,
    )


@pytest.mark.usefixtures("database")
def test_the_main_blob_names_the_workspace_and_the_project(path: Path) -> None:
    (((blob),),) = asked(path, "SELECT data FROM trajectory_metadata_blob WHERE id = 'main'")
    assert isinstance(blob, bytes)

    assert (text_at(blob, 1, 1), text_at(blob, 7)) == ("file:///work/a", "file:///work/a")
    assert (text_at(blob, 6), text_at(blob, 18)) == (ID, "default-cli-project")
    assert asked(path, "SELECT * FROM trajectory_meta") == [(TRAIL.trajectory, ID, 4, 17)]


def test_the_main_blob_names_the_repository_that_a_workspace_lies_in(tmp_path: Path) -> None:
    (tmp_path / "work" / ".git").mkdir(parents=True)
    (tmp_path / "work" / ".git" / "HEAD").write_text("ref: refs/heads/main\n")
    (tmp_path / "work" / ".git" / "config").write_text('[remote "origin"]\n\turl = git@h:a.git\n')
    path = tmp_path / "x.db"
    open_database(str(path), TRAIL, FACTS._replace(workspaces=(f"{tmp_path}/work/a",))).finish(
        checkpoint=True
    )
    ((blob,),) = asked(path, "SELECT data FROM trajectory_metadata_blob WHERE id = 'main'")
    assert isinstance(blob, bytes)

    assert [text_at(blob, 1, *field) for field in ((1,), (2,), (3, 2), (4,))] == [
        f"file://{tmp_path}/work/a",
        f"file://{tmp_path}/work",
        "git@h:a.git",
        "main",
    ]


def test_only_the_newest_model_call_keeps_what_was_sent(database: Database, path: Path) -> None:
    database.append((ASKED._replace(idx=2), ANSWERED._replace(idx=3)))
    rows = asked(path, "SELECT idx, data, size FROM gen_metadata ORDER BY idx")
    blobs = [row[1] for row in rows]

    assert [row[2] for row in rows] == [len(blob) for blob in blobs if isinstance(blob, bytes)]
    assert [text_at(blob, 1, 16) is not None for blob in blobs if isinstance(blob, bytes)] == [False, True]


def test_a_model_call_names_the_model_by_its_number_and_for_people(database: Database, path: Path) -> None:
    said = ANSWERED._replace(idx=2, model="gemini-3.1-pro-high", label="Gemini 3.1 Pro (High)")
    database.append((said,))
    ((blob,),) = asked(path, "SELECT data FROM gen_metadata WHERE idx = 1")
    assert isinstance(blob, bytes)
    (chat,) = decode(blob)[1]
    assert isinstance(chat, bytes)
    pairs = {text_at(pair, 1): text_at(pair, 2) for pair in decode(chat)[20] if isinstance(pair, bytes)}

    assert (number_at(chat, 3), text_at(chat, 21)) == (1016, "Gemini 3.1 Pro (High)")
    assert (text_at(chat, 4, 8, 1), number_at(chat, 4, 1)) == ("sessionID", 1016)
    assert pairs == {
        "model_enum": "MODEL_PLACEHOLDER_M16",
        "trajectory_id": TRAIL.trajectory,
        "used_claude": "false",
        "used_claude_conservative": "false",
        "last_step_index": "2",
    }


def test_a_turn_is_noted_when_it_ends_with_its_last_step(database: Database, path: Path) -> None:
    assert asked(path, "SELECT * FROM executor_metadata") == []
    database.append((ASKED._replace(idx=2, execution="next"), ANSWERED._replace(idx=4, execution="next")))
    database.append((ANSWERED._replace(idx=3, execution="next"),))
    database.end_turn()
    database.end_turn()
    noted = asked(path, "SELECT * FROM executor_metadata ORDER BY idx")

    assert [
        (idx, number_at(blob, 3), text_at(blob, 9)) for idx, blob in noted if isinstance(blob, bytes)
    ] == [(0, 1, "turn"), (1, 4, "next")]


@pytest.mark.parametrize(("text", "task"), [(None, None), ("It runs.", f"{ID}/task-2")])
def test_only_what_goes_on_in_the_background_is_a_task(
    text: str | None, task: str | None, database: Database, path: Path
) -> None:
    call = ToolCall("run_command", {})
    step = Step(2, "MODEL", "RUN_COMMAND", 1004.0, 1004.0, status="RUNNING", answers=call, plain=text)
    database.append((step,))
    ((kept, payload),) = asked(path, "SELECT task_details, step_payload FROM steps WHERE idx = 2")
    assert isinstance(payload, bytes)
    (metadata,) = decode(payload)[5]
    assert isinstance(metadata, bytes)
    (stages,) = decode(metadata)[26]
    assert isinstance(stages, bytes)

    assert text_at(payload, 148, 1) == task
    assert (kept is None) == (task is None)
    assert [number_at(stage, 1) for stage in decode(stages)[1] if isinstance(stage, bytes)] == [1, 2]


def test_a_tool_that_settles_keeps_the_count_of_model_calls_it_had(database: Database, path: Path) -> None:
    call = ToolCall("run_command", {})
    step = Step(2, "MODEL", "RUN_COMMAND", 1004.0, 1004.0, status="RUNNING", answers=call)
    database.append((step, ANSWERED._replace(idx=3)))
    database.change(step._replace(status="DONE", plain="out"))
    ((payload,),) = asked(path, "SELECT step_payload FROM steps WHERE idx = 2")
    assert isinstance(payload, bytes)

    assert number_at(payload, 5, 20, 3) == 1


def test_an_empty_answer_has_no_text_fields(database: Database, path: Path) -> None:
    database.append((ANSWERED._replace(idx=2, content="", thinking=None),))
    ((payload,),) = asked(path, "SELECT step_payload FROM steps WHERE idx = 2")
    assert isinstance(payload, bytes)
    (planner,) = decode(payload)[20]
    assert isinstance(planner, bytes)

    assert {1, 3, 8}.isdisjoint(decode(planner))
    assert (number_at(planner, 11, 1), number_at(planner, 11, 2)) == (2, 500_000_000)


def test_what_was_told_is_read_from_the_database_with_an_unanswered_turn(database: Database) -> None:
    database.append((ASKED._replace(idx=2, plain="again"),))

    first, second = database.told()
    assert (first.prompt, first.answer, first.usage) == ("hello", "Hi.\n", Usage(314, 305, 9, 7))
    assert (second.prompt, second.answer) == ("again", None)
    assert (database.created(), database.model(), database.last_input()) == (1000.5, "m", 2)


def test_a_step_left_running_is_canceled_when_the_conversation_is_resumed(
    database: Database, path: Path
) -> None:
    call = ToolCall("run_command", {})
    database.append((Step(2, "MODEL", "GENERIC", 1004.0, 1004.0, status="RUNNING", answers=call),))
    database.cancel_running()

    ((status, payload),) = asked(path, "SELECT status, step_payload FROM steps WHERE idx = 2")
    assert isinstance(payload, bytes)
    assert (status, number_at(payload, 4)) == (6, 6)


def test_the_log_stays_beside_the_database_unless_it_is_written_back(path: Path) -> None:
    left = open_database(str(path), TRAIL, FACTS)
    left.finish(checkpoint=False)
    assert path.with_name(f"{path.name}-wal").exists()
    again = open_database(str(path), TRAIL, None)
    again.finish(checkpoint=True)
    assert again is not left


@pytest.mark.parametrize("content", [b"no database at all" * 100, b"SQLite format 3\0" + b"x" * 5000])
def test_a_damaged_database_is_broken(path: Path, content: bytes) -> None:
    path.parent.mkdir()
    path.write_bytes(content)
    with pytest.raises(Broken):
        open_database(str(path), TRAIL, None)


def test_the_old_store_remembers_and_shows_nothing(path: Path) -> None:
    old = path.with_suffix(".pb")
    store = open_opaque(str(old), TRAIL, FACTS)
    store.append((ASKED, ANSWERED))
    store.finish(checkpoint=False)

    again = open_opaque(str(old), TRAIL, None)
    assert [(turn.prompt, turn.answer) for turn in again.told()] == [("hello", "Hi.\n")]
    assert b"hello" not in old.read_bytes()
    assert b"SQLite" not in old.read_bytes()
    old.write_bytes(b"damaged")
    with pytest.raises(Broken):
        open_opaque(str(old), TRAIL, None)


def test_the_list_of_conversations_has_agys_schema_and_rows(tmp_path: Path) -> None:
    layout = layout_of(str(tmp_path))
    summary = summaries.Summary(
        conversation=ID,
        title="hello",
        preview="hello",
        step_count=2,
        modified=1782900000.123456,
        workspaces=("/work/a",),
        project="default-cli-project",
        last_input=1782900000.0,
        last_input_step=0,
    )
    summaries.remember(layout, summary)
    summaries.remember(layout, summary._replace(step_count=4))
    path = Path(layout.root) / "conversation_summaries.db"

    made = [row[0] for row in asked(path, "SELECT sql FROM sqlite_master WHERE sql IS NOT NULL")]
    assert tuple(made) == summaries.DDL
    assert asked(
        path,
        "SELECT conversation_id, step_count, last_modified_time, workspace_uris FROM conversation_summaries",
    ) == [(ID, 4, "2026-07-01 10:00:00.123456+00:00", '["file:///work/a"]')]
