"""Files of a store: their modes, whole replacements, appends of whole lines, the lock."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from fake_agy.stores.files import (
    append_piece,
    append_private,
    locked,
    private_folder,
    read_bytes,
    replace_private,
    size_of,
)
from fake_agy.stores.layout import layout_of

APPENDER = """
import sys
from fake_agy.stores.files import append_private, locked
from fake_agy.stores.layout import layout_of
home, name = sys.argv[1:]
for number in range(100):
    with locked(layout_of(home)):
        append_private(f"{home}/rows", f"{name} {number} {'x' * 5000}\\n".encode())
"""


def mode(path: Path) -> int:
    return path.stat().st_mode & 0o777


def test_files_and_all_folders_above_them_are_the_users_alone(tmp_path: Path) -> None:
    replace_private(str(tmp_path / "a" / "b" / "whole"), b"x")
    append_private(str(tmp_path / "a" / "c" / "rows"), b"x\n")

    assert [mode(tmp_path / "a" / each) for each in ("", "b", "c")] == [0o700] * 3
    assert [mode(tmp_path / "a" / each) for each in ("b/whole", "c/rows")] == [0o600] * 2


def test_a_file_is_replaced_whole_and_no_draft_is_left(tmp_path: Path) -> None:
    path = str(tmp_path / "whole")
    replace_private(path, b"a long first text")
    replace_private(path, b"short")

    assert read_bytes(path) == b"short"
    assert list(tmp_path.iterdir()) == [tmp_path / "whole"]


def test_a_draft_of_a_process_that_was_killed_is_no_hindrance(tmp_path: Path) -> None:
    (tmp_path / f".whole.{os.getpid()}").write_bytes(b"half of a dra")
    replace_private(str(tmp_path / "whole"), b"whole")

    assert list(tmp_path.iterdir()) == [tmp_path / "whole"]
    assert (tmp_path / "whole").read_bytes() == b"whole"


def test_what_stands_in_place_of_a_folder_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(OSError, match="file"):
        private_folder(str(tmp_path / "file" / "below"))


def test_a_line_follows_a_torn_one_on_a_line_of_its_own(tmp_path: Path) -> None:
    path = tmp_path / "rows"
    path.write_bytes(b'{"step_index":1,"sour')
    append_private(str(path), b"{}\n")

    assert path.read_bytes() == b'{"step_index":1,"sour\n{}\n'


def test_pieces_are_appended_as_they_are(tmp_path: Path) -> None:
    for piece in (b"half", b" a line\nand"):
        append_piece(str(tmp_path / "deep" / "pieces"), piece)

    assert read_bytes(str(tmp_path / "deep" / "pieces")) == b"half a line\nand"
    assert size_of(str(tmp_path / "deep" / "pieces")) == 15
    assert (size_of(str(tmp_path / "none")), read_bytes(str(tmp_path / "none"))) == (0, None)


def test_what_does_not_fit_leaves_nothing_of_itself(tmp_path: Path) -> None:
    path = tmp_path / "rows"
    path.write_bytes(b"one\n")
    child = f"""
import resource, signal, sys
sys.path[:0] = {sys.path!r}
from fake_agy.stores.files import append_piece, append_private
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (10, 10))
for append in (append_private, append_piece):
    try:
        append({str(path)!r}, b"a long line that does not fit\\n")
    except OSError:
        continue
    sys.exit(1)
"""
    subprocess.run([sys.executable, "-c", child], check=True)
    assert path.read_bytes() == b"one\n"


def test_a_folder_in_place_of_a_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(IsADirectoryError) as told:
        read_bytes(str(tmp_path))
    assert told.value.filename == str(tmp_path)


def test_the_lock_is_released_when_its_holder_fails(tmp_path: Path) -> None:
    layout = layout_of(str(tmp_path))
    with pytest.raises(ValueError, match="inside"), locked(layout):
        raise ValueError("inside")
    with locked(layout):
        assert mode(tmp_path / ".fake-agy" / "lock") == 0o600


def test_processes_that_append_at_once_lose_and_tear_nothing(tmp_path: Path) -> None:
    processes = [
        subprocess.Popen([sys.executable, "-c", APPENDER, str(tmp_path), name])
        for name in ("a", "b", "c", "d")
    ]
    assert [process.wait(timeout=60) for process in processes] == [0, 0, 0, 0]

    lines = (tmp_path / "rows").read_text().splitlines()
    expected = {f"{name} {number} {'x' * 5000}" for name in ("a", "b", "c", "d") for number in range(100)}
    assert len(lines) == 400
    assert set(lines) == expected
