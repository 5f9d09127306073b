"""What agy keeps in its store beside the transcripts, written again: pieces, logs, lists, and databases."""

import json
import os
import re
import sqlite3
import subprocess
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from agy_cassettes.interaction import FileEvent, FileOp, Interaction, Recorded
from tests.support.double import Double, make_double
from tests.support.interactions import BY, interaction
from tests.support.players import Player, player

ASK = ("-p", "What is left?")
ID = "9b1dbf00-1111-4222-8333-444455556666"
OTHER = "0f0f0f0f-1111-4222-8333-444455556666"
GENERATED = f"brain/{ID}/.system_generated"
RECORDED = Recorded(at="2026-06-20T10:33:38.500Z", by=BY, agy="1.2.10")
BEGAN = datetime(2026, 6, 20, 10, 33, 38, 500000, UTC).timestamp()
DATABASE = f"conversations/{ID}.db"


def written(path: str, text: str, op: FileOp = "create", **extra: Any) -> FileEvent:
    return FileEvent(op=op, path=f"${{AGY_HOME}}/{path}", text=text.encode(), extra=extra)


def merged(name: str, entries: object) -> FileEvent:
    return written(f"cache/{name}", json.dumps(entries), "replace", merge=True)


def step(idx: int, kind: str, text: str, at: float = 2.0, **more: Any) -> dict[str, Any]:
    source = "USER_EXPLICIT" if kind == "USER_INPUT" else "MODEL"
    times = {"created": BEGAN + at, "finished": BEGAN + at + 1}
    return {"step": {"idx": idx, "source": source, "type": kind, "plain": text, **times, **more}}


FACTS = {
    "facts": {
        "conversation": ID,
        "trajectory": OTHER,
        "created": BEGAN + 1,
        "workspaces": ["${CWD}"],
        "project": "my-project",
        "parent": None,
        "depth": 0,
        "title": "Remember it",
        "preview": "Remember 42",
        "model": "m",
    }
}
TURN = (
    step(0, "USER_INPUT", "Remember 42", model="gemini-3-pro", execution=OTHER),
    step(
        1, "PLANNER_RESPONSE", "I will.", 4, usage={"input": 9, "output": 3, "thinking": 1, "cache_read": 2}
    ),
)


def decoded(*lines: dict[str, Any], op: FileOp = "create", **extra: Any) -> FileEvent:
    text = "".join(json.dumps(line, sort_keys=True) + "\n" for line in lines)
    return written(DATABASE, text, op, decoded=True, **extra)


def files(*events: FileEvent, name: str = "1", prompt: str = "What is left?") -> Interaction:
    return interaction(name, files=events, recorded=RECORDED, prompt=prompt)


def ask(path: Path, query: str) -> list[Any]:
    with closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as connection:
        return connection.execute(query).fetchall()


def errors(agy: Player) -> str:
    log = agy.folder / "errors.log"
    return log.read_text() if log.exists() else ""


def test_every_file_that_agy_made_of_a_conversation_is_there_with_present_times(tmp_path: Path) -> None:
    at = "2026-06-20T10:33:40"
    agy = player(
        tmp_path,
        files(
            written(f"{GENERATED}/logs/transcript/00000000.jsonl", f'{{"created_at":"{at}Z"}}\n'),
            written(f"{GENERATED}/steps/3/output.txt", "in ${CWD}\n"),
            written(f"{GENERATED}/tasks/task-4.log", "done\n", "append"),
            written(f"{GENERATED}/messages/a.json", f'{{\n "timestamp": "{at}.123456789Z"\n}}', "replace"),
            written(
                f"{GENERATED}/messages/cursor.json", '{"last_read_unix_nano": 1781951620000000000}', "replace"
            ),
            written(f"{GENERATED}/messages/gone.json", "{}"),
            FileEvent(op="delete", path=f"${{AGY_HOME}}/{GENERATED}/messages/gone.json"),
        ),
    )

    before = int(datetime.now(UTC).timestamp())
    assert agy.run(*ASK, cwd=tmp_path).returncode == 0
    after = datetime.now(UTC).timestamp()

    made = agy.store / GENERATED
    row = json.loads((made / "logs/transcript/00000000.jsonl").read_text())
    message = json.loads((made / "messages/a.json").read_text())
    cursor = json.loads((made / "messages/cursor.json").read_text())
    times = [
        datetime.fromisoformat(row["created_at"]),
        datetime.fromisoformat(message["timestamp"][:26] + "Z"),
    ]
    assert all(before <= at.timestamp() <= after for at in times)
    assert before <= cursor["last_read_unix_nano"] / 1e9 <= after
    assert (made / "steps/3/output.txt").read_text() == f"in {tmp_path}\n"
    assert (made / "tasks/task-4.log").read_text() == "done\n"
    assert not (made / "messages/gone.json").exists()
    assert errors(agy) == ""


