"""The lock that says a conversation is open (contract.md 4.7)."""

import fcntl
import subprocess
import sys
from pathlib import Path

import pytest

from fake_agy.profile.resolve import profile_of
from fake_agy.stores.layout import Layout, layout_of
from fake_agy.stores.presence import attach, detach

HOLDER = """
import sys
from fake_agy.profile.resolve import profile_of
from fake_agy.stores.layout import layout_of
from fake_agy.stores.presence import attach
print(attach(layout_of(sys.argv[1]), "one", profile_of((1, 3, 3))), flush=True)
sys.stdin.read()
"""
NOW = profile_of((1, 3, 3))


@pytest.fixture
def place(tmp_path: Path) -> Layout:
    return layout_of(str(tmp_path))


def locks(place: Layout) -> list[str]:
    return [path.name for path in Path(place.root).glob("presence/*")]


def test_a_process_holds_the_lock_until_it_ends_and_excludes_nobody(place: Layout) -> None:
    holder = subprocess.Popen(
        [sys.executable, "-c", HOLDER, place.home], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert holder.stdout is not None
    assert holder.stdout.readline() == "True\n"
    assert not attach(place, "one", NOW)
    holder.communicate()

    path = Path(place.root) / "presence" / "one.lock"
    assert (path.stat().st_size, path.stat().st_mode & 0o777) == (0, 0o600)
    with path.open() as file:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)


def test_versions_before_1_1_10_have_no_lock(place: Layout) -> None:
    assert attach(place, "one", profile_of((1, 1, 9)))
    assert locks(place) == []


def test_the_file_stays_unless_a_switch_says_that_it_goes(place: Layout) -> None:
    attach(place, "one", NOW)
    detach(place, "one", NOW)
    assert locks(place) == ["one.lock"]

    removing = profile_of((1, 3, 3), (("presence-at-exit", "removed"),))
    detach(place, "one", removing)
    detach(place, "one", removing)
    assert locks(place) == []


def test_a_lock_that_was_let_go_can_be_held_again(place: Layout) -> None:
    assert attach(place, "two", NOW)
    assert not attach(place, "two", NOW)
    detach(place, "two", NOW)

    assert attach(place, "two", NOW)
    detach(place, "two", NOW)
