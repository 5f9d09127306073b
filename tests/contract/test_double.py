"""The double as its clients meet it: a file named agy, started as a process."""

import ast
import fcntl
import hashlib
import json
import os
import shutil
import signal
import stat
import subprocess
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from fake_agy.settings import DoubleSettings
from tests.support.double import Double, make_double

CLOCK = "2026-06-20T10:33:40Z"


@pytest.fixture
def double(tmp_path: Path) -> Double:
    return make_double(tmp_path, DoubleSettings(agy_version="1.2.10"))


def until(happened: Callable[[], bool]) -> None:
    """Wait for an event that another process brings about."""
    deadline = time.monotonic() + 30
    while not happened():
        assert time.monotonic() < deadline, "it never happened"
        time.sleep(0.005)


def read_to_end(descriptor: int) -> bytes:
    with os.fdopen(descriptor, "rb") as file:
        return file.read()


def tree(root: Path) -> Mapping[str, str]:
    """Give every file below a folder with the hash of its bytes, links with their target."""
    return {
        str(path.relative_to(root)): path.readlink().name
        if path.is_symlink()
        else hashlib.sha256(path.read_bytes()).hexdigest()
        for path in root.rglob("*")
        if not path.is_dir()
    }


def test_a_conversation_goes_on_in_the_next_process(double: Double) -> None:
    first = double.call("-p", "my cat is Tom")
    assert (first.code, first.err) == (0, "")
    conversation = double.last_conversation()
    second = double.call("--conversation", conversation, "--print=who is Tom?")
    assert second.out.startswith('This is turn 2 of our conversation. You said: "who is Tom?"\n')
    assert "my cat is Tom" in second.out
    assert double.call("-c", "-p", "and now?").out.startswith("This is turn 3 ")
    assert double.last_conversation() == conversation
    assert [row["step_index"] for row in double.rows(conversation)] == list(range(8))


def test_files_are_private_and_both_transcripts_are_there(double: Double) -> None:
    double.call("-p", "ping " * 2000)
    for path in double.home.rglob("*"):
        if not path.is_symlink():
            allowed = 0o700 if path.is_dir() else 0o600
            assert stat.S_IMODE(path.stat().st_mode) == allowed, path
    conversation = double.last_conversation()
    short, full = (double.rows(conversation, f"transcript{end}.jsonl") for end in ("", "_full"))
    assert short[0]["truncated_fields"] == ["content"]
    assert "truncated_fields" not in full[0]
    assert "ping " * 2000 in full[0]["content"]


def test_the_same_seed_and_calls_give_the_same_bytes_and_another_seed_others(tmp_path: Path) -> None:
    def play(seed: int) -> tuple[list[str], Mapping[str, str]]:
        shutil.rmtree(tmp_path / "d", ignore_errors=True)
        double = make_double(tmp_path / "d", DoubleSettings(seed=seed, clock=CLOCK))
        calls = (
            ["-p", "one"],
            ["-c", "-p", "two"],
            ["--conversation", "no-such", "-p", "three"],
            ["-c", "--output-format", "json", "-p", "four"],
        )
        said = [part for argv in calls for part in (double.call(*argv).out, double.last_conversation())]
        return said, tree(double.home)

    first, second, other = play(1), play(1), play(2)
    assert first == second
    assert not set(first[0]) & set(other[0])
    assert set(first[1]) != set(other[1])


def test_doubles_at_once_in_one_home_never_mix_their_rows(double: Double) -> None:
    double.call("-p", "begin")
    shared = double.last_conversation()
    started = [
        subprocess.Popen(
            **double.command(*(["--conversation", shared] if number % 2 else []), "-p", f"prompt {number}"),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
        )
        for number in range(16)
    ]
    answers = [process.communicate(timeout=60)[0].decode() for process in started]
    assert [process.returncode for process in started] == [0] * 16
    assert all(f'"prompt {number}"' in answer for number, answer in enumerate(answers))
    brains = [path.name for path in (double.root / "brain").iterdir()]
    assert len(brains) == 1 + 8
    for name in ("transcript.jsonl", "transcript_full.jsonl"):
        assert [row["step_index"] for row in double.rows(shared, name)] == list(range(2 + 8 * 3))
    assert sorted(answer.split(" of ")[0] for answer in answers if "turn 1 " not in answer) == sorted(
        f"This is turn {turn}" for turn in range(2, 10)
    )
    assert double.last_conversation() in brains