LOG = "cli-20260620_123338.log"


def logged(name: str = "1") -> Interaction:
    return files(
        written(f"log/{LOG}", "I0620 12:33:39.000250 7 a.go:1] x\n", "append"),
        FileEvent(op="symlink", path="${AGY_HOME}/log/cli.log", target=LOG),
        name=name,
    )


def test_the_default_log_has_a_present_name_and_cli_log_leads_to_it_call_by_call(tmp_path: Path) -> None:
    agy = player(tmp_path, logged("1"), logged("2"))
    zone = {"TZ": "UTC"}

    before = datetime.now(UTC).replace(microsecond=0)
    assert [agy.run(*ASK, env=zone).returncode for _ in range(2)] == [0, 0]
    after = datetime.now(UTC)

    names = sorted(path.name for path in (agy.store / "log").iterdir())
    link = str((agy.store / "log" / "cli.log").readlink())
    assert names[0] == "cli.log" or names[-1] == "cli.log"
    assert link in names
    found = re.fullmatch(r"cli-(\d{8}_\d{6})\.log", link)
    assert found is not None
    assert before <= datetime.strptime(found[1], "%Y%m%d_%H%M%S").replace(tzinfo=UTC) <= after
    lines = "".join((agy.store / "log" / name).read_text() for name in names if name != "cli.log")
    assert len(re.findall(f"(?m)^I{before.month:02}", lines)) == 2 or before.month != after.month
    assert errors(agy) == ""


def test_the_default_log_keeps_its_name_where_times_are_kept(tmp_path: Path) -> None:
    agy = player(tmp_path, logged(), time="recorded")

    agy.run(*ASK)

    assert (agy.store / "log" / LOG).read_text() == "I0620 12:33:39.000250 7 a.go:1] x\n"
    assert str((agy.store / "log" / "cli.log").readlink()) == LOG


def test_what_was_typed_is_remembered_behind_what_stands_there(tmp_path: Path) -> None:
    line = '{"display":"hi","timestamp":1781951620123,"workspace":"${CWD}","conversationId":"' + f'{ID}"}}\n'
    agy = player(tmp_path, files(written("history.jsonl", line, "append")))
    agy.store.mkdir(parents=True)
    (agy.store / "history.jsonl").write_text('{"display":"before"}\n')

    before = int(datetime.now(UTC).timestamp() * 1000)
    agy.run(*ASK, cwd=tmp_path)
    after = datetime.now(UTC).timestamp() * 1000

    first, second = map(json.loads, (agy.store / "history.jsonl").read_text().splitlines())
    assert first == {"display": "before"}
    assert before <= second.pop("timestamp") <= after
    assert second == {"display": "hi", "workspace": str(tmp_path), "conversationId": ID}


def cached(agy: Player, name: str) -> Any:
    return json.loads((agy.store / "cache" / name).read_text())


def test_entries_of_shared_files_are_put_beside_those_of_others(tmp_path: Path) -> None:
    at = "2026-06-20T10:33:40Z"
    entry = {"summary": {"ID": ID, "UpdatedAt": at}, "last_modified_time": at}
    agy = player(
        tmp_path,
        files(
            merged("last_conversations.json", {"${CWD}": ID}),
            merged("projects.json", {"${CWD}": "mine"}),
            merged("conversation_metadata.json", {"conversations": {ID: entry}}),
        ),
    )
    (agy.store / "cache").mkdir(parents=True)
    (agy.store / "cache/last_conversations.json").write_text('{"/a":"1","/z":"2"}')
    (agy.store / "cache/conversation_metadata.json").write_text(
        '{"conversations":{"x":{"is_internal":true}}}'
    )

    before = int(datetime.now(UTC).timestamp())
    assert agy.run(*ASK, cwd=tmp_path).returncode == 0
    after = datetime.now(UTC).timestamp()

    last = cached(agy, "last_conversations.json")
    assert last == {"/a": "1", "/z": "2", str(tmp_path): ID}
    assert list(last) == sorted(last)
    assert cached(agy, "projects.json") == {str(tmp_path): "mine"}
    known = cached(agy, "conversation_metadata.json")["conversations"]
    assert known["x"] == {"is_internal": True}
    moved = datetime.fromisoformat(known[ID]["last_modified_time"]).timestamp()
    assert before <= moved <= after
    assert known[ID]["summary"]["UpdatedAt"] == known[ID]["last_modified_time"]
    assert (agy.store / "cache/projects.json").stat().st_mode & 0o777 == 0o600
    assert errors(agy) == ""


