"""The files that a replay writes, and those that it must not."""

import json
import os
import re
from datetime import UTC, datetime
from pathlib import Path

import pytest

from agy_cassettes.interaction import FileEvent, FileOp, Recorded
from tests.support.interactions import BY, interaction
from tests.support.players import player

ASK = ("-p", "What is left?")
LOGS = "brain/9b1d/.system_generated/logs"
ROW = '{"step_index":%d,"created_at":"%s","content":"in ${HOME}"}\n'
RECORDED = Recorded(at="2026-06-20T10:33:38.500Z", by=BY, agy="1.2.10")


def append(path: str, text: str, op: FileOp = "append") -> FileEvent:
    return FileEvent(op=op, path=path, text=text.encode())


def row(index: int, at: str = "2026-06-20T10:33:40Z", name: str = "transcript.jsonl") -> FileEvent:
    return append(f"${{AGY_HOME}}/{LOGS}/{name}", ROW % (index, at))


def test_rows_are_appended_below_the_home_of_the_call(tmp_path: Path) -> None:
    agy = player(tmp_path, interaction(files=[row(0), row(1), row(0, name="transcript_full.jsonl")]))
    old = agy.store / LOGS / "transcript.jsonl"
    old.parent.mkdir(parents=True)
    old.write_text("old\n")

    assert agy.run(*ASK).returncode == 0

    lines = old.read_text().splitlines()
    assert lines[0] == "old"
    assert [json.loads(line)["step_index"] for line in lines[1:]] == [0, 1]
    assert json.loads(lines[1])["content"] == f"in {agy.home}"
    assert len((agy.store / LOGS / "transcript_full.jsonl").read_text().splitlines()) == 1


def test_files_are_made_0600_and_folders_0700(tmp_path: Path) -> None:
    agy = player(tmp_path, interaction(files=[row(0)]))

    agy.run(*ASK)

    below = [agy.home / ".gemini", *sorted((agy.home / ".gemini").rglob("*"))]
    assert [path.stat().st_mode & 0o777 for path in below] == [0o700] * (len(below) - 1) + [0o600]


def test_a_home_in_the_settings_wins_over_the_environments(tmp_path: Path) -> None:
    own = tmp_path / "own"
    own.mkdir()
    agy = player(tmp_path, interaction(files=[row(0)]), home=str(own))

    agy.run(*ASK)

    assert (own / ".gemini/antigravity-cli" / LOGS / "transcript.jsonl").exists()
    assert not agy.store.exists()


def test_the_times_of_rows_are_moved_to_the_present(tmp_path: Path) -> None:
    agy = player(
        tmp_path, interaction(files=[row(0), row(1, "2026-06-20T10:33:38Z")], recorded=RECORDED), speed="max"
    )

    before = int(datetime.now(UTC).timestamp())
    agy.run(*ASK)
    after = datetime.now(UTC).timestamp()

    written = (agy.store / LOGS / "transcript.jsonl").read_text().splitlines()
    times = [datetime.fromisoformat(json.loads(line)["created_at"]).timestamp() for line in written]
    assert all(before <= at <= after for at in times)
    assert times[0] == times[1]


def test_the_times_of_log_lines_are_moved_to_the_present_where_the_call_is_made(tmp_path: Path) -> None:
    log = append("${LOG_FILE}", "I0620 12:33:39.000250 7 a.go:1] x\n  more\n", "create")
    argv = ("agy", "--log-file", "${LOG_FILE}", "-p", "${PROMPT}")
    agy = player(tmp_path, interaction(argv=argv, files=[log], recorded=RECORDED))

    before = datetime.now(UTC).timestamp()
    agy.run("--log-file", str(tmp_path / "agy.log"), *ASK, env={"TZ": "XYZ-03:00"})
    after = datetime.now(UTC).timestamp()

    found = re.fullmatch(
        r"I(\d{4} \d\d:\d\d:\d\d\.\d{6}) 7 a\.go:1\] x\n  more\n", (tmp_path / "agy.log").read_text()
    )
    assert found is not None
    year = datetime.fromtimestamp(before + 3 * 3600, UTC).year
    at = datetime.strptime(f"{year} {found[1]}", "%Y %m%d %H:%M:%S.%f").replace(tzinfo=UTC).timestamp()
    assert before - 0.000_001 <= at - 3 * 3600 <= after


