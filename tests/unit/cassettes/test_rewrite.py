import fcntl
import stat
from collections.abc import Iterator
from pathlib import Path

import pytest

from agy_cassettes.cassette import Cassette
from agy_cassettes.emitter import emit_record, header
from agy_cassettes.errors import CassetteError, UserError
from agy_cassettes.interaction import Record
from agy_cassettes.rewrite import replace_whole
from agy_cassettes.sidecar import folder_of
from tests.support.cassettes import cassette_of
from tests.support.interactions import interaction


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return cassette_of(tmp_path / "a.agy.yaml", [interaction("01J0-1")])


def test_the_records_are_those_given_and_the_mode_is_kept(path: Path) -> None:
    path.chmod(0o640)
    assert replace_whole(path, [interaction("01J0-2"), interaction("01J0-3")]) == 2
    assert path.read_bytes() == header() + emit_record(interaction("01J0-2")) + emit_record(
        interaction("01J0-3")
    )
    assert stat.S_IMODE(path.stat().st_mode) == 0o640


def test_a_new_file_is_made(tmp_path: Path) -> None:
    path = tmp_path / "new" / "a.agy.yaml"
    assert replace_whole(path, [interaction()]) == 1
    assert Cassette.open(path).record(0) == interaction()


def test_a_failure_leaves_the_old_file_and_nothing_beside_it(path: Path) -> None:
    def failing() -> Iterator[Record]:
        yield interaction("01J0-2")
        raise UserError("no more")

    before = path.read_bytes()
    with pytest.raises(UserError, match="no more"):
        replace_whole(path, failing())
    assert path.read_bytes() == before
    with pytest.raises(UserError, match="can't be saved"):
        replace_whole(path, [interaction(prompt="\ud800")])
    new = path.with_name("new.agy.yaml")
    with pytest.raises(UserError, match="no more"):
        replace_whole(new, failing())
    assert list(path.parent.iterdir()) == [path]


def test_a_symbolic_link_is_refused(path: Path) -> None:
    link = path.with_name("link")
    link.symlink_to(path)
    with pytest.raises(CassetteError, match="a symbolic link can't be replaced"):
        replace_whole(link, [])
    assert link.is_symlink()


def test_bodies_come_along_from_another_cassettes_folder(tmp_path: Path) -> None:
    source = cassette_of(tmp_path / "b.agy.yaml", [interaction(stdout=b"x" * 1_100_000)])
    target = tmp_path / "a.agy.yaml"
    replace_whole(target, Cassette.open(source).records(), folders=(folder_of(source),))
    Cassette.open(target).validate()
    assert len(list(folder_of(target).iterdir())) == 1


def test_an_appender_that_waited_while_the_file_was_replaced_appends_to_the_new_one(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = fcntl.flock
    waits: list[int] = []

    def flock(fd: int, how: int) -> None:
        waits.append(fd)
        if len(waits) == 1:
            replace_whole(path, [interaction("01J0-2")])
        real(fd, how)

    monkeypatch.setattr(fcntl, "flock", flock)
    cassette_of(path, [interaction("01J0-3")])
    assert [entry.id for entry in Cassette.open(path).entries] == ["01J0-2", "01J0-3"]