def test_an_entry_that_is_there_is_replaced_and_a_damaged_file_is_begun_again(tmp_path: Path) -> None:
    agy = player(
        tmp_path,
        files(merged("last_conversations.json", {"${CWD}": ID}), merged("projects.json", {"${CWD}": "mine"})),
    )
    (agy.store / "cache").mkdir(parents=True)
    (agy.store / "cache/last_conversations.json").write_text(json.dumps({str(tmp_path): OTHER}))
    (agy.store / "cache/projects.json").write_text('{"/a":')

    agy.run(*ASK, cwd=tmp_path)

    assert cached(agy, "last_conversations.json") == {str(tmp_path): ID}
    assert cached(agy, "projects.json") == {str(tmp_path): "mine"}


def test_calls_at_once_lose_no_entry(tmp_path: Path) -> None:
    calls = [
        files(merged("last_conversations.json", {f"/{at}": ID}), name=str(at), prompt=f"prompt {at}")
        for at in range(12)
    ]
    agy = player(tmp_path, *calls)

    with ThreadPoolExecutor(12) as pool:
        codes = list(pool.map(lambda at: agy.run("-p", f"prompt {at}").returncode, range(12)))

    assert codes == [0] * 12
    assert set(cached(agy, "last_conversations.json")) == {f"/{at}" for at in range(12)}


def test_a_database_is_there_when_the_call_is_over(tmp_path: Path) -> None:
    agy = player(tmp_path, files(decoded(FACTS, *TURN)))

    before = datetime.now(UTC).timestamp() - 0.001
    assert agy.run(*ASK, cwd=tmp_path).returncode == 0
    after = datetime.now(UTC).timestamp() + 0.001

    assert errors(agy) == ""
    database = agy.store / DATABASE
    assert not database.with_name(f"{ID}.db-wal").exists()
    assert ask(database, "SELECT idx, step_type, status FROM steps ORDER BY idx") == [(0, 14, 3), (1, 15, 3)]
    assert ask(database, "SELECT trajectory_id, cascade_id FROM trajectory_meta") == [(OTHER, ID)]
    (row,) = ask(
        agy.store / "conversation_summaries.db",
        "SELECT conversation_id, title, preview, step_count, workspace_uris, project_id,"
        " last_user_input_time, last_user_input_step_index FROM conversation_summaries",
    )
    *known, said, index = row
    assert known == [ID, "Remember it", "Remember 42", 2, f'["file://{tmp_path}"]', "my-project"]
    assert before <= datetime.fromisoformat(said).timestamp() <= after
    assert index == 0
    assert database.stat().st_mode & 0o777 == 0o600
    assert database.parent.stat().st_mode & 0o777 == 0o700


def test_times_in_a_database_stay_where_they_are_kept(tmp_path: Path) -> None:
    agy = player(tmp_path, files(decoded(FACTS, *TURN)), time="recorded")

    agy.run(*ASK)

    query = "SELECT last_user_input_time, last_modified_time FROM conversation_summaries"
    (said, changed), *_ = ask(agy.store / "conversation_summaries.db", query)
    assert datetime.fromisoformat(said).timestamp() == BEGAN + 2
    assert datetime.fromisoformat(changed).timestamp() == BEGAN + 5


