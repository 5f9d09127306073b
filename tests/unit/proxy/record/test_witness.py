import json
import os
import subprocess
import sys
import threading
from pathlib import Path

import psutil
import pytest

from agy_proxy.record.convert import to_interaction
from agy_proxy.record.facts import Facts
from agy_proxy.record.journal import read_journal
from agy_proxy.record.processes import ancestors, command_line
from agy_proxy.record.witness import Witness
from tests.support.recorded_call import RecordedCall, Store, row

OLD = "9b1d8d5e-0000-4000-8000-000000000001"
NEW = "9b1d8d5e-0000-4000-8000-000000000002"
OTHER = "9b1d8d5e-0000-4000-8000-000000000003"


@pytest.fixture
def journals(tmp_path: Path) -> Path:
    folder = tmp_path / "journals"
    folder.mkdir()
    return folder


@pytest.fixture
def store(home: Path) -> Store:
    return Store(home)


def changes(facts: Facts | None) -> list[tuple[str, str, bytes, int | None]]:
    assert facts is not None
    return [(each.op, Path(os.fsdecode(each.path)).name, each.data, each.before) for each in facts.files]


def over(witness: Witness, call: RecordedCall) -> Facts:
    call.end()
    witness.poll()
    facts = witness.facts(call.path)
    assert facts is not None
    return facts


def test_rows_of_a_resumed_turn_are_seen_as_they_come(journals: Path, store: Store) -> None:
    store.append(OLD, row("USER_INPUT", "first"))
    path = store.transcript(OLD)
    size = path.stat().st_size
    witness = Witness(journals, store.home)
    call = RecordedCall(journals, store.home, b"--conversation", OLD.encode(), b"-p", b"more", before=[path])
    asked, answered = row("USER_INPUT", "more", 4), row("PLANNER_RESPONSE", "yes", 5)
    store.append(OLD, asked)
    assert witness.poll()
    store.append(OLD, answered[:10])
    witness.poll()
    store.append(OLD, answered[10:])
    store.append(OLD, asked, full=True)
    witness.poll()
    facts = over(witness, call)
    assert changes(facts) == [
        ("append", "transcript.jsonl", asked, size),
        ("append", "transcript.jsonl", answered, size + len(asked)),
        ("create", "transcript_full.jsonl", asked, None),
    ]
    assert not witness.poll()
    got = to_interaction(read_journal(call.path), facts)
    assert got.files[0].path == f"${{AGY_HOME}}/brain/{OLD}/.system_generated/logs/transcript.jsonl"


def test_a_new_conversation_is_known_by_its_prompt(journals: Path, store: Store) -> None:
    store.append(OLD, row("USER_INPUT", "hello"))
    witness = Witness(journals, store.home)
    call = RecordedCall(journals, store.home, b"-p", b"hello")
    witness.poll()
    store.append(OLD, row("USER_INPUT", "hello", 7))
    store.append(NEW, row("USER_INPUT", "hello"))
    store.append(OTHER, row("USER_INPUT", "another's"))
    witness.poll()
    facts = over(witness, call)
    assert changes(facts) == [("create", "transcript.jsonl", facts.files[0].data, None)]
    assert NEW.encode() in facts.files[0].path
    assert facts.unattributed == 1


def test_calls_at_once_get_each_their_own(journals: Path, store: Store) -> None:
    witness = Witness(journals, store.home)
    calls = [
        RecordedCall(journals, store.home, b"-p", b"task %d" % number, pid=100 + number)
        for number in range(3)
    ]
    witness.poll()
    for number in (2, 0, 1):
        store.append(f"conversation-{number}", row("USER_INPUT", f"task {number}"))
        witness.poll()
    for number in range(3):
        store.append(f"conversation-{number}", row("PLANNER_RESPONSE", f"done {number}"))
    for number, call in enumerate(calls):
        facts = over(witness, call)
        assert [f"conversation-{number}".encode() in each.path for each in facts.files] == [True, True]


