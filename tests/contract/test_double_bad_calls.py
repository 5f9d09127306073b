"""Calls no version of agy takes, and places that take nothing: a clear end, and a store that holds."""

import json
import os
import random
import resource
import sqlite3
import subprocess
from contextlib import closing
from pathlib import Path

import pytest

from fake_agy.settings import DoubleSettings
from tests.support.double import Answered, Double, make_double
from tests.support.figures import drawn_seed, scaled

WORDS = (
    *("-p", "--print", "--prompt", "-i", "-c", "--continue", "--conversation", "--add-dir", "--sandbox"),
    *("--log-file", "--print-timeout", "--model", "--mode", "--agent", "--effort", "--output-format"),
    *("--json-schema", "--input-format", "--disable-slash-commands", "--project", "--new-project"),
    *("--dangerously-skip-permissions", "--version", "--help", "-h", "--", "-", "---", "--=", "-=x"),
    *("json", "stream-json", "text", "5s", "-1h", "9999999h", "banana", "plan", "low", "{", "[]", "null"),
    *('{"type":"object"}', '{"type":"object","properties":{"a":{"$ref":"#/properties/a"}}}', "object"),
    *("models", "plugin", "list", "mcp", "add", "agents", "changelog", "help", "agentapi", "update"),
    *("/usage", "/clear", "/", "/usage words", "é\u2028", "\U0001f600", "\x1b[31m", "a\nb", " ", "x" * 5000),
    *("../..", "/", "/dev/null", "/proc/self/mem", "not-a-uuid", "00000000-0000-4000-8000-000000000000"),
)
LINES = (
    b'{"event":"user","message":{"role":"user","content":"one"}}',
    b'{"event":"user","message":{"content":[{"type":"text","text":"two"}]}}',
    *(b"", b" ", b"{", b"}", b"[]", b"null", b"1e999", b'"x"', b"\xff\xfe", b"\x00", b"[" * 5000),
    *(b'{"event":1}', b'{"event":null}', b'{"event":"user"}', b'{"event":"user","message":null}'),
    *(b'{"event":"user","message":"x"}', b'{"event":"user","message":{}}', b'{"event":"bogus"}'),
    b'{"event":"user","message":{"content":[{"type":"image"}]}}',
    b'{"event":"user","message":{"content":"\\ud800"}}',
    b'{"event":"user","message":{"content":"/model"}}',
    b'{"type":"user","message":{"content":"x"}}',
    b'{"event":"user","event":"user","message":{"role":"user","content":"twice"}} {}',
    b'{"event":"user","message":{"role":"user","content":"' + b"long " * 20000 + b'"}}',
)
STATUSES = {0, 1, 2, 3}
VERSIONS = ("1.0.3", "1.0.8", "1.1.2", "1.1.11", "1.1.18", "1.1.28", "1.2.10", "1.3.3")


def ended_well(answered: Answered) -> None:
    assert answered.code in STATUSES, answered
    assert "Traceback" not in answered.err
    assert "fake-agy" not in answered.err


def holds(double: Double) -> None:
    """Every transcript line parses, every database is whole."""
    for path in double.root.rglob("*.jsonl"):
        if "chunks" not in path.parts:
            for line in path.read_bytes().splitlines(keepends=True):
                assert line.endswith(b"\n")
                json.loads(line)
    for path in double.root.rglob("*.db"):
        with closing(sqlite3.connect(path)) as database:
            assert database.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    for path in double.root.rglob("*.json"):
        json.loads(path.read_bytes())


@pytest.mark.stress
def test_any_command_line_ends_as_agys_do(tmp_path: Path) -> None:
    draw = random.Random(drawn_seed())
    for version in VERSIONS:
        double = make_double(tmp_path / version, DoubleSettings(agy_version=version))
        for _ in range(scaled(150)):
            argv = [draw.choice(WORDS) for _ in range(draw.randrange(7))]
            ended_well(double.call(*argv, stdin=draw.choice((None, b"", b"a prompt", b"\xff\x00"))))
        holds(double)


@pytest.mark.stress
def test_any_stream_of_messages_ends_as_agys_do(tmp_path: Path) -> None:
    draw = random.Random(drawn_seed())
    for version in ("1.1.15", "1.1.18", "1.2.10", "1.3.3"):
        double = make_double(tmp_path / version, DoubleSettings(agy_version=version))
        for _ in range(scaled(150)):
            lines = [draw.choice(LINES) for _ in range(draw.randrange(6))]
            stdin = b"\n".join(lines) + draw.choice((b"", b"\n"))
            answered = double.call(
                "--output-format", "stream-json", "--input-format", "stream-json", stdin=stdin
            )
            ended_well(answered)
            for line in answered.out.splitlines():
                assert json.loads(line)["event"] in {"init", "step_update", "result", "command_result"}
        holds(double)


