"""The system's own hints, by real watches."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from agy_proxy.watch.events import Row
from agy_proxy.watch.follower import Follower
from agy_proxy.watch.hints import Hints
from tests.support.watched_store import append, line


@pytest.fixture
def root(tmp_path: Path) -> Path:
    for name in ("brain", "conversations", "log", "cache"):
        (tmp_path / name).mkdir()
    return tmp_path


@pytest.fixture
def hints(root: Path) -> Iterator[Hints]:
    made = Hints(root)
    made.taken()
    yield made
    made.close()


def hinted(hints: Hints, name: str) -> bool:
    found: set[str] = set()
    for _ in range(20):
        hints.wait(1.0)
        found |= hints.taken()
        if name in found:
            return True
    return False


def test_an_append_to_any_conversation_shows_in_its_database(root: Path, hints: Hints) -> None:
    (root / "conversations" / "abc.db-wal").write_bytes(b"page")
    assert hinted(hints, "abc")


def test_a_new_conversation_and_a_change_of_the_cache_are_hinted_at(root: Path, hints: Hints) -> None:
    (root / "brain" / "new-one").mkdir()
    assert hinted(hints, "new-one")
    (root / "cache" / "last_conversations.json").write_text("{}")
    assert hinted(hints, "cache")


def test_only_the_flat_folders_and_what_is_alive_are_watched(root: Path, hints: Hints) -> None:
    assert hints.watches == 4
    for number in range(50):
        append(root, f"c{number}", line(0))
    assert not hints.follow("none-of-them")
    assert hints.follow("c7")
    assert hints.watches == 5
    hinted(hints, "c7")
    append(root, "c7", line(1))
    assert hinted(hints, "c7")
    hints.unfollow("c7")
    assert hints.watches == 4


def test_folders_that_come_later_are_armed_then(tmp_path: Path) -> None:
    hints = Hints(tmp_path)
    assert hints.watches == 0
    (tmp_path / "brain").mkdir()
    hints.arm()
    assert (hints.watches, hints.taken()) == (1, frozenset({"brain"}))
    hints.close()


def test_a_follower_with_real_hints_tells_each_row_once(root: Path) -> None:
    with Follower(root) as follower:
        found: list[int | None] = []
        events = follower.follow()
        for number in range(20):
            append(root, "turn", line(number))
            while number not in found:
                event = next(events)
                if isinstance(event, Row):
                    found.append(event.index)
    assert found == list(range(20))