def test_equal_prompts_at_once_belong_to_nobody_unless_something_else_tells(
    journals: Path, store: Store
) -> None:
    witness = Witness(journals, store.home)
    one = RecordedCall(journals, store.home, b"-p", b"same", pid=101)
    two = RecordedCall(journals, store.home, b"-p", b"same", b"--output-format", b"json", pid=102)
    witness.poll()
    store.append(NEW, row("USER_INPUT", "same"))
    store.append(OTHER, row("USER_INPUT", "same"))
    witness.poll()
    assert changes(over(witness, one)) == []
    two.say("o", json.dumps({"conversation_id": OTHER, "status": "SUCCESS"}).encode())
    facts = over(witness, two)
    assert [OTHER.encode() in each.path for each in facts.files] == [True]
    assert facts.unattributed == 1


def test_the_log_of_its_process_tells_equal_prompts_apart(journals: Path, store: Store) -> None:
    (store.root / "log").mkdir()
    witness = Witness(journals, store.home)
    calls = [RecordedCall(journals, store.home, b"-p", b"same", pid=pid) for pid in (101, 102)]
    for child, (call, conversation) in enumerate(zip(calls, (OTHER, NEW), strict=True), start=4_000_001):
        call.say("p", b"%d" % child)
        line = f"I1201 10:00:00.123456 {child} server.go:747] Created conversation {conversation}\n"
        (store.root / "log" / f"cli-20261201_{child}.log").write_text(line)
    witness.poll()
    store.append(NEW, row("USER_INPUT", "same"))
    store.append(OTHER, row("USER_INPUT", "same"))
    witness.poll()
    for call, conversation in zip(calls, (OTHER, NEW), strict=True):
        rows = [each for each in over(witness, call).files if each.path.endswith(b"transcript.jsonl")]
        assert [conversation.encode() in each.path for each in rows] == [True]


def test_two_calls_on_one_conversation_share_only_what_a_prompt_tells(journals: Path, store: Store) -> None:
    store.append(OLD, row("USER_INPUT", "first"))
    before = [store.transcript(OLD)]
    witness = Witness(journals, store.home)
    argv = (b"--conversation", OLD.encode(), b"-p")
    one = RecordedCall(journals, store.home, *argv, b"one", pid=101, before=before)
    two = RecordedCall(journals, store.home, *argv, b"two", pid=102, before=before)
    witness.poll()
    store.append(OLD, row("USER_INPUT", "two"))
    witness.poll()
    store.append(OLD, row("PLANNER_RESPONSE", "whose?"))
    witness.poll()
    first = over(witness, one)
    second = over(witness, two)
    assert (len(first.files), first.unattributed) == (0, 1)
    assert (len(second.files), second.unattributed) == (1, 1)


def test_the_log_file_is_recorded_and_names_the_conversation(
    journals: Path, store: Store, tmp_path: Path
) -> None:
    log = tmp_path / "agy.log"
    witness = Witness(journals, store.home)
    call = RecordedCall(journals, store.home, b"--log-file", bytes(log), b"-p", b"hi", before=[log])
    other = RecordedCall(journals, store.home, b"-p", b"hi", pid=102)
    witness.poll()
    store.append(NEW, row("USER_INPUT", "hi"))
    line = f"I0921 14:13:20.000001 1 server.go:747] Created conversation {NEW}\n".encode()
    log.write_bytes(line)
    witness.poll()
    with log.open("ab") as file:
        file.write(b"unfinished")
    facts = over(witness, call)
    assert changes(facts)[0] == ("create", "agy.log", line, None)
    assert changes(facts)[-1] == ("append", "agy.log", b"unfinished", len(line))
    assert len(facts.files) == 3
    assert changes(over(witness, other)) == []
    got = to_interaction(read_journal(call.path), facts)
    assert {event.path for event in got.files if "brain" not in event.path} == {"${LOG_FILE}"}