def test_later_calls_go_on_with_a_database_and_change_its_steps(tmp_path: Path) -> None:
    running = step(2, "RUN_COMMAND", "", 9, status="RUNNING", answers={"name": "run", "args": {}, "id": "c"})
    done = step(2, "RUN_COMMAND", "ok", 9, status="DONE", answers=["run", {}, "c"])
    agy = player(
        tmp_path,
        files(decoded(FACTS, *TURN), decoded(running, op="append"), decoded(done, op="append"), name="1"),
        files(decoded(step(3, "USER_INPUT", "And now?"), op="append"), name="2"),
    )

    assert [agy.run(*ASK, cwd=tmp_path).returncode for _ in range(2)] == [0, 0]

    assert errors(agy) == ""
    assert ask(agy.store / DATABASE, "SELECT idx, status FROM steps ORDER BY idx") == [
        *((0, 3), (1, 3)),
        *((2, 3), (3, 3)),
    ]
    query = "SELECT title, step_count, last_user_input_step_index FROM conversation_summaries"
    assert ask(agy.store / "conversation_summaries.db", query) == [("Remember it", 4, 3)]


def double_of(agy: Player, folder: Path) -> Double:
    made = make_double(folder)
    return Double(made.agy, agy.home, made.cwd)


def test_the_double_goes_on_with_a_conversation_that_was_rebuilt(tmp_path: Path) -> None:
    row = '{"step_index":0,"type":"USER_INPUT","content":"Remember 42"}\n'
    agy = player(
        tmp_path,
        files(
            written(f"{GENERATED}/logs/transcript.jsonl", row),
            decoded(FACTS, *TURN),
            merged("last_conversations.json", {"${CWD}": ID}),
        ),
    )
    double = double_of(agy, tmp_path / "double")
    assert agy.run(*ASK, cwd=double.cwd).returncode == 0

    answered = double.call("--continue", "-p", "What was it?", "--output-format", "json")

    assert answered.code == 0
    assert json.loads(answered.out)["conversation_id"] == ID
    steps = ask(agy.store / DATABASE, "SELECT idx, step_type FROM steps ORDER BY idx")
    assert steps[:2] == [(0, 14), (1, 15)]
    assert len(steps) > 2


@pytest.mark.parametrize("wanted", ["transcripts", "none"])
def test_what_is_not_wanted_is_not_written_and_starts_nobody(wanted: str, tmp_path: Path) -> None:
    everything = files(
        decoded(FACTS, *TURN),
        merged("last_conversations.json", {"/a": ID}),
        written("history.jsonl", "{}\n", "append"),
    )
    agy = player(tmp_path, everything, files=wanted, writer=["/bin/false"])

    assert agy.run(*ASK).returncode == 0

    assert not agy.store.exists()
    assert errors(agy) == ""


def test_no_store_is_written_where_none_may_be(tmp_path: Path) -> None:
    agy = player(tmp_path, files(decoded(FACTS, *TURN), merged("a.json", {})), store="off")

    assert agy.run(*ASK).returncode == 0

    assert not (agy.home / ".gemini").exists()


def test_an_id_that_is_taken_is_renewed_in_every_file(tmp_path: Path) -> None:
    recorded = interaction(
        stdout=f"{ID}\n".encode(),
        recorded=RECORDED,
        files=[
            decoded(FACTS, *TURN),
            merged("last_conversations.json", {"${CWD}": ID}),
            written("history.jsonl", f'{{"conversationId":"{ID}"}}\n', "append"),
            written(f"{GENERATED}/messages/a.json", f'{{"recipient": "{ID}"}}', "replace"),
        ],
    )
    agy = player(tmp_path, recorded, store="new", ids_file=str(tmp_path / "ids"))
    theirs = agy.store / DATABASE
    theirs.parent.mkdir(parents=True)
    theirs.write_text("theirs")

    new = agy.run(*ASK, cwd=tmp_path).stdout.decode().strip()

    assert new != ID
    assert theirs.read_text() == "theirs"
    database = agy.store / f"conversations/{new}.db"
    assert ask(database, "SELECT cascade_id FROM trajectory_meta") == [(new,)]
    assert ask(
        agy.store / "conversation_summaries.db", "SELECT conversation_id FROM conversation_summaries"
    ) == [(new,)]
    assert cached(agy, "last_conversations.json") == {str(tmp_path): new}
    assert json.loads((agy.store / "history.jsonl").read_text()) == {"conversationId": new}
    message = agy.store / f"brain/{new}/.system_generated/messages/a.json"
    assert json.loads(message.read_text()) == {"recipient": new}
    assert not (agy.store / "brain" / ID).exists()


LINKS = (
    "conversations",
    DATABASE,
    f"{DATABASE}-wal",
    f"{DATABASE}-shm",
    "conversation_summaries.db",
    "conversation_summaries.db-wal",
    "cache",
    "cache/last_conversations.json",
)


