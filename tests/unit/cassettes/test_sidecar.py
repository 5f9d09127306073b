import os
from pathlib import Path

import pytest

from agy_cassettes.errors import CassetteError, UserError
from agy_cassettes.interaction import Sidecar
from agy_cassettes.sidecar import copy_sidecars, externalise, folder_of, read_sidecar, sidecars, write_sidecar
from tests.support.interactions import interaction, mark

HASH = "2d711642b726b04401627ca9fbac32f5c8530fb1903cc4db02258717921a4881"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return folder_of(tmp_path / "a.agy.yaml")


def test_a_body_is_kept_under_its_hash_and_once(folder: Path) -> None:
    for _ in range(2):
        assert write_sidecar(folder, b"x") == Sidecar(f"{HASH}.bin", 1)
    assert [file.name for file in folder.iterdir()] == [f"{HASH}.bin"]
    assert read_sidecar(folder, Sidecar(f"{HASH}.bin", 1)) == b"x"


def test_a_damaged_file_is_written_anew(folder: Path) -> None:
    write_sidecar(folder, b"x")
    (folder / f"{HASH}.bin").write_bytes(b"y")
    write_sidecar(folder, b"x")
    assert (folder / f"{HASH}.bin").read_bytes() == b"x"


def test_only_bodies_above_the_limit_leave_the_record(folder: Path) -> None:
    record = interaction(stdout=b"12345", stderr=b"1234")
    moved = externalise(record, folder, limit=4)
    assert [sidecar.bytes for sidecar in sidecars(moved)] == [5]
    assert externalise(record, folder, limit=5) == record
    assert externalise(mark(), folder, limit=0) == mark()


@pytest.mark.parametrize("damage", ["other bytes", "longer", "gone", "symlink", "fifo", "directory"])
def test_what_is_not_the_recorded_body_is_refused(damage: str, folder: Path) -> None:
    sidecar = write_sidecar(folder, b"x")
    file = folder / sidecar.file
    file.unlink()
    if damage == "other bytes":
        file.write_bytes(b"y")
    elif damage == "longer":
        file.write_bytes(b"xx")
    elif damage == "symlink":
        (folder / "x").write_bytes(b"x")
        file.symlink_to("x")
    elif damage == "fifo":
        os.mkfifo(file)
    elif damage == "directory":
        file.mkdir()
    with pytest.raises(CassetteError, match=sidecar.file):
        read_sidecar(folder, sidecar)


@pytest.mark.parametrize("name", ["../x.bin", "/etc/passwd", f"{HASH}", f"x/{HASH}.bin", f"{HASH}.bin\n"])
def test_no_other_name_is_ever_opened(name: str, folder: Path) -> None:
    with pytest.raises(CassetteError, match="name of a body's file"):
        read_sidecar(folder, Sidecar(name, 1))


def test_a_folder_that_is_a_symbolic_link_is_refused(folder: Path, tmp_path: Path) -> None:
    write_sidecar(tmp_path / "elsewhere", b"x")
    folder.symlink_to(tmp_path / "elsewhere")
    with pytest.raises(UserError, match="symbolic link"):
        write_sidecar(folder, b"y")
    with pytest.raises(CassetteError, match="can't be read"):
        read_sidecar(folder, Sidecar(f"{HASH}.bin", 1))


def test_a_folder_that_cannot_be_made_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(UserError, match="could not be written: Not a directory"):
        write_sidecar(tmp_path / "file" / "x.d", b"x")


def test_sidecars_are_copied_from_where_they_are(folder: Path, tmp_path: Path) -> None:
    other = tmp_path / "other.d"
    record = externalise(interaction(stdout=b"12345"), other, limit=1)
    copy_sidecars(record, (tmp_path / "none.d", other), folder)
    assert [read_sidecar(folder, sidecar) for sidecar in sidecars(record)] == [b"12345"]
    copy_sidecars(record, (), folder)
    with pytest.raises(CassetteError, match="can't be read"):
        copy_sidecars(record, (), tmp_path / "third.d")
