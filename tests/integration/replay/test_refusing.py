"""What a call gets that no recording answers, or only some other way than by the default matchers."""

import os
import signal
import subprocess
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import pytest

from agy_cassettes.client_words import alarming
from agy_cassettes.interaction import Recorded
from tests.support.interactions import AT, BY, interaction
from tests.support.players import InMemory, player

ASK = ("-p", "What is left?")
OTHER = ("-p", "What else is left?")


def test_a_miss_exits_125_with_at_most_ten_lines_and_the_rest_in_a_file(tmp_path: Path) -> None:
    agy = player(tmp_path, interaction("1"), interaction("2", prompt="x" * 500))

    result = agy.run(*OTHER, "--add-dir", "/a", "--add-dir", "/b", "--model", "m")

    lines = result.stderr.decode().splitlines()
    assert (result.returncode, result.stdout) == (125, b"")
    assert len(lines) <= 10
    assert not alarming(result.stderr.decode())
    (miss,) = agy.misses
    assert lines[0] == f"agy-proxy: no recorded call matches (call 1); details: {miss.details}"
    assert "What [else is ]left?" in miss.text or "What " in miss.text
    assert (miss.why, miss.call, miss.short) == ("none", 1, result.stderr.decode())
    assert miss.details.stat().st_mode & 0o777 == 0o600
    assert miss.details.parent.stat().st_mode & 0o777 == 0o700


def test_a_recording_is_played_once_and_then_it_says_who_used_it_up(tmp_path: Path) -> None:
    agy = player(tmp_path, interaction())

    with agy.start(*ASK) as first:
        assert first.wait(60) == 0
    result = agy.run(*ASK)

    assert result.returncode == 125
    assert result.stdout == b""
    (miss,) = agy.misses
    assert miss.why == "used_up"
    assert f"played 1 time, by pid {first.pid} at " in miss.short
    assert not alarming(result.stderr.decode())


def test_equal_calls_are_answered_in_recorded_order(tmp_path: Path) -> None:
    agy = player(tmp_path, *(interaction(str(at), stdout=b"%d" % at) for at in range(3)))

    assert [agy.run(*ASK).stdout for _ in range(3)] == [b"0", b"1", b"2"]
    assert agy.run(*ASK).returncode == 125


def test_with_repeats_the_last_of_equal_recordings_goes_on(tmp_path: Path) -> None:
    records = [interaction(str(at), stdout=b"%d" % at) for at in range(2)]

    agy = player(tmp_path, *records, allow_repeats=True)

    assert [agy.run(*ASK).stdout for _ in range(4)] == [b"0", b"1", b"1", b"1"]
    assert [play.count for play in agy.played.plays] == [1, 3]


def test_probes_and_refused_flags_repeat_freely(tmp_path: Path) -> None:
    agy = player(
        tmp_path,
        interaction("1", argv=("agy", "models"), prompt=None, stdout=b"old\n"),
        interaction("2", argv=("agy", "models"), prompt=None, stdout=b"new\n"),
        interaction("3", argv=("agy", "--bogus", "-p", "${PROMPT}"), stdout=b"", stderr=b"no\n", code=2),
    )

    assert [agy.run("models").stdout for _ in range(4)] == [b"old\n", b"new\n", b"new\n", b"new\n"]
    assert [agy.run("--bogus", *ASK).returncode for _ in range(3)] == [2, 2, 2]
    assert agy.misses == ()


def test_a_version_that_was_not_recorded_is_that_of_the_recordings(tmp_path: Path) -> None:
    agy = player(tmp_path, interaction())

    results = [agy.run(*argv) for argv in (["--version"], ["-version"], ["--version"])]

    assert [(result.stdout, result.returncode) for result in results] == [(b"1.2.10\n", 0)] * 3
    assert agy.misses == ()


def test_a_recorded_version_is_played_as_it_was(tmp_path: Path) -> None:
    recorded = interaction(argv=("agy", "--version"), prompt=None, stdout=b"agy 9\n", code=4)

    result = player(tmp_path, recorded).run("--version")

    assert (result.stdout, result.returncode) == (b"agy 9\n", 4)


@pytest.mark.parametrize("argv", [["--help"], ["models"], ["--version", "x"]])
def test_no_other_probe_is_made_up(argv: list[str], tmp_path: Path) -> None:
    assert player(tmp_path, interaction()).run(*argv).returncode == 125


def test_a_version_that_nobody_knows_is_a_miss(tmp_path: Path) -> None:
    recorded = interaction(recorded=Recorded(at=AT, by=BY, agy=None))

    assert player(tmp_path, recorded).run("--version").returncode == 125


