"""Hints say where to look; what they don't say the heartbeat finds."""

import json
from pathlib import Path

import pytest

from agy_proxy.watch.events import Appeared, Child, Event, Gone, Row
from agy_proxy.watch.follower import HEARTBEAT, QUIET, ROUND, SOON, Follower
from tests.support.watched_store import Clock, HandHints, append, line, logs


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def hints() -> HandHints:
    return HandHints()


def follower(
    root: Path, clock: Clock, hints: HandHints, *, old: bool = False, chunks: bool = False
) -> Follower:
    return Follower(root, clock=clock, hints=lambda _: hints, old=old, chunks=chunks)


def told(events: list[Event]) -> list[tuple[str, str, int | None]]:
    return [(each.conversation, each.file, each.index) for each in events if isinstance(each, Row)]


def test_what_is_there_at_the_start_is_old_unless_it_is_asked_for(
    tmp_path: Path, clock: Clock, hints: HandHints
) -> None:
    append(tmp_path, "a", line(0))
    silent, telling = follower(tmp_path, clock, hints), follower(tmp_path, clock, HandHints(), old=True)
    clock.now += HEARTBEAT
    assert silent.poll() == []
    assert told(telling.poll()) == [("a", "transcript", 0)]


def test_a_hint_is_enough(tmp_path: Path, clock: Clock, hints: HandHints) -> None:
    append(tmp_path, "a", line(0))
    watching = follower(tmp_path, clock, hints)
    append(tmp_path, "a", line(1))
    append(tmp_path, "a", line(1), "transcript_full.jsonl")
    hints.given = {"a"}
    assert told(watching.poll()) == [("a", "transcript", 1), ("a", "transcript_full", 1)]
    assert hints.followed == {"a"}


def test_a_new_conversation_is_told_with_its_rows_and_so_is_a_store_that_comes_later(
    tmp_path: Path, clock: Clock, hints: HandHints
) -> None:
    watching = follower(tmp_path / "store", clock, hints)
    assert watching.poll() == []
    append(tmp_path / "store", "b", line(0))
    clock.now += HEARTBEAT
    events = watching.poll()
    assert events[0] == Appeared(conversation="b", at=clock.now)
    assert told(events) == [("b", "transcript", 0)]


def test_a_rotation_goes_on_in_the_new_conversation(tmp_path: Path, clock: Clock, hints: HandHints) -> None:
    append(tmp_path, "a", line(0))
    watching = follower(tmp_path, clock, hints)
    append(tmp_path, "b", line(0, "the turn went here"))
    hints.given = {"b"}
    assert told(watching.poll()) == [("b", "transcript", 0)]


def test_what_no_hint_told_is_found_by_the_heartbeat_where_alive_and_by_the_round_elsewhere(
    tmp_path: Path, clock: Clock, hints: HandHints
) -> None:
    append(tmp_path, "alive", line(0))
    append(tmp_path, "quiet", line(0))
    watching = follower(tmp_path, clock, hints)
    append(tmp_path, "alive", line(1))
    hints.given = {"alive"}
    watching.poll()
    append(tmp_path, "alive", line(2))
    append(tmp_path, "quiet", line(1))
    assert watching.poll() == []
    clock.now += HEARTBEAT
    assert told(watching.poll()) == [("alive", "transcript", 2)]
    clock.now += ROUND
    assert told(watching.poll()) == [("quiet", "transcript", 1)]


def test_a_quiet_conversation_is_let_go_and_nothing_of_it_is_lost_or_told_twice(
    tmp_path: Path, clock: Clock, hints: HandHints
) -> None:
    watching = follower(tmp_path, clock, hints)
    append(tmp_path, "a", line(0) + line(1)[:7])
    hints.given = {"a"}
    watching.poll()
    clock.now += QUIET
    watching.poll()
    assert hints.followed == set()
    append(tmp_path, "a", line(1)[7:] + line(2))
    clock.now += ROUND
    assert told(watching.poll()) == [("a", "transcript", 1), ("a", "transcript", 2)]


def test_a_conversation_without_a_log_folder_is_looked_at_soon(
    tmp_path: Path, clock: Clock, hints: HandHints
) -> None:
    hints.possible = False
    watching = follower(tmp_path, clock, hints)
    logs(tmp_path, "a").rmdir()
    hints.given = {"brain"}
    rounds = iter([False, True])
    list(watching.follow(until=lambda: next(rounds)))
    assert hints.waits == [SOON]
    append(tmp_path, "a", line(0))
    assert told(watching.poll()) == [("a", "transcript", 0)]


def test_a_subagent_is_told_once_with_its_parent(tmp_path: Path, clock: Clock, hints: HandHints) -> None:
    watching = follower(tmp_path, clock, hints)
    append(tmp_path, "parent", line(0))
    folder = logs(tmp_path, "parent").parent / "subagents"
    folder.mkdir()
    (folder / "child.json").write_text(json.dumps({"conversationId": "child"}))
    hints.given = {"parent"}
    assert Child(conversation="child", parent="parent", at=clock.now) in watching.poll()
    clock.now += HEARTBEAT
    assert not [each for each in watching.poll() if isinstance(each, Child)]


def test_a_deleted_conversation_is_gone(tmp_path: Path, clock: Clock, hints: HandHints) -> None:
    path = append(tmp_path, "a", line(0))
    watching = follower(tmp_path, clock, hints)
    path.unlink()
    for folder in (path.parents[0], path.parents[1], path.parents[2]):
        folder.rmdir()
    clock.now += HEARTBEAT
    assert watching.poll() == [Gone(conversation="a", at=clock.now)]


def test_chunks_are_followed_where_they_are_asked_for(tmp_path: Path, clock: Clock, hints: HandHints) -> None:
    append(tmp_path, "a", line(0))
    append(tmp_path, "a", line(0), "chunks/transcript/00000000.jsonl")
    watching = follower(tmp_path, clock, hints, chunks=True)
    append(tmp_path, "a", line(1))
    append(tmp_path, "a", line(1), "chunks/transcript/00000000.jsonl")
    hints.given = {"a"}
    assert told(watching.poll()) == [("a", "transcript", 1), ("a", "chunks/transcript", 1)]


def test_ten_thousand_conversations_cost_no_watch_each(
    tmp_path: Path, clock: Clock, hints: HandHints
) -> None:
    for number in range(10_000):
        (tmp_path / "brain" / f"c{number}").mkdir(parents=True)
    watching = follower(tmp_path, clock, hints)
    append(tmp_path, "c7", line(0))
    hints.given = {"c7"}
    assert told(watching.poll()) == [("c7", "transcript", 0)]
    assert hints.followed == {"c7"}