def test_the_answer_is_in_the_transcript_before_it_is_on_stdout_and_the_pointer_moves_last(
    double: Double,
) -> None:
    reader, writer = os.pipe()
    size = fcntl.fcntl(writer, fcntl.F_GETPIPE_SZ)
    os.write(writer, b"x" * size)  # a full pipe: the double stands still at its first word
    process = subprocess.Popen(**double.command("-p", "ping"), stdin=subprocess.DEVNULL, stdout=writer)
    os.close(writer)
    logs = "brain/*/.system_generated/logs/transcript.jsonl"

    def planned() -> bool:
        return any(b"PLANNER_RESPONSE" in path.read_bytes() for path in double.root.glob(logs))

    until(planned)
    assert not (double.root / "cache" / "last_conversations.json").exists()
    out = read_to_end(reader)
    assert process.wait(timeout=60) == 0
    (said,) = (row["content"] for row in double.rows(double.last_conversation()) if row["source"] == "MODEL")
    assert out == b"x" * size + said.encode()


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_ends_it_with_1(double: Double, number: signal.Signals) -> None:
    slow = make_double(double.home.parent, DoubleSettings(turns=((("hang", {}),),)))
    process = subprocess.Popen(**slow.command("-p", "ping"), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE)
    until(lambda: bool(slow.prompts()))
    process.send_signal(number)
    assert process.communicate(timeout=60) == (b"", None)
    assert process.returncode == 1


def test_a_prompt_whose_answer_never_came_is_recalled(double: Double) -> None:
    double.call("-p", "begin")
    conversation = double.last_conversation()
    slow = make_double(double.home.parent, DoubleSettings(speed=0.4))
    process = subprocess.Popen(
        **slow.command("-c", "-p", "remember me"), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE
    )
    until(lambda: len(slow.rows(conversation)) > 2)
    process.kill()
    process.communicate(timeout=60)
    assert process.returncode == -signal.SIGKILL
    again = make_double(double.home.parent)
    assert '2) "remember me"' in again.call("-c", "-p", "what did I say?").out


def test_a_reader_that_is_gone_ends_it_by_sigpipe(double: Double) -> None:
    reader, writer = os.pipe()
    os.close(reader)
    process = subprocess.Popen(**double.command("-p", "ping"), stdin=subprocess.DEVNULL, stdout=writer)
    os.close(writer)
    assert process.wait(timeout=60) == -signal.SIGPIPE


def test_the_prompt_comes_from_stdin_with_no_argument_at_all(double: Double) -> None:
    assert double.call(stdin=b"user: ping one\n").out.startswith(
        'This is turn 1 of our conversation. You said: "user: ping one"\n'
    )


