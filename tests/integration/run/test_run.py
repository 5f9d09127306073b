import os
import re
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from agy_cassettes.cassette import Cassette
from fake_agy.double import write_double
from fake_agy.settings import DoubleSettings
from tests.support.tool import TWO_TURNS, agy_proxy, summary_of

SETTINGS = DoubleSettings(agy_version="1.2.10")


@pytest.fixture
def place(tmp_path: Path) -> Path:
    """A folder with a client, a double to record and a HOME for it."""
    (tmp_path / "client.sh").write_text(TWO_TURNS)
    (tmp_path / "store").mkdir()
    write_double(tmp_path / "real", SETTINGS)
    return tmp_path


def prompts_in(cassette: Path) -> list[str]:
    return [str(each.request.prompt) for each in Cassette.open(cassette).interactions()]


RECORD = ("record", "c.agy.yaml", "--real", "real/agy", "--home", "store", "--summary-json", "s.json")
CLIENT = ("--", "sh", "client.sh")


def test_a_client_is_answered_from_the_cassette_as_it_was_when_recorded_with_agy_gone(place: Path) -> None:
    recorded = agy_proxy(*RECORD, *CLIENT, cwd=place)
    shutil.rmtree(place / "real")
    shutil.rmtree(place / "store")

    replayed = agy_proxy("replay", "c.agy.yaml", "--fail-unplayed", "--speed", "max", *CLIENT, cwd=place)

    assert recorded.status == 0, recorded.stderr
    assert "My parrot is called Ada." in recorded.stdout
    assert (replayed.status, replayed.stdout) == (0, recorded.stdout)


def test_the_summary_counts_calls_and_turns(place: Path) -> None:
    agy_proxy(*RECORD, "--", "sh", "-c", "agy --version; agy -p one", cwd=place)

    summary = summary_of(place / "s.json")

    assert (summary["status"], summary["calls"], summary["turns"]) == ("ok", 2, 1)
    assert summary["cassette"] == str(place / "c.agy.yaml")


@pytest.mark.parametrize(
    ("script", "status"),
    [
        ("agy --version; exit 3", 3),
        ("agy --version; kill -TERM $$", -signal.SIGTERM),
        ("exit 0", 125),
        ("exit 7", 7),
    ],
)
def test_a_run_ends_as_its_client_does_and_with_125_where_agy_was_never_called(
    place: Path, script: str, status: int
) -> None:
    assert agy_proxy(*RECORD, "--", "sh", "-c", script, cwd=place).status == status


def test_a_run_without_calls_says_so_first(place: Path) -> None:
    ended = agy_proxy(*RECORD, "--", "true", cwd=place)

    assert ended.stderr.splitlines()[0].startswith("agy-proxy: the shim was never called")
    assert not (place / "c.agy.yaml").exists()


@pytest.mark.parametrize(("client", "status"), [("absent", 127), ("./plain", 126)])
def test_a_client_that_cannot_start_is_126_or_127(place: Path, client: str, status: int) -> None:
    (place / "plain").write_text("")

    ended = agy_proxy(*RECORD, "--", client, cwd=place)

    assert ended.status == status
    assert ended.stderr.startswith("agy-proxy: the client ")


def test_a_call_that_was_not_recorded_is_refused_and_never_reaches_an_agy(place: Path) -> None:
    agy_proxy(*RECORD, *CLIENT, cwd=place)
    shutil.rmtree(place / "store")

    words = ("replay", "c.agy.yaml", "--summary-json", "s.json", "--home", "temp", "--")
    path = f"{place / 'real'}{os.pathsep}{os.environ['PATH']}"
    ended = agy_proxy(
        *words, "sh", "-c", "agy -p 'Something else.' || echo refused $?", cwd=place, env={"PATH": path}
    )

    assert (ended.status, ended.stdout) == (125, "refused 125\n")
    summary = summary_of(place / "s.json")
    assert summary["status"] == "miss"
    assert "Something else" in summary["misses"][0]
    assert "My parrot is called Ada" in summary["misses"][0]


def test_a_turn_that_nobody_asked_for_fails_the_run_only_where_that_was_asked(place: Path) -> None:
    agy_proxy(*RECORD, *CLIENT, cwd=place)
    one = ("--summary-json", "s.json", "--speed", "max", "--", "agy", "-p", "My parrot is called Ada.")

    lenient = agy_proxy("replay", "c.agy.yaml", *one, cwd=place)
    strict = agy_proxy("replay", "c.agy.yaml", "--fail-unplayed", *one, cwd=place)

    assert (lenient.status, strict.status) == (0, 125)
    summary = summary_of(place / "s.json")
    assert summary["status"] == "unplayed"
    assert len(summary["unplayed"]) == 1


