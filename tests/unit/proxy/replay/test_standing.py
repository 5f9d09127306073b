import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from agy_cassettes.interaction import FileEvent
from agy_proxy.replay.compile import compile_play_file
from agy_proxy.replay.standing import lay_out
from agy_proxy.shim.isolated.play_store import RefusedError
from tests.support.interactions import interaction
from tests.support.players import InMemory, player

PATH = "brain/9b1d/.system_generated/logs/transcript.jsonl"
STOOD = FileEvent(
    op="create", path=f"${{AGY_HOME}}/{PATH}", text=b"old ${HOME}\n", approx=True, extra={"stood": True}
)
ROW = FileEvent(op="append", path=f"${{AGY_HOME}}/{PATH}", text=b"new\n", before=12)


def laid(folder: Path) -> tuple[int, Path]:
    home = folder / "home"
    home.mkdir(exist_ok=True)
    compile_play_file(InMemory([interaction(), interaction("2", files=[STOOD, ROW])]), folder / "play")
    count = lay_out(folder / "play", home=home, cwd=folder, tmp=folder, now=1)
    return count, home / ".gemini/antigravity-cli" / PATH


def test_what_stood_before_the_recording_stands_before_the_replay(tmp_path: Path) -> None:
    count, path = laid(tmp_path)

    assert count == 1
    assert path.read_text() == f"old {tmp_path}/home\n"


def test_what_is_there_already_is_left_alone(tmp_path: Path) -> None:
    _, path = laid(tmp_path)
    path.write_text("longer by now\n")

    laid(tmp_path)

    assert path.read_text() == "longer by now\n"


def test_a_store_behind_a_symlink_is_refused(tmp_path: Path) -> None:
    (tmp_path / "home").mkdir()
    (tmp_path / "home/.gemini").symlink_to(tmp_path)

    with pytest.raises(RefusedError):
        laid(tmp_path)


def test_a_call_whose_store_was_not_laid_out_brings_what_stood(tmp_path: Path) -> None:
    agy = player(tmp_path, interaction(files=[STOOD, ROW]), interaction("2", files=[STOOD, ROW]))

    assert [agy.run("-p", "What is left?").returncode for _ in range(2)] == [0, 0]

    assert (agy.store / PATH).read_text() == f"old {agy.home}\nnew\nnew\n"


def test_a_database_that_stood_there_is_rebuilt_and_one_that_stands_there_left_alone(tmp_path: Path) -> None:
    step = (
        b'{"step":{"idx":0,"type":"USER_INPUT","source":"USER_EXPLICIT","plain":"hi","created":1781951620}}\n'
    )
    stood = FileEvent(
        op="create",
        path="${AGY_HOME}/conversations/9b1d.db",
        text=step,
        extra={"stood": True, "decoded": True},
    )
    home = tmp_path / "home"
    home.mkdir()
    compile_play_file(InMemory([interaction(files=[stood])]), tmp_path / "play")
    database = home / ".gemini/antigravity-cli/conversations/9b1d.db"

    for _ in range(2):
        assert lay_out(tmp_path / "play", home=home, cwd=tmp_path, tmp=tmp_path, now=1) == 1
        with closing(sqlite3.connect(database)) as connection:
            assert connection.execute("SELECT count(*) FROM steps").fetchone() == (1,)
            connection.execute("UPDATE steps SET status = 6")
            connection.commit()

    with closing(sqlite3.connect(database)) as connection:
        assert connection.execute("SELECT status FROM steps").fetchone() == (6,)
