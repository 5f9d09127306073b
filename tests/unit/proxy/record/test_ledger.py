import os
import signal
import sqlite3
import stat
from collections.abc import Callable
from pathlib import Path

import pytest

from agy_cassettes.errors import UserError
from agy_cassettes.redact.placeholders import Placeholders
from agy_proxy.record.ledger import ReadTo, open_ledger
from agy_proxy.record.shared_files import Stretch


def test_what_was_committed_is_there_next_time_and_no_secret_is_in_the_file(tmp_path: Path) -> None:
    path = tmp_path / "ledger"
    old = os.umask(0)
    try:
        with open_ledger(path) as ledger:
            give = Placeholders(ledger)
            given = [give("email", b"a@b.co"), give("cookie", b"c" * 5000)]
            ledger.add_transcript("one")
            ledger.read_to = ReadTo("1:2", 1 << 40, b"end")
            ledger.commit()
    finally:
        os.umask(old)
    with open_ledger(path) as ledger:
        give = Placeholders(ledger)
        assert [give("token", b"a@b.co"), give("token", b"c" * 5000)] == given
        assert give("email", b"c@d.co") == b"REDACTED-email-2"
        assert (give.class_of(b"a@b.co"), give.class_of(b"e@f.co"), give.class_of(b"x")) == (
            "email",
            None,
            None,
        )
        assert (ledger.has_transcript("one"), ledger.has_transcript("two")) == (True, False)
        assert ledger.read_to == ReadTo("1:2", 1 << 40, b"end")
    for file in tmp_path.iterdir():
        assert b"a@b.co" not in file.read_bytes()
        assert stat.S_IMODE(file.stat().st_mode) == 0o600


def test_what_was_not_committed_never_was(tmp_path: Path) -> None:
    path = tmp_path / "ledger"
    with open_ledger(path) as ledger:
        ledger.add_transcript("one")
    with open_ledger(path) as ledger:
        assert not ledger.has_transcript("one")
        assert Placeholders(ledger)("email", b"a@b.co") == b"REDACTED-email-1"
    with open_ledger(path) as ledger:
        assert Placeholders(ledger)("email", b"c@d.co") == b"REDACTED-email-1"


def test_what_calls_wrote_into_files_is_kept_until_nobody_can_have_shared_it(tmp_path: Path) -> None:
    path = tmp_path / "ledger"
    one, other = (Stretch(at, 7, "stdout", "1:2", at + 5, 0, 9) for at in (10, 20))
    with open_ledger(path) as ledger:
        ledger.add_stretches([one, other])
        ledger.add_stretches([one])
        ledger.commit()
    with open_ledger(path) as ledger:
        assert (ledger.stretches(one), ledger.stretches(other)) == ((other,), (one,))
        ledger.forget_stretches(before=20)
        assert (ledger.stretches(one), ledger.stretches(other)) == ((other,), ())


def test_a_ledger_from_before_files_were_noted_is_read_all_the_same(tmp_path: Path) -> None:
    path = tmp_path / "ledger"
    with open_ledger(path) as ledger:
        ledger.add_transcript("one")
        ledger.commit()
    with sqlite3.connect(path) as db:
        db.execute("drop table stretches")
    db.close()
    with open_ledger(path) as ledger:
        assert ledger.has_transcript("one")


@pytest.mark.parametrize("step", [0, 1, 8])
def test_a_recorder_killed_before_its_commit_leaves_nothing_of_it(tmp_path: Path, step: int) -> None:
    path = tmp_path / "ledger"
    with open_ledger(path) as ledger:
        ledger.add_transcript("before")
        ledger.commit()
    pid = os.fork()
    if pid == 0:
        try:
            with open_ledger(path) as ledger:
                # More than is held in memory: the file is changed long before the commit.
                for number in range(step * 6000):
                    ledger.add_transcript(str(number))
                os.kill(os.getpid(), signal.SIGKILL)
        finally:
            os._exit(1)
    assert os.WTERMSIG(os.waitpid(pid, 0)[1]) == signal.SIGKILL
    with open_ledger(path) as ledger:
        assert ledger.has_transcript("before")
        assert not any(ledger.has_transcript(str(number)) for number in range(0, 48_000, 100))


def not_one(path: Path) -> None:
    path.write_bytes(b"no ledger, whatever it is" * 99)


def of_another_program(path: Path) -> None:
    with sqlite3.connect(path) as db:
        db.execute("create table state (one)")


def of_a_later_version(path: Path) -> None:
    with sqlite3.connect(path) as db:
        db.execute("pragma user_version = 2")


def without_its_state(path: Path) -> None:
    with open_ledger(path) as ledger:
        ledger.commit()
    with sqlite3.connect(path) as db:
        db.execute("delete from state")


def with_a_wrong_state(path: Path) -> None:
    with open_ledger(path) as ledger:
        ledger.commit()
    with sqlite3.connect(path) as db:
        db.execute("update state set highest = '[1'")


def a_folder(path: Path) -> None:
    path.mkdir()


@pytest.mark.parametrize(
    "damage",
    [not_one, of_another_program, of_a_later_version, without_its_state, with_a_wrong_state, a_folder],
)
def test_a_ledger_that_cannot_be_read_is_named(tmp_path: Path, damage: Callable[[Path], None]) -> None:
    path = tmp_path / "ledger"
    damage(path)
    with pytest.raises(UserError, match=f"^{path}: "), open_ledger(path):
        pass


def test_what_fails_while_it_is_open_is_not_laid_to_its_charge(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError), open_ledger(tmp_path / "ledger"):
        (tmp_path / "nothing").read_bytes()