def test_times_stay_as_recorded_where_that_is_asked_for(tmp_path: Path) -> None:
    agy = player(tmp_path, interaction(files=[row(0)], recorded=RECORDED), time="recorded")

    agy.run(*ASK)

    assert '"created_at":"2026-06-20T10:33:40Z"' in (agy.store / LOGS / "transcript.jsonl").read_text()


def test_the_log_file_is_the_one_that_the_live_call_names(tmp_path: Path) -> None:
    log = append("${LOG_FILE}", "Created conversation 9b1d in ${LOG_FILE}\n", "create")
    recorded = interaction(argv=("agy", "--log-file=${LOG_FILE}", "-p", "${PROMPT}"), files=[log])
    work = tmp_path / "work"
    work.mkdir()

    agy = player(tmp_path, recorded)
    result = agy.run("--log-file=here.log", *ASK, cwd=work)

    assert result.returncode == 0
    assert (work / "here.log").read_text() == f"Created conversation 9b1d in {work}/here.log\n"
    assert (work / "here.log").stat().st_mode & 0o777 == 0o600
    assert not agy.store.exists()


def test_a_log_file_that_the_client_made_before_is_filled(tmp_path: Path) -> None:
    log = append("${LOG_FILE}", "new\n", "create")
    (tmp_path / "agy.log").write_text("what was there before\n")
    agy = player(
        tmp_path, interaction(argv=("agy", "--log-file", "${LOG_FILE}", "-p", "${PROMPT}"), files=[log])
    )

    agy.run("--log-file", str(tmp_path / "agy.log"), *ASK)

    assert (tmp_path / "agy.log").read_text() == "new\n"


def test_a_call_that_names_no_log_file_gets_none(tmp_path: Path) -> None:
    recorded = interaction(files=[append("${LOG_FILE}", "line\n")])

    assert player(tmp_path, recorded).run(*ASK).returncode == 0


@pytest.mark.parametrize(
    ("files", "written"),
    [
        ("all", {"brain/a/x.md", "log/cli.log", f"{LOGS}/transcript.jsonl", "log"}),
        ("transcripts", {f"{LOGS}/transcript.jsonl", "log"}),
        ("none", set()),
    ],
)
def test_which_files_are_written_is_a_setting(files: str, written: set[str], tmp_path: Path) -> None:
    events = [
        append("${AGY_HOME}/brain/a/x.md", "text", "create"),
        row(0),
        append("${AGY_HOME}/log/cli.log", "line\n"),
        append("${LOG_FILE}", "line\n"),
    ]
    argv = ("agy", "--log-file", "${LOG_FILE}", "-p", "${PROMPT}")
    agy = player(tmp_path, interaction(argv=argv, files=events), files=files)

    assert agy.run("--log-file", str(tmp_path / "log"), *ASK).returncode == 0

    found = {str(path.relative_to(agy.store)) for path in agy.store.rglob("*") if path.is_file()}
    assert found | ({"log"} if (tmp_path / "log").exists() else set()) == written


def test_a_store_that_is_not_to_be_written_stays_untouched_but_the_log_file_comes(tmp_path: Path) -> None:
    argv = ("agy", "--log-file", "${LOG_FILE}", "-p", "${PROMPT}")
    agy = player(
        tmp_path, interaction(argv=argv, files=[row(0), append("${LOG_FILE}", "line\n")]), store="off"
    )

    agy.run("--log-file", str(tmp_path / "log"), *ASK)

    assert not agy.store.exists()
    assert (tmp_path / "log").exists()


def test_a_file_of_the_workspace_keeps_its_mode_and_may_hold_anything(tmp_path: Path) -> None:
    body = bytes(range(256))
    replaced = FileEvent(op="replace", path="${CWD}/run.sh", text=body)
    work = tmp_path / "work"
    work.mkdir()
    (work / "run.sh").write_text("old")
    (work / "run.sh").chmod(0o755)
    agy = player(tmp_path, interaction(files=[replaced]), workspace=True)

    assert agy.run(*ASK, cwd=work).returncode == 0

    assert (work / "run.sh").read_bytes() == body
    assert (work / "run.sh").stat().st_mode & 0o777 == 0o755
    assert [path.name for path in work.iterdir()] == ["run.sh"]


@pytest.mark.parametrize("workspace", [True, False])
def test_the_workspace_is_written_only_where_that_is_asked_for(workspace: bool, tmp_path: Path) -> None:
    work = tmp_path / "work"
    work.mkdir()
    agy = player(tmp_path, interaction(files=[append("${CWD}/src/a.py", "x", "create")]), workspace=workspace)

    assert agy.run(*ASK, cwd=work).returncode == 0

    assert (work / "src/a.py").exists() is workspace