def test_an_open_silent_stdin_does_not_hold_up_a_prompt_flag(double: Double) -> None:
    process = subprocess.Popen(**double.command("-p", "ping"), stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert process.wait(timeout=60) == 0
    process.communicate()


def test_a_closed_standard_stream_never_lends_its_number_to_the_store(double: Double) -> None:
    settings: dict[str, Any] = double.command()
    command = ["/bin/sh", "-c", 'exec "$0" "$@" <&- >&- 2>&-', *settings.pop("args"), "-p", "ping"]
    assert subprocess.run(command, **settings, timeout=60, check=False).returncode == 0
    assert len(double.rows(double.last_conversation())) == 2
    log = (double.root / "log" / "cli.log").read_text()
    assert "This is turn" not in log


def test_a_full_disk_on_stdout_does_not_stop_it(double: Double) -> None:
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run(
            **double.command("-p", "ping"), stdin=subprocess.DEVNULL, stdout=full, stderr=subprocess.PIPE
        )
    assert (done.returncode, done.stderr) == (0, b"")


def test_an_empty_home_is_refused_as_agy_does(double: Double) -> None:
    settings: dict[str, Any] = double.command("-p", "ping")
    settings["env"] = {"PATH": "/usr/bin:/bin"}
    done = subprocess.run(**settings, stdin=subprocess.DEVNULL, capture_output=True, check=False)
    assert (done.returncode, done.stdout) == (1, b"")
    assert done.stderr == b"Failed to start: $HOME is not defined: $HOME is not defined\n"


def test_a_home_in_the_settings_wins_over_the_environment(tmp_path: Path) -> None:
    double = make_double(tmp_path, DoubleSettings(home=str(tmp_path / "other")))
    assert double.call("-p", "ping").code == 0
    assert not list(double.home.iterdir())
    assert (tmp_path / "other" / ".gemini" / "antigravity-cli" / "brain").is_dir()


def test_a_store_that_can_not_be_written_is_one_line_and_125(tmp_path: Path) -> None:
    double = make_double(tmp_path)
    (double.home / ".gemini").write_text("in the way")
    called = double.call("-p", "ping")
    assert (called.code, called.out) == (125, "")
    assert called.err.startswith("fake-agy: ")
    assert called.err.count("\n") == 1


def test_python_variables_and_modules_beside_it_do_not_reach_it(double: Double) -> None:
    (double.cwd / "json.py").write_text("raise SystemExit('hijacked')")
    (double.agy.parent / "json.py").write_text("raise SystemExit('hijacked')")
    settings: dict[str, Any] = double.command("--version")
    settings["env"] |= {"PYTHONPATH": str(double.cwd), "PYTHONHOME": "/nowhere", "PYTHONSTARTUP": "x"}
    done = subprocess.run(**settings, stdin=subprocess.DEVNULL, capture_output=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, b"1.2.10\n", b"")


OF_THE_SYSTEM = {"_collections_abc", "abc", "genericpath", "os", "os.path", "posixpath", "stat"}
OF_THE_DATABASE = {"collections", "functools", "keyword", "operator", "reprlib", "types"}
"""What the interpreter's own SQLite module imports."""


def test_a_plain_turn_imports_built_in_modules_and_its_own_package_only(double: Double) -> None:
    probe = double.agy.read_text().replace("import sys\n", "import sys\nleft = set(sys.modules)\n", 1)
    probe = probe.replace(
        "from fake_agy.process import run\n",
        "import fake_agy.process\nfrom fake_agy.process import run\n"
        "def end(code):\n"
        "    made = sorted(set(sys.modules) - left)\n"
        "    files = [(name, getattr(sys.modules[name], '__file__', None)) for name in made]\n"
        "    posix.write(2, ascii(files).encode())\n"
        "    posix._exit(code)\n"
        "fake_agy.process.os = type('os', (), {**vars(fake_agy.process.os), '_exit': staticmethod(end)})\n",
    )
    double.agy.write_text(probe)
    loaded = dict(ast.literal_eval(double.call("-p", "ping").err))

    assert "fake_agy.turns.turn" in loaded
    own = {name for name in loaded if name.split(".")[0] in {"fake_agy", "__future__"}}
    # Compiled modules are files of the interpreter's own, but cost no more than built-in ones.
    written_in_python = {name for name, file in loaded.items() if file is not None and file.endswith(".py")}
    assert written_in_python - own <= OF_THE_SYSTEM | OF_THE_DATABASE


@pytest.mark.parametrize("locale", ["C", "C.UTF-8", "POSIX"])
def test_text_passes_whatever_the_locale_says(double: Double, locale: str) -> None:
    settings: dict[str, Any] = double.command("-p", "grüß 日本")
    settings["env"] |= {"LANG": locale, "LC_ALL": locale}
    done = subprocess.run(**settings, stdin=subprocess.DEVNULL, capture_output=True, check=False)
    assert 'said: "grüß 日本"' in done.stdout.decode()
    row = double.rows(double.last_conversation())[0]
    assert "grüß 日本" in row["content"]
    assert (
        json.dumps(row, ensure_ascii=False, separators=(",", ":")).encode()
        in next(double.root.glob("brain/*/.system_generated/logs/transcript.jsonl")).read_bytes()
    )
