import os
from pathlib import Path

import psutil
import pytest

from agy_cassettes.interaction import Process
from agy_proxy.record.facts import Facts
from agy_proxy.record.journal import read_journal
from agy_proxy.record.process_facts import process_of
from agy_proxy.record.processes import ancestors, names_of
from tests.support.journals import MONOTONIC, MS, end_frames, frame, start_frame, write_journal

NOTHING = Facts()


def told(folder: Path, *parts: bytes, facts: Facts = NOTHING) -> Process:
    journal = read_journal(write_journal(folder, start_frame(), *parts))
    assert journal.start is not None
    return process_of(journal, journal.start, facts)


@pytest.mark.parametrize(
    ("parts", "quiet"),
    [
        ((frame("o", MONOTONIC + 5 * MS, b"a"), frame("e", MONOTONIC + 20 * MS, b"b"), end_frames()), 0.98),
        ((frame("m", MONOTONIC + 1000 * MS, b"a"), end_frames()), 0.0),
        ((end_frames(),), None),
        ((frame("i", MONOTONIC + 5 * MS, b"typed"), end_frames()), None),
        ((frame("o", MONOTONIC + 5 * MS, b"a"),), None),
        ((frame("o", MONOTONIC, b"a"), end_frames(), frame("o", MONOTONIC + 2000 * MS, b"late")), 1.0),
    ],
    ids=["both streams", "to the end", "no output", "only input", "no exit", "what comes after the exit"],
)
def test_it_is_quiet_from_the_last_byte_to_the_exit(
    tmp_path: Path, parts: tuple[bytes, ...], quiet: float | None
) -> None:
    ended = tuple(part if part != end_frames() else end_frames(MONOTONIC + 1000 * MS) for part in parts)
    assert told(tmp_path, *ended).extra.get("quiet") == quiet


def test_what_is_known_is_told_and_nothing_else(tmp_path: Path) -> None:
    assert told(tmp_path, end_frames()).extra == {}
    facts = Facts(chain=("node", "bash"), started=("sh",), parent="01J", unattributed=2, skipped=1)
    assert told(tmp_path, end_frames(), facts=facts).extra == {
        "nested": True,
        "parent": "01J",
        "chain": ["node", "bash"],
        "started": ["sh"],
        "unattributed": 2,
        "skipped": 1,
    }


def test_the_chain_begins_with_the_process_and_ends_with_the_first() -> None:
    own = psutil.Process()
    found = ancestors(own.pid, since=own.create_time())
    above = own.parents()
    assert [each.pid for each in found] == [own.pid, *(each.pid for each in above)]
    assert [each.name for each in found] == [own.name(), *(each.name() for each in above)]


def test_a_pid_that_is_anothers_now_has_no_chain() -> None:
    assert ancestors(os.getpid(), since=psutil.Process().create_time() - 10) == ()


def test_what_was_started_is_told_in_the_order_of_its_creation() -> None:
    assert names_of({7: (3.0, "late"), 9: (1.0, "first"), 5: (2.0, "then")}) == ("first", "then", "late")