def test_continue_follows_the_newest_conversation_of_the_folder(journals: Path, store: Store) -> None:
    store.append(OLD, row("USER_INPUT", "first"))
    size = store.transcript(OLD).stat().st_size
    store.last(str(store.home / "project"), OLD)
    witness = Witness(journals, store.home)
    call = RecordedCall(journals, store.home, b"-c", b"-p", b"on")
    asked = row("USER_INPUT", "on", 4)
    store.append(OLD, asked)
    witness.poll()
    assert changes(over(witness, call)) == [("append", "transcript.jsonl", asked, size)]


def test_nothing_but_transcripts_and_the_log_is_ever_read(journals: Path, store: Store) -> None:
    secret = store.root / "antigravity-oauth-token"
    secret.write_text('{"token":"secret"}\n')
    witness = Witness(journals, store.home)
    call = RecordedCall(journals, store.home, b"--conversation", b"../../x", b"-p", b"hi")
    link = store.transcript(NEW)
    link.parent.mkdir(parents=True)
    link.symlink_to(secret)
    secret.write_text('{"token":"other"}\n')
    (store.root / "settings.json").write_text("{}\n")
    witness.poll()
    assert over(witness, call).files == ()


def test_a_killed_shim_ends_its_call(journals: Path, store: Store) -> None:
    gone = subprocess.Popen([sys.executable, "-c", ""])
    gone.wait()
    witness = Witness(journals, store.home)
    call = RecordedCall(journals, store.home, b"-p", b"hi", pid=gone.pid)
    assert witness.poll()
    call.die()
    assert not witness.poll()
    client, above = command_line(os.getppid(), since=2e12), ancestors(os.getppid(), since=2e12)
    assert witness.facts(call.path) == Facts(client=client, chain=tuple(each.name for each in above))


def test_a_call_is_live_while_its_standby_is(journals: Path, store: Store) -> None:
    witness = Witness(journals, store.home)
    call = RecordedCall(journals, store.home, b"-p", b"hi")
    call.say("x", b"0")
    call.say("E")
    assert witness.poll()
    assert witness.facts(call.path) is None
    call.say("o", b"late")
    call.die()
    assert not witness.poll()
    assert witness.facts(call.path) is not None