def test_parallel_shims_share_the_recordings_without_doubling(tmp_path: Path) -> None:
    agy = player(tmp_path, *(interaction(str(at), stdout=b"%d " % at) for at in range(64)))

    with ThreadPoolExecutor(64) as pool:
        answers = list(pool.map(lambda _: agy.run(*ASK).stdout, range(64)))

    assert sorted(answers, key=int) == [b"%d " % at for at in range(64)]
    assert [play.count for play in agy.played.plays] == [1] * 64
    assert len({play.pid for play in agy.played.plays}) == 64
    assert sorted(play.call for play in agy.played.plays) == list(range(1, 65))
    assert agy.run(*ASK).returncode == 125


def test_the_default_matchers_ask_no_helper_for_a_hit(tmp_path: Path) -> None:
    assert player(tmp_path, interaction(), helper=["/bin/false"]).run(*ASK).returncode == 0


@pytest.mark.parametrize(
    "helper", [["/bin/false"], ["/nonexistent/helper"], ["/bin/cat"], ["/bin/sh", "-c", "kill -9 $$"]]
)
def test_a_miss_is_refused_even_where_the_helper_fails(helper: list[str], tmp_path: Path) -> None:
    result = player(tmp_path, interaction(), helper=helper).run(*OTHER)

    assert result.returncode == 125
    assert result.stdout == b""
    assert result.stderr.decode().startswith("agy-proxy: no recorded call matches (call 1)")
    assert not alarming(result.stderr.decode())


@pytest.mark.parametrize("damage", [b"", b"agyplay1", b"nonsense" * 100])
def test_a_damaged_play_file_is_refused(damage: bytes, tmp_path: Path) -> None:
    agy = player(tmp_path, interaction())
    (tmp_path / "play").write_bytes(damage)

    result = agy.run(*ASK)

    assert (result.returncode, result.stdout) == (125, b"")
    assert result.stderr == b"agy-proxy: the call can't be replayed: not a play file of this version\n"


def test_settings_that_make_no_sense_refuse_in_one_line(tmp_path: Path) -> None:
    result = player(tmp_path, interaction(), speed=0).run(*ASK)

    assert (result.returncode, result.stdout) == (125, b"")
    assert result.stderr.startswith(b"agy-proxy: the call can't be replayed: ZeroDivisionError")
    assert result.stderr.count(b"\n") == 1


def test_a_play_file_that_is_gone_is_refused_in_words_no_client_mistakes(tmp_path: Path) -> None:
    agy = player(tmp_path, interaction())
    (tmp_path / "play").unlink()

    result = agy.run(*ASK)

    assert result.returncode == 125
    assert not alarming(result.stderr.decode())


def test_other_matchers_are_the_helpers(tmp_path: Path) -> None:
    records = [
        interaction("1", argv=("agy", "--model", "a", "-p", "${PROMPT}"), stdout=b"a"),
        interaction("2", argv=("agy", "--model", "b", "-p", "${PROMPT}"), stdout=b"b"),
    ]
    agy = player(tmp_path, *records, match_on=("kind", "prompt", "model"))

    assert agy.run("--model", "b", *ASK).stdout == b"b"
    assert agy.run("--model", "a", *ASK).stdout == b"a"
    assert agy.run("--model", "a", *ASK).returncode == 125
    assert [play.count for play in agy.played.plays] == [1, 1]


def test_the_turn_matcher_counts_the_turns_of_the_run(tmp_path: Path) -> None:
    records = [interaction(str(at), prompt=f"it is {at}", stdout=b"%d" % at) for at in range(2)]
    agy = player(tmp_path, *records, match_on=("kind", "turn"))

    agy.run("--version")

    assert [agy.run("-p", text).stdout for text in ("noon", "night")] == [b"0", b"1"]


def test_matchers_of_ones_own_are_the_helpers(tmp_path: Path) -> None:
    own = tmp_path / "own.py"
    own.write_text(
        "from agy_cassettes.matchers import Reason\n"
        "def first(live, recorded):\n"
        "    return [] if live.prompt.split()[0] == recorded.prompt.split()[0] else [Reason('first')]\n"
        "matchers = {'first': first}\n"
    )
    agy = player(tmp_path, interaction(), matchers=str(own), match_on=("kind", "first"))

    assert agy.run("-p", "What now?").returncode == 0
    assert agy.run("-p", "Why?").returncode == 125


def test_matchers_that_fail_refuse_the_call_and_tell_why(tmp_path: Path) -> None:
    own = tmp_path / "own.py"
    own.write_text("def bad(live, recorded):\n    return True\nmatchers = {'bad': bad}\n")

    agy = player(tmp_path, interaction(), matchers=str(own), match_on=("bad",))
    result = agy.run(*ASK)

    assert (result.returncode, result.stdout) == (125, b"")
    assert "'bad' returned True" in agy.misses[0].text


def test_what_a_users_matchers_print_is_not_on_the_streams_of_agy(tmp_path: Path) -> None:
    own = tmp_path / "own.py"
    own.write_text("print('loaded')\nmatchers = {'all': lambda live, recorded: []}\n")
    agy = player(tmp_path, interaction(), matchers=str(own), match_on=("all",))

    result = agy.run(*ASK)

    assert (result.stdout, result.stderr, result.returncode) == (b"Half.\n", b"", 0)
    assert "loaded" in (tmp_path / "errors.log").read_text()