def test_mode_once_records_a_new_cassette_and_then_only_plays(place: Path) -> None:
    once = (*RECORD[:2], "--mode", "once", *RECORD[2:])
    first = agy_proxy(*once, *CLIENT, cwd=place)
    second = agy_proxy(*once, *CLIENT, cwd=place)
    other = agy_proxy(*once, "--", "agy", "-p", "Something else.", cwd=place)

    assert (first.status, second.status, other.status) == (0, 0, 125)
    assert first.stdout == second.stdout
    assert len(prompts_in(place / "c.agy.yaml")) == 2


def test_mode_new_episodes_plays_what_it_has_and_records_the_rest(place: Path) -> None:
    agy_proxy(*RECORD, "--", "agy", "-p", "One.", cwd=place)
    both = "agy -p One.; agy -p Two."

    ended = agy_proxy(*RECORD, "--mode", "new_episodes", "--", "sh", "-c", both, cwd=place)

    assert ended.status == 0, ended.stderr
    assert prompts_in(place / "c.agy.yaml") == ["One.", "Two."]
    assert summary_of(place / "s.json")["calls"] == 2


def test_mode_all_adds_and_mode_rewrite_replaces(place: Path) -> None:
    for prompt in ("One.", "Two."):
        agy_proxy(*RECORD, "--", "agy", "-p", prompt, cwd=place)
    added = prompts_in(place / "c.agy.yaml")
    agy_proxy(*RECORD, "--mode", "rewrite", "--", "agy", "-p", "Three.", cwd=place)

    assert added == ["One.", "Two."]
    assert prompts_in(place / "c.agy.yaml") == ["Three."]


def test_mode_rewrite_keeps_the_old_cassette_where_nothing_was_recorded(place: Path) -> None:
    agy_proxy(*RECORD, "--", "agy", "-p", "One.", cwd=place)
    before = (place / "c.agy.yaml").read_bytes()

    ended = agy_proxy(*RECORD, "--mode", "rewrite", "--", "true", cwd=place)

    assert ended.status == 125
    assert (place / "c.agy.yaml").read_bytes() == before


def test_mode_passthrough_leaves_no_trace(place: Path) -> None:
    ended = agy_proxy(*RECORD, "--mode", "passthrough", "--", "agy", "-p", "One.", cwd=place)

    assert (ended.status, (place / "c.agy.yaml").exists()) == (0, False)
    assert "One." in ended.stdout


def test_a_double_is_not_recorded_into_the_callers_own_home(place: Path, home: Path) -> None:
    ended = agy_proxy("record", "c.agy.yaml", "--real", "real/agy", *CLIENT, cwd=place)

    assert ended.status == 2
    assert "--home temp" in ended.stderr
    assert list(home.iterdir()) == []


def test_without_an_agy_nothing_is_started(place: Path) -> None:
    ended = agy_proxy(
        "record", "c.agy.yaml", "--", "touch", "started", cwd=place, env={"PATH": "/usr/bin:/bin"}
    )

    assert ended.status == 2
    assert "give --real" in ended.stderr
    assert not (place / "started").exists()


def test_a_missing_cassette_is_told_before_the_client_starts(place: Path) -> None:
    ended = agy_proxy("replay", "absent.agy.yaml", "--", "touch", "started", cwd=place)

    assert (ended.status, (place / "started").exists()) == (2, False)
    assert "absent.agy.yaml" in ended.stderr


def test_replay_gives_the_client_a_throw_away_home_that_holds_the_shim(place: Path, home: Path) -> None:
    agy_proxy(*RECORD, "--", "agy", "-p", "One.", cwd=place)
    script = 'echo "$HOME"; "$HOME/.local/bin/agy" -p One. >/dev/null; ls "$HOME/.gemini/antigravity-cli"'

    ended = agy_proxy("replay", "c.agy.yaml", "--speed", "max", "--", "sh", "-c", script, cwd=place)

    given, *listed = ended.stdout.splitlines()
    assert ended.status == 0, ended.stderr
    assert given != str(home)
    assert listed == ["brain", "cache", "conversation_summaries.db", "conversations", "log"]
    assert not Path(given).exists()
    assert list(home.iterdir()) == []


def test_replay_with_the_callers_home_writes_nothing_below_gemini(place: Path, home: Path) -> None:
    agy_proxy(*RECORD, "--", "agy", "-p", "One.", cwd=place)

    ended = agy_proxy("replay", "c.agy.yaml", "--home", "keep", "--", "agy", "-p", "One.", cwd=place)

    assert ended.status == 0, ended.stderr
    assert not (home / ".gemini").exists()