@pytest.mark.parametrize("link", LINKS)
def test_nothing_is_written_through_a_symlink(link: str, tmp_path: Path) -> None:
    agy = player(tmp_path, files(decoded(FACTS, *TURN), merged("last_conversations.json", {"/a": ID})))
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "file").write_text("theirs")
    path = agy.store / link
    path.parent.mkdir(parents=True, exist_ok=True)
    path.symlink_to(outside if link in ("conversations", "cache") else outside / "file")

    result = agy.run(*ASK)

    assert (result.returncode, result.stdout) == (125, b"")
    assert [(path.name, path.read_text()) for path in outside.iterdir()] == [("file", "theirs")]


@pytest.mark.parametrize("writer", [["/bin/false"], ["/nonexistent"], ["/bin/sh", "-c", "kill -9 $$"], None])
def test_a_writer_that_fails_is_told_of_and_the_call_goes_on(
    writer: Sequence[str] | None, tmp_path: Path
) -> None:
    agy = player(tmp_path, files(decoded(FACTS, *TURN)), writer=writer)

    result = agy.run(*ASK)

    assert (result.stdout, result.stderr, result.returncode) == (b"Half.\n", b"", 0)
    assert "writer" in errors(agy)


@pytest.mark.parametrize(
    "text",
    [
        "no JSON\n",
        '{"step":{}}\n',
        '{"step":{"idx":-1}}\n',
        '{"other":1}\n',
        "[" * 100_000,
        '{"facts":{"created":"x","workspaces":3,"title":["y"]}}\n{"step":{"idx":0,"usage":7,"tool_calls":"z"}}\n',
    ],
)
def test_steps_that_are_not_understood_are_no_fault_of_the_call(text: str, tmp_path: Path) -> None:
    agy = player(tmp_path, files(written(DATABASE, text, decoded=True)))

    result = agy.run(*ASK)

    assert (result.stdout, result.stderr, result.returncode) == (b"Half.\n", b"", 0)


def test_a_signal_that_agy_survives_does_not_end_the_writer(tmp_path: Path) -> None:
    ticks = [(0, "o", 6), (0, "s", 2), (0, "f", 1), (0, "x", 1)]
    recorded = interaction(timing=ticks, files=[decoded(FACTS, *TURN)], recorded=RECORDED)
    agy = player(tmp_path, recorded)

    with agy.start(*ASK, start_new_session=True) as process:
        assert process.stdout is not None
        assert process.stdout.read(6) == b"Half.\n"
        os.killpg(process.pid, 2)
        assert process.wait(60) == 0

    assert len(ask(agy.store / DATABASE, "SELECT idx FROM steps")) == 2


def test_what_is_written_is_there_before_what_is_said_after_it(tmp_path: Path) -> None:
    ticks = [(0, "o", 2), (0, "f", 1), (0, "o", 2), (0, "f", 1), (0, "o", 2), (0, "s", 15), (0, "x", 1)]
    recorded = interaction(
        stdout=b"1\n2\n3\n",
        timing=ticks,
        recorded=RECORDED,
        files=[decoded(FACTS, *TURN), decoded(step(2, "USER_INPUT", "more"), op="append")],
    )
    agy = player(tmp_path, recorded)

    with agy.start(*ASK) as process:
        assert process.stdout is not None
        assert process.stdout.read(6) == b"1\n2\n3\n"
        # It still runs, and a reader sees what it has written so far.
        assert process.poll() is None
        assert ask(agy.store / DATABASE, "SELECT count(*) FROM steps") == [(3,)]
        process.terminate()
        assert process.wait(60) == 0


def test_nobody_is_left_behind_that_holds_the_streams(tmp_path: Path) -> None:
    agy = player(tmp_path, files(decoded(FACTS, *TURN)))

    with agy.start(*ASK, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        process.stdout.read(1)
        process.kill()
        # The streams end, whatever of the writer is left.
        process.communicate(timeout=60)


def test_facts_that_were_seen_late_are_those_a_database_is_made_with(tmp_path: Path) -> None:
    agy = player(tmp_path, files(decoded(*TURN), decoded(FACTS, op="append")))

    assert agy.run(*ASK).returncode == 0

    assert ask(agy.store / DATABASE, "SELECT trajectory_id FROM trajectory_meta") == [(OTHER,)]
    assert ask(agy.store / DATABASE, "SELECT count(*) FROM steps") == [(2,)]