def test_placeholders_match_whatever_their_numbers(tmp_path: Path) -> None:
    agy = player(tmp_path, interaction(prompt="use REDACTED-token-1 now"))

    assert agy.run("-p", "use REDACTED-token-12 now").returncode == 0


def test_a_live_secret_matches_the_placeholder_that_was_recorded_for_it(tmp_path: Path) -> None:
    secret = "ghp_" + "aZ3" * 12
    agy = player(tmp_path, interaction(prompt="use REDACTED-api-key-3 now", stdout=b"REDACTED-api-key-3\n"))

    hit = agy.run("-p", f"use {secret} now")
    miss = agy.run("-p", f"use {secret} later")

    assert (hit.returncode, hit.stdout) == (0, b"REDACTED-api-key-3\n")
    assert miss.returncode == 125
    assert secret not in miss.stderr.decode() + agy.misses[0].text


def test_what_is_not_recorded_is_recorded_in_mode_auto(tmp_path: Path) -> None:
    agy = player(tmp_path, interaction(), mode="auto", stub=True)

    assert agy.run(*ASK).stdout == b"Half.\n"
    assert agy.run(*ASK).stdout == b"to be recorded None"
    assert agy.run(*OTHER).stdout == b"to be recorded None"
    assert agy.run(stdin=b"by stdin").stdout == b"to be recorded b'by stdin'"
    assert agy.misses == ()


def test_mode_auto_asks_the_helper_where_matching_needs_it(tmp_path: Path) -> None:
    records = [interaction(argv=("agy", "--model", "a", "-p", "${PROMPT}"))]
    agy = player(tmp_path, *records, mode="auto", stub=True, match_on=("kind", "prompt", "model"))

    assert agy.run("--model", "b", *ASK).stdout == b"to be recorded None"
    assert agy.run("--model", "a", *ASK).stdout == b"Half.\n"


@pytest.mark.parametrize("value", ["none", "replay"])
def test_the_environment_may_forbid_recording(value: str, tmp_path: Path) -> None:
    agy = player(tmp_path, interaction(), mode="auto", stub=True)

    assert agy.run(*OTHER, env={"AGY_PROXY_MODE": value}).returncode == 125


@pytest.mark.parametrize("value", ["all", "auto", "passthrough"])
def test_the_environment_may_not_allow_it(value: str, tmp_path: Path) -> None:
    agy = player(tmp_path, interaction())

    assert agy.run(*OTHER, env={"AGY_PROXY_MODE": value}).returncode == 125


def test_a_refused_call_never_runs_another_agy(tmp_path: Path) -> None:
    real = tmp_path / "real"
    real.mkdir()
    (real / "agy").write_text(f"#!/bin/sh\ntouch {tmp_path}/called\n")
    (real / "agy").chmod(0o755)
    agy = player(tmp_path / "shim", interaction())
    path = {"PATH": f"{agy.folder}:{real}:{os.environ['PATH']}"}

    for argv in (ASK, ASK, OTHER, ("update",), ("models",)):
        agy.run(*argv, env=path)

    assert not (tmp_path / "called").exists()


def test_a_shim_that_is_killed_while_it_plays_keeps_the_claim(tmp_path: Path) -> None:
    recorded = replace(interaction(timing=[(0, "o", 6), (100_000_000, "x", 1)]))
    agy = player(tmp_path, recorded, speed=1)

    with agy.start(*ASK) as process:
        assert process.stdout is not None
        process.stdout.read(6)
        process.kill()
        assert process.wait(60) == -signal.SIGKILL

    assert agy.run(*ASK).returncode == 125


def test_an_empty_cassette_refuses_everything(tmp_path: Path) -> None:
    agy = player(tmp_path, cassette=InMemory([]))

    assert agy.run(*ASK).returncode == 125
    assert agy.run("--version").returncode == 125


def test_a_call_in_a_folder_that_is_gone_is_played(tmp_path: Path) -> None:
    agy = player(tmp_path, interaction())
    script = 'mkdir "$1" && cd "$1" && rmdir "$1" && exec "$0" -p "What is left?"'

    done = subprocess.run(["/bin/sh", "-c", script, agy.agy, tmp_path / "gone"], check=False)

    assert done.returncode == 0


def test_a_call_that_is_not_recorded_reaches_the_real_agy_in_mode_auto_with_its_stdin(tmp_path: Path) -> None:
    real = tmp_path / "real"
    real.write_text("#!/bin/sh\nexec cat\n")
    real.chmod(0o755)
    recorded = interaction(argv=("agy",), prompt="known", stdin="${PROMPT}")
    agy = player(tmp_path / "agy", recorded, mode="auto", real=str(real))

    assert agy.run(stdin=b"known").stdout == b"Half.\n"
    assert agy.run(stdin=b"new to us").stdout == b"new to us"
    assert len(list((agy.folder / "journals").iterdir())) == 1
