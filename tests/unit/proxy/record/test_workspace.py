import hashlib
import os
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from agy_proxy.record import workspace
from agy_proxy.record.facts import Facts
from agy_proxy.record.witness import Witness
from agy_proxy.record.workspace import Stamp, Tree, compared, tree
from tests.support.recorded_call import RecordedCall, Store

SINCE, UNTIL = 1_000, 2_000
OLD = Stamp(1, 500, 7)


@pytest.mark.parametrize(
    ("before", "after", "found"),
    [
        ({b"a": OLD}, {b"a": OLD}, []),
        ({}, {b"a": OLD}, [("a", "create")]),
        ({b"a": OLD}, {b"a": Stamp(2, 500, 7)}, [("a", "replace")]),
        ({b"a": OLD}, {b"a": Stamp(1, 600, 7)}, [("a", "replace")]),
        ({b"a": OLD}, {b"a": Stamp(1, 500, 8)}, [("a", "replace")]),
        ({b"a": OLD}, {}, [("a", "delete")]),
        ({b"a": Stamp(1, 1500, 7)}, {b"a": Stamp(1, 1500, 7)}, [("a", "replace")]),
        ({}, {b"a": Stamp(1, 2500, 7)}, []),
        ({b"c": OLD}, {b"b": OLD, b"a": OLD}, [("a", "create"), ("b", "create"), ("c", "delete")]),
    ],
    ids=[
        "the same",
        "new",
        "another size",
        "another time",
        "another file",
        "gone",
        "written before the look, after the start",
        "written after the end",
        "by path",
    ],
)
def test_what_was_written_within_the_call_has_changed(
    before: Tree, after: Tree, found: list[tuple[str, str]]
) -> None:
    changes = compared(before, after, SINCE, UNTIL)
    assert [(os.fsdecode(change.path), change.op) for change in changes] == found


def test_a_tree_holds_regular_files_but_those_of_tools_and_recorders(tmp_path: Path) -> None:
    kept = ("a.py", "src/b.py", "src/deep/c")
    left_out = (".git/x", "node_modules/m.js", "src/.venv/v", ".gemini/t", "c.agy.yaml", "own/log")
    for name in (*kept, *left_out):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(name)
    (tmp_path / "link").symlink_to("a.py")
    (tmp_path / "folder").symlink_to("src")
    os.mkfifo(tmp_path / "pipe")
    found = tree(bytes(tmp_path), (bytes(tmp_path / "own"),))
    assert found is not None
    assert sorted(found) == [name.encode() for name in kept]


def test_a_tree_that_is_too_large_is_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(workspace, "MOST_FILES", 2)
    for name in "ab":
        (tmp_path / name).touch()
    assert tree(bytes(tmp_path)) is not None
    (tmp_path / "c").touch()
    assert tree(bytes(tmp_path)) is None


class Desk:
    """A HOME with a project in it, where calls change files."""

    def __init__(self, home: Path, *, keeps: bool) -> None:
        self.store = Store(home)
        self.journals = home.parent / "state" / "journals"
        self.journals.mkdir(parents=True)
        self.project = home / "project"
        self.project.mkdir()
        self.witness = Witness(self.journals, home, workspace=keeps)

    def begin(self, *argv: bytes, pid: int | None = None, cwd: Path | None = None) -> RecordedCall:
        given = argv or (b"-p", b"hi")
        where = bytes(cwd or self.project)
        call = RecordedCall(self.journals, self.store.home, *given, pid=pid, cwd=where)
        self.witness.poll()
        # An agy takes longer to start than the first look at the tree does.
        for thread in threading.enumerate():
            if thread.name == "agy-proxy workspace":
                thread.join()
        return call

    def over(self, call: RecordedCall) -> Facts:
        call.end()
        self.witness.poll()
        facts = self.witness.facts(call.path)
        assert facts is not None
        return facts


@pytest.fixture
def desk(home: Path) -> Callable[[bool], Desk]:
    return lambda keeps: Desk(home, keeps=keeps)


@pytest.mark.parametrize("keeps", [True, False])
def test_what_a_call_changed_is_listed_and_kept_where_that_is_asked_for(
    desk: Callable[[bool], Desk], keeps: bool
) -> None:
    at = desk(keeps)
    (at.project / "old.py").write_text("1")
    (at.project / "gone.py").write_text("2")
    (at.project / "same.py").write_text("3")
    for name in ("old.py", "gone.py", "same.py"):
        os.utime(at.project / name, ns=(0, 0))
    call = at.begin()
    (at.project / "old.py").write_text("11")
    (at.project / "gone.py").unlink()
    (at.project / "image").write_bytes(b"\xff\0")
    facts = at.over(call)
    digest = {data: hashlib.sha256(data).hexdigest() for data in (b"11", b"\xff\0")}
    assert facts.workspace == (
        {"path": "gone.py", "op": "delete"},
        {"path": "image", "op": "create", "bytes": 2, "sha256": digest[b"\xff\0"]},
        {"path": "old.py", "op": "replace", "bytes": 2, "sha256": digest[b"11"]},
    )
    kept = [
        (each.op, os.fsdecode(each.path).removeprefix(f"{at.project}/"), each.data) for each in facts.files
    ]
    wanted = [("delete", "gone.py", b""), ("create", "image", b"\xff\0"), ("replace", "old.py", b"11")]
    assert kept == (wanted if keeps else [])


def test_calls_at_one_folder_at_once_have_no_changes_of_their_own(desk: Callable[[bool], Desk]) -> None:
    at = desk(True)
    one, two = at.begin(pid=101), at.begin(pid=102, cwd=at.project / "below")
    (at.project / "a").write_text("whose?")
    for call in (one, two):
        facts = at.over(call)
        assert (facts.workspace, facts.files) == (None, ())
    third = at.begin(pid=103)
    assert at.over(third).workspace == ()


def test_a_call_and_the_one_that_its_agy_makes_both_have_the_change(desk: Callable[[bool], Desk]) -> None:
    at = desk(False)
    outer = at.begin(pid=101)
    outer.say("p", b"%d" % os.getppid())
    inner = at.begin(pid=102)
    (at.project / "a").write_text("x")
    for call in (inner, outer):
        found = at.over(call).workspace
        assert found is not None
        assert [each["path"] for each in found] == ["a"]


def test_a_home_is_no_workspace_and_a_probe_has_none(desk: Callable[[bool], Desk]) -> None:
    at = desk(True)
    in_home = at.begin(pid=101, cwd=at.store.home)
    (at.store.home / "a").write_text("x")
    assert at.over(in_home).workspace is None
    probe = at.begin(b"--version", pid=102)
    (at.project / "a").write_text("x")
    assert at.over(probe).workspace == ()
