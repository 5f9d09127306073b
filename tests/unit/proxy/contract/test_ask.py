"""Asking an agy: time limits, nothing left behind, and calls that are better not made."""

import os
import threading
from dataclasses import replace
from pathlib import Path

import psutil
import pytest

from agy_proxy.contract.ask import ask
from agy_proxy.contract.call import CONVERSATION, LOG, Answer, Call, NoAnswer
from tests.support.stand_in import write_stand_in

ID = "3ec1d852-e0d4-4ea3-a72f-64088ba6cafc"
ENV = {"PATH": os.environ["PATH"], "HOME": "/nowhere"}


def asked(tmp_path: Path, lines: str, *calls: Call) -> dict[str, Answer | NoAnswer]:
    agy = write_stand_in(tmp_path / "bin", lines)
    return dict(ask(agy, calls, ENV, tmp_path / "place").answers)


def gone(pid: int) -> bool:
    """Whether a process is dead within a minute: a kill takes effect when the kernel comes to it."""
    pause = threading.Event()
    for _ in range(600):
        if not psutil.pid_exists(pid) or psutil.Process(pid).status() == psutil.STATUS_ZOMBIE:
            return True
        pause.wait(0.1)
    return False


def test_streams_and_status_are_kept_and_stdin_is_the_null_device(tmp_path: Path) -> None:
    lines = 'echo "$@"; cat; echo err >&2; exit 3'
    answers = asked(tmp_path, lines, Call(name="a", argv=("x", "y z")))
    assert answers["a"] == Answer(3, "x y z\n", "err\n")


def test_a_call_may_have_a_stdin_that_agy_never_reads(tmp_path: Path) -> None:
    answers = asked(tmp_path, "exit 0", Call(name="a", argv=(), stdin=b"x" * 1_000_000))
    assert answers["a"] == Answer(0, "", "")


def test_agy_is_kept_from_replacing_itself_and_stands_in_an_empty_folder(tmp_path: Path) -> None:
    answers = asked(tmp_path, "echo $AGY_CLI_DISABLE_AUTO_UPDATE $HOME; ls -A", Call(name="a", argv=()))
    assert answers["a"] == Answer(0, "true /nowhere\n", "")


def test_a_call_that_does_not_end_is_ended_and_says_so(tmp_path: Path) -> None:
    lines = f"[ $1 = --version ] && exit; echo $$ > {tmp_path}/pid; sleep 1000"
    answers = asked(tmp_path, lines, Call(name="a", argv=("x",), limit=0.5))
    assert answers["a"] == NoAnswer("it did not end within 0.5 s")
    assert gone(int((tmp_path / "pid").read_text()))


@pytest.mark.parametrize("start", ["sleep 1000", "setsid sleep 1000"])
def test_no_process_that_a_call_leaves_behind_stays(tmp_path: Path, start: str) -> None:
    lines = f"[ $1 = --version ] && exit; {start} >/dev/null 2>&1 & echo $! > {tmp_path}/pid"
    assert asked(tmp_path, lines, Call(name="a", argv=("x",)))["a"] == Answer(0, "", "")
    assert gone(int((tmp_path / "pid").read_text()))


def test_an_agy_that_cannot_be_started_is_no_answer(tmp_path: Path) -> None:
    agy = tmp_path / "agy"
    agy.write_bytes(b"\x7fELF, but not really")
    agy.chmod(0o755)
    told = ask(agy, [Call(name="a", argv=())], ENV, tmp_path / "place")
    assert told.answers["a"] == NoAnswer("it can't be started: exec format error")
    assert told.version is None


def test_a_call_resumes_the_conversation_that_the_earlier_ones_log_names(tmp_path: Path) -> None:
    first = Call(name="first", argv=("--log-file", LOG, "-p", "x"))
    second = Call(name="second", argv=("--conversation", CONVERSATION), follows="first")
    lines = f'[ "$1" = --log-file ] && echo "Print mode: conversation={ID}, sending message" > "$2"; echo $2'
    answers = asked(tmp_path, lines, first, second)
    assert answers["second"] == Answer(0, f"{ID}\n", "")


def test_without_a_conversation_to_resume_the_call_is_not_made(tmp_path: Path) -> None:
    first = Call(name="first", argv=("x",), limit=0.5)
    second = Call(name="second", argv=(CONVERSATION,), follows="first")
    answers = asked(tmp_path, "exit 0", first, second)
    assert answers["second"] == NoAnswer("the log of the first names no conversation")
    answers = asked(tmp_path / "slow", "[ $1 = x ] && sleep 1000", first, second)
    assert answers["second"] == NoAnswer("first: it did not end within 0.5 s")


@pytest.mark.parametrize(
    ("lines", "why"),
    [
        ("echo 'Error: Please sign in to view available models.' >&2; exit 1", "not signed in"),
        ("echo 'Authentication required. Please visit the URL to log in:'; sleep 1000", "not signed in"),
        (
            "echo 'Error: RESOURCE_EXHAUSTED (code 429): Individual quota reached.' >&2; exit 1",
            "the account's quota is used up",
        ),
    ],
)
def test_what_an_account_lacks_is_told_apart_from_an_answer(tmp_path: Path, lines: str, why: str) -> None:
    call = Call(name="a", argv=("x",), account=True, limit=0.5)
    answers = asked(tmp_path, f"[ $1 = --version ] && exit; {lines}", call)
    assert answers["a"] == NoAnswer(why)


def test_once_it_is_known_that_nobody_is_signed_in_no_call_that_needs_it_is_made(tmp_path: Path) -> None:
    lines = f"echo $1 >> {tmp_path}/made; [ $1 = models ] && echo 'Please sign in' >&2 && exit 1; exit 0"
    models = Call(name="models", argv=("models",), account=True)
    answers = asked(
        tmp_path, lines, models, replace(models, name="turn", argv=("-p",)), Call(name="h", argv=("h",))
    )
    assert answers["turn"] == NoAnswer("not signed in")
    assert answers["h"] == Answer(0, "", "")
    assert (tmp_path / "made").read_text().split() == ["--version", "models", "h", "--version"]