def test_what_agy_left_behind_is_named(journals: Path, store: Store) -> None:
    script = "import subprocess as s,sys; print(s.Popen(['sleep', '60']).pid, flush=True); sys.stdin.read()"
    agy = subprocess.Popen([sys.executable, "-c", script], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert agy.stdin is not None
    assert agy.stdout is not None
    with agy:
        sleeper = int(agy.stdout.readline())
        try:
            witness = Witness(journals, store.home)
            call = RecordedCall(journals, store.home, b"-p", b"hi")
            call.say("p", b"%d" % agy.pid)
            witness.poll()
            agy.stdin.close()
            agy.wait()
            assert over(witness, call).left_behind == ("sleep",)
        finally:
            os.kill(sleeper, 9)


def test_output_that_grows_in_a_file_is_timed_until_the_call_is_over(
    journals: Path, store: Store, tmp_path: Path
) -> None:
    out = tmp_path / "out.txt"
    out.write_bytes(b"before")
    fact = f"{out.stat().st_dev}:{out.stat().st_ino} ".encode() + bytes(out)
    witness = Witness(journals, store.home)
    call = RecordedCall(
        journals, store.home, b"-p", b"hi", stdout=b"file", stdout_file=fact, stdout_offset=b"6"
    )
    witness.poll()
    with out.open("ab", buffering=0) as file:
        for part in (b"one", b"two"):
            file.write(part)
            witness.poll()
        call.end()
        file.write(b"the client's")
        witness.poll()
    facts = witness.facts(call.path)
    assert facts is not None
    assert [size for _, size in facts.growth["stdout"]] == [0, 3, 6]


def test_a_call_that_nobody_watched_is_found_out_afterwards(journals: Path, store: Store) -> None:
    store.append(OLD, row("USER_INPUT", "first"))
    path = store.transcript(OLD)
    argv = (b"--conversation", OLD.encode(), b"-p")
    calls, asked = [], []
    for number in range(2):
        call = RecordedCall(journals, store.home, *argv, b"turn %d" % number, pid=100 + number, before=[path])
        asked.append(row("USER_INPUT", f"turn {number}") + row("PLANNER_RESPONSE", "yes"))
        store.append(OLD, asked[-1])
        call.end()
        calls.append(call)
    fresh = RecordedCall(journals, store.home, b"-p", b"fresh", pid=200)
    store.append(NEW, row("USER_INPUT", "fresh"))
    fresh.end()
    for call, data in zip(calls, asked, strict=True):
        facts = Witness(journals).look_back(call.path)
        assert [(each.op, each.data, each.approx) for each in facts.files] == [("append", data, True)]
    facts = Witness(journals).look_back(fresh.path)
    assert [(each.op, NEW.encode() in each.path, each.approx) for each in facts.files] == [
        ("create", True, True)
    ]


def test_a_journal_without_a_whole_start_is_waited_for(journals: Path, store: Store) -> None:
    call = RecordedCall(journals, store.home, b"-p", b"hi")
    data = call.path.read_bytes()
    call.path.write_bytes(data[:50])
    witness = Witness(journals, store.home)
    assert not witness.poll()
    call.path.write_bytes(data)
    assert witness.poll()
    call.die()


def test_the_thread_sees_every_row_in_order(journals: Path, store: Store) -> None:
    witness = Witness(journals, store.home)
    witness.start()
    call = RecordedCall(journals, store.home, b"-p", b"hi")
    written = [
        row("USER_INPUT", "hi"),
        *(row("PLANNER_RESPONSE", f"{number}", number) for number in range(200)),
    ]

    def agy() -> None:
        for each in written:
            store.append(NEW, each)

    thread = threading.Thread(target=agy)
    thread.start()
    thread.join()
    call.end()
    witness.stop()
    facts = witness.facts(call.path)
    assert facts is not None
    assert b"".join(each.data for each in facts.files) == b"".join(written)
    assert [each.at for each in facts.files] == sorted(each.at for each in facts.files)


def test_what_lies_beside_the_transcripts_is_the_calls_as_well(journals: Path, store: Store) -> None:
    witness = Witness(journals, store.home)
    call = RecordedCall(journals, store.home, b"-p", b"hi")
    witness.poll()
    store.append(NEW, row("USER_INPUT", "hi"))
    chunk = store.transcript(NEW).parent / "chunks" / "transcript" / "00000000.jsonl"
    chunk.parent.mkdir(parents=True)
    chunk.write_bytes(row("USER_INPUT", "hi"))
    store.last(str(store.home / "project"), NEW)
    witness.poll()
    found = {path: op for op, path, *_ in changes(over(witness, call))}
    assert found == {
        "transcript.jsonl": "create",
        "00000000.jsonl": "create",
        "last_conversations.json": "replace",
    }


def test_what_two_calls_at_one_conversation_left_beside_is_nobodys(journals: Path, store: Store) -> None:
    store.append(OLD, row("USER_INPUT", "first"))
    path = store.transcript(OLD)
    witness = Witness(journals, store.home)
    argv = (b"--conversation", OLD.encode(), b"-p")
    one = RecordedCall(journals, store.home, *argv, b"one", pid=1, before=[path])
    two = RecordedCall(journals, store.home, *argv, b"two", before=[path])
    witness.poll()
    store.append(OLD, row("USER_INPUT", "one"))
    witness.poll()
    (path.parent / "chunks").mkdir()
    (path.parent / "chunks" / "x.jsonl").write_bytes(row("USER_INPUT", "one"))
    witness.poll()
    for call in (one, two):
        assert "x.jsonl" not in {name for _, name, *_ in changes(over(witness, call))}


def test_calls_one_after_the_other_on_a_conversation_each_get_their_own(journals: Path, store: Store) -> None:
    store.append(OLD, row("USER_INPUT", "first"))
    path = store.transcript(OLD)
    chunk = path.parent / "chunks" / "transcript" / "0.jsonl"
    chunk.parent.mkdir(parents=True)
    chunk.touch()
    witness = Witness(journals, store.home)
    argv = (b"--conversation", OLD.encode(), b"-p")
    one = RecordedCall(journals, store.home, *argv, b"one", pid=os.getppid(), before=[path])
    witness.poll()
    answer = row("PLANNER_RESPONSE", "to one")
    store.append(OLD, row("USER_INPUT", "one"), answer)
    chunk.write_bytes(answer)
    one.say("x", b"0")
    # Its standby is still there as the next call begins, and nobody has looked since.
    two = RecordedCall(journals, store.home, *argv, b"two", before=[path])
    witness.poll()
    store.append(OLD, row("USER_INPUT", "two"))
    with chunk.open("ab") as file:
        file.write(row("USER_INPUT", "two"))
    witness.poll()
    one.die()
    witness.poll()
    told = [changes(witness.facts(one.path)), changes(over(witness, two))]
    assert [{name for _, name, *_ in found} for found in told] == [{"transcript.jsonl", "0.jsonl"}] * 2
    assert answer in told[0][0][2] + told[0][1][2]
    assert not any(answer in data for _, _, data, _ in told[1])


def test_a_call_that_anothers_agy_made_names_that_ones_record(journals: Path, store: Store) -> None:
    witness = Witness(journals, store.home)
    outer = RecordedCall(journals, store.home, b"-p", b"outer", pid=101)
    outer.say("p", b"%d" % os.getppid())
    beside = RecordedCall(journals, store.home, b"-p", b"beside", pid=102, ppid=b"1")
    inner = RecordedCall(journals, store.home, b"-p", b"inner", pid=103)
    witness.poll()
    facts = [over(witness, call) for call in (inner, beside, outer)]
    record = to_interaction(read_journal(outer.path), facts[2])
    assert [each.parent for each in facts] == [record.id, None, None]


def test_what_agy_started_is_told_though_it_is_gone(journals: Path, store: Store) -> None:
    witness = Witness(journals, store.home)
    with subprocess.Popen(
        ["/bin/sh", "-c", "cat; true"], stdin=subprocess.PIPE, stdout=subprocess.DEVNULL
    ) as agy:
        while [child.name() for child in psutil.Process(agy.pid).children()] != ["cat"]:
            pass
        call = RecordedCall(journals, store.home, b"-p", b"hi")
        call.say("p", b"%d" % agy.pid)
        witness.poll()
        assert agy.stdin is not None
        agy.stdin.close()
        agy.wait()
    facts = over(witness, call)
    assert (facts.started, facts.left_behind) == (("cat",), ())


def test_a_conversation_is_new_to_the_call_that_made_it_alone(journals: Path, store: Store) -> None:
    witness = Witness(journals, store.home)
    one = RecordedCall(journals, store.home, b"-p", b"one", pid=os.getppid())
    witness.poll()
    store.append(NEW, row("USER_INPUT", "one"))
    chunk = store.transcript(NEW).parent / "chunks" / "0.jsonl"
    chunk.parent.mkdir()
    chunk.write_bytes(row("USER_INPUT", "one"))
    witness.poll()
    one.say("x", b"0")
    argv = (b"--conversation", NEW.encode(), b"-p", b"two")
    two = RecordedCall(journals, store.home, *argv, before=[store.transcript(NEW)])
    witness.poll()
    store.append(NEW, row("USER_INPUT", "two"))
    witness.poll()
    one.die()
    witness.poll()
    told = [changes(witness.facts(one.path)), changes(over(witness, two))]
    assert [[op for op, name, *_ in found if name == "0.jsonl"] for found in told] == [["create"], []]