@pytest.mark.parametrize(
    ("home", "named"),
    [("/proc/nowhere", "/proc/nowhere"), ("/dev/null", "/dev/null"), ("/dev/null/home", "/dev/null")],
)
def test_a_home_that_can_hold_nothing_is_named_in_one_line(tmp_path: Path, home: str, named: str) -> None:
    done = with_home(make_double(tmp_path), home)

    assert done.returncode == 125
    assert done.stderr.count(b"\n") == 1
    assert done.stderr.startswith(f"fake-agy: the double can't play this call: {named}".encode())
    assert b"below HOME" in done.stderr


@pytest.mark.parametrize("home", ["relative", "relative/home"])
def test_a_home_that_is_no_absolute_path_lies_in_the_working_directory(tmp_path: Path, home: str) -> None:
    double = make_double(tmp_path)

    assert with_home(double, home).returncode == 0
    assert (double.cwd / home / ".gemini" / "antigravity-cli" / "brain").is_dir()


def with_home(double: Double, home: str) -> subprocess.CompletedProcess[bytes]:
    command = double.command("-p", "hello")
    command["env"] = {**command["env"], "HOME": home}
    return subprocess.run(**command, stdin=subprocess.DEVNULL, capture_output=True, timeout=60, check=False)


@pytest.mark.system
def test_a_home_that_may_not_be_read_is_named_in_one_line(tmp_path: Path) -> None:
    double = make_double(tmp_path)
    double.call("-p", "hello")
    double.home.chmod(0)
    try:
        unprivileged = ("setpriv", "--bounding-set=-dac_override,-dac_read_search", "--inh-caps=-all")
        drop = unprivileged if os.geteuid() == 0 else ()
        command = double.command("-p", "again")
        command["args"] = [*drop, *command["args"]]
        done = subprocess.run(
            **command, stdin=subprocess.DEVNULL, capture_output=True, timeout=60, check=False
        )
    finally:
        double.home.chmod(0o700)

    assert done.returncode in {1, 125}
    assert done.stderr.count(b"\n") == 1
    assert done.stdout == b""


@pytest.mark.parametrize("room", [0, 100, 3000, 5000, 20_000, 40_000, 70_000])
def test_a_full_disk_leaves_a_store_that_holds(tmp_path: Path, room: int) -> None:
    double = make_double(tmp_path)
    double.call("-p", "before")
    conversation = double.last_conversation()

    for words in (("-p", "new"), ("--conversation", conversation, "-p", "resumed " * 2000)):
        command = double.command(*words)
        done = subprocess.run(
            **command,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=60,
            check=False,
            preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (room, room)),
        )
        assert done.returncode in {0, 1, 125}
        assert b"Traceback" not in done.stderr
        if done.returncode:
            assert done.stderr.count(b"\n") == 1

    after = double.call("--conversation", conversation, "-p", "after")
    assert (after.code, after.err) == (0, "")
    assert "after" in after.out
    holds(double)
    for path in double.root.glob("brain/*/.system_generated/logs/transcript*.jsonl"):
        assert all(json.loads(line) for line in path.read_bytes().splitlines())
        for chunk in (path.parent / "chunks" / path.stem).iterdir():
            assert all(json.loads(line) for line in chunk.read_bytes().splitlines())


@pytest.mark.parametrize("named", ["", "/dev/full"])
def test_a_log_that_is_not_named_or_can_t_grow_costs_no_answer(tmp_path: Path, named: str) -> None:
    double = make_double(tmp_path)

    answered = double.call("--log-file", named, "-p", "hello")

    assert (answered.code, answered.err) == (0, "")
    assert any((double.root / "log").glob("cli-*.log")) == (not named)


def test_a_log_that_can_t_be_opened_is_named_without_advice_on_home(tmp_path: Path) -> None:
    answered = make_double(tmp_path).call("--log-file", "/nowhere/x.log", "-p", "hello")

    assert answered.code == 125
    assert (
        answered.err
        == "fake-agy: the double can't play this call: /nowhere/x.log: no such file or directory\n"
    )


@pytest.mark.parametrize("name", ["conversation_summaries.db", "cache/last_conversations.json"])
def test_what_of_the_store_is_broken_is_named(tmp_path: Path, name: str) -> None:
    double = make_double(tmp_path)
    double.call("-p", "hello")
    path = double.root / name
    path.unlink()
    path.write_text("garbage" * 1000) if name.endswith(".db") else path.mkdir()

    answered = double.call("-p", "again")

    assert answered.code == 125
    assert str(path) in answered.err


def test_without_descriptors_it_says_so_in_one_line(tmp_path: Path) -> None:
    command = make_double(tmp_path).command("-p", "hello")

    done = subprocess.run(
        **command,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        timeout=60,
        check=False,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (4, 4)),
    )

    assert done.returncode == 125
    assert done.stderr == b"fake-agy: the double can't play this call: too many open files\n"