def test_a_store_that_has_the_conversation_already_keeps_it_and_gets_a_new_one(place: Path) -> None:
    agy_proxy(*RECORD, "--", "agy", "-p", "One.", cwd=place)
    brain = place / "store/.gemini/antigravity-cli/brain"
    before = {path: path.read_bytes() for path in brain.rglob("*.jsonl")}

    ended = agy_proxy("replay", "c.agy.yaml", "--home", "store", "--", "agy", "-p", "One.", cwd=place)

    assert ended.status == 0, ended.stderr
    assert {path: path.read_bytes() for path in before} == before
    assert len(list(brain.iterdir())) == 2
    assert "already; it was played as" in ended.stderr


def test_what_stood_in_the_store_before_the_recording_is_there_before_the_client_starts(place: Path) -> None:
    agy_proxy(*RECORD[:2], "--mode", "passthrough", *RECORD[2:], "--", "agy", "-p", "One.", cwd=place)
    agy_proxy(*RECORD, "--", "agy", "-c", "-p", "Two.", cwd=place)
    script = (
        'cat "$HOME"/.gemini/antigravity-cli/brain/*/.system_generated/logs/transcript.jsonl; agy -c -p Two.'
    )

    ended = agy_proxy("replay", "c.agy.yaml", "--speed", "max", "--", "sh", "-c", script, cwd=place)

    assert ended.status == 0, ended.stderr
    assert "One." in ended.stdout.splitlines()[0]


def test_the_fake_keeps_a_conversation_between_calls_and_leaves_the_callers_home_alone(
    place: Path, home: Path
) -> None:
    ended = agy_proxy("fake", "--summary-json", "s.json", *CLIENT, cwd=place)

    assert ended.status == 0, ended.stderr
    assert ended.stdout.count("My parrot is called Ada.") == 2
    assert summary_of(place / "s.json")["turns"] == 2
    assert list(home.iterdir()) == []


def test_a_faked_run_can_be_recorded_and_replayed(place: Path) -> None:
    faked = agy_proxy("fake", "--record", "f.agy.yaml", "--seed", "7", *CLIENT, cwd=place)

    replayed = agy_proxy("replay", "f.agy.yaml", "--speed", "max", *CLIENT, cwd=place)

    assert (replayed.status, replayed.stdout) == (0, faked.stdout)


def test_the_fake_refuses_the_callers_own_home(place: Path) -> None:
    ended = agy_proxy("fake", "--home", "keep", *CLIENT, cwd=place)

    assert ended.status == 2
    assert "--home temp" in ended.stderr


def test_a_log_file_that_the_call_names_is_recorded_and_written_where_the_live_call_names_it(
    place: Path,
) -> None:
    agy_proxy(*RECORD, "--", "agy", "--log-file", str(place / "first.log"), "-p", "One.", cwd=place)

    call = ("agy", "--log-file", str(place / "second.log"), "-p", "One.")

    ended = agy_proxy("replay", "c.agy.yaml", "--speed", "max", "--", *call, cwd=place)

    told = re.findall(r"Created conversation \S+", (place / "second.log").read_text())
    assert ended.status == 0, ended.stderr
    assert told == re.findall(r"Created conversation \S+", (place / "first.log").read_text())
    assert (place / "second.log").stat().st_mode & 0o777 == 0o600


def test_transcript_rows_come_back_with_the_same_content_and_present_times(place: Path) -> None:
    agy_proxy(*RECORD, *CLIENT, cwd=place)
    (place / "again").mkdir()

    agy_proxy("replay", "c.agy.yaml", "--speed", "max", "--home", "again", *CLIENT, cwd=place)

    def rows(base: Path) -> dict[str, list[str]]:
        found = (base / ".gemini/antigravity-cli/brain").rglob("transcript*.jsonl")
        kept = {path.name: re.sub(r"20\d\d-[^\"]*?Z", "T", path.read_text()).splitlines() for path in found}
        return dict(sorted(kept.items()))

    assert rows(place / "again") == rows(place / "store")
    assert len(rows(place / "again")["transcript.jsonl"]) == 5


def test_a_run_that_is_killed_leaves_its_client_and_its_journals(place: Path) -> None:
    script = "agy -p One. >/dev/null; echo ready; read x; echo still; agy -p Two. >/dev/null"
    words = [sys.executable, "-m", "agy_proxy", *map(str, RECORD), "--", "sh", "-c", script]
    run = subprocess.Popen(words, cwd=place, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert run.stdout is not None
    assert run.stdin is not None
    assert run.stdout.readline() == b"ready\n"
    run.kill()
    run.wait()

    run.stdin.write(b"\n")
    run.stdin.flush()

    assert run.stdout.readline() == b"still\n"
    run.stdin.close()
    run.stdout.close()