def test_all_changes_of_files_are_made_in_order(tmp_path: Path) -> None:
    store = "${AGY_HOME}"
    events = [
        append(f"{store}/a", "one", "create"),
        append(f"{store}/a", " two"),
        FileEvent(op="rename", path=f"{store}/a", target=f"{store}/deep/b"),
        append(f"{store}/c", "old", "create"),
        append(f"{store}/c", "new", "replace"),
        append(f"{store}/d", "gone", "create"),
        FileEvent(op="delete", path=f"{store}/d"),
        append(f"{store}/e", "long text", "create"),
        append(f"{store}/e", "cut", "truncate"),
        FileEvent(op="symlink", path=f"{store}/latest", target="c"),
    ]
    agy = player(tmp_path, interaction(files=events))

    assert agy.run(*ASK).returncode == 0

    found = {
        str(path.relative_to(agy.store)): path.read_text()
        for path in agy.store.rglob("*")
        if not path.is_dir()
    }
    assert found == {"deep/b": "one two", "c": "new", "e": "cut", "latest": "new"}
    assert (agy.store / "latest").is_symlink()


@pytest.mark.parametrize(
    "link",
    [
        ".gemini",
        ".gemini/antigravity-cli",
        ".gemini/antigravity-cli/brain",
        f".gemini/antigravity-cli/{LOGS}",
    ],
)
def test_a_store_behind_a_symlink_is_refused_and_nothing_is_written(link: str, tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    agy = player(tmp_path / "agy", interaction(files=[row(0)]))
    (agy.home / link).parent.mkdir(parents=True, exist_ok=True)
    (agy.home / link).symlink_to(outside)

    result = agy.run(*ASK)

    assert (result.returncode, result.stdout) == (125, b"")
    assert result.stderr.startswith(b"agy-proxy: the call can't be replayed: ")
    assert result.stderr.count(b"\n") == 1
    assert list(outside.iterdir()) == []


@pytest.mark.parametrize("op", ["append", "create", "replace", "truncate"])
def test_a_file_that_is_a_symlink_is_not_written_through(op: FileOp, tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.write_text("mine")
    agy = player(tmp_path / "agy", interaction(files=[append(f"${{AGY_HOME}}/{LOGS}/a", "theirs", op)]))
    (agy.store / LOGS).mkdir(parents=True)
    (agy.store / LOGS / "a").symlink_to(outside)

    assert agy.run(*ASK).returncode == 125
    assert outside.read_text() == "mine"


def test_a_log_file_that_is_a_symlink_is_not_written_through(tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.write_text("mine")
    (tmp_path / "log").symlink_to(outside)
    argv = ("agy", "--log-file", "${LOG_FILE}", "-p", "${PROMPT}")
    agy = player(tmp_path / "agy", interaction(argv=argv, files=[append("${LOG_FILE}", "theirs")]))

    assert agy.run("--log-file", str(tmp_path / "log"), *ASK).returncode == 125
    assert outside.read_text() == "mine"


def test_a_file_that_can_t_be_written_is_told_in_the_errors_log_and_nowhere_else(tmp_path: Path) -> None:
    agy = player(tmp_path, interaction(files=[row(0)], stderr=b"err\n"))
    (agy.store / LOGS / "transcript.jsonl").mkdir(parents=True)

    result = agy.run(*ASK)

    assert (result.stdout, result.stderr, result.returncode) == (b"Half.\n", b"err\n", 0)
    told = (tmp_path / "errors.log").read_text()
    assert f"${{AGY_HOME}}/{LOGS}/transcript.jsonl was not written" in told


def test_files_written_after_the_exit_come_after_it(tmp_path: Path) -> None:
    fifo = tmp_path / "agy/home/.gemini/antigravity-cli/late"
    fifo.parent.mkdir(parents=True)
    os.mkfifo(fifo)
    ticks = [(0, "o", 6), (0, "x", 1), (300, "f", 1)]
    agy = player(
        tmp_path / "agy", interaction(timing=ticks, files=[append("${AGY_HOME}/late", "text")], code=5)
    )

    with agy.start(*ASK) as process:
        assert process.wait(60) == 5
        assert fifo.read_text() == "text"
