"""Making the calls: each with a time limit of its own, and no process of it stays."""

import os
import secrets
import signal
import subprocess
from collections.abc import Iterable, Mapping
from pathlib import Path

import psutil

from agy_proxy.contract.call import (
    CONVERSATION,
    LOG,
    Answer,
    Answers,
    Call,
    NoAnswer,
    Told,
    logged_conversation,
)
from agy_proxy.record.agy_version import parse_version

NOT_SIGNED_IN = "not signed in"
_SIGN_IN = (
    "authentication required",
    "authentication failed",
    "authentication timed out",
    "please sign in",
    "not logged in",
    "not currently signed in",
)
"""What agy says to those without an account, in any case (contract.md 1.3, 2.7)."""

_QUOTA = "individual quota reached"
VERSION = Call(name="version", argv=("--version",))
MARK = "AGY_PROXY_CONTRACT"
"""A variable whose value tells the processes of one comparison from all others."""


def ask(agy: Path, calls: Iterable[Call], env: Mapping[str, str], place: Path) -> Told:
    """Makes the calls one after another, in an empty folder below `place`; first and last, the version.

    A call that lacks what it needs, an account or an earlier conversation, is not made.
    """
    mark = secrets.token_hex(16)
    cwd, logs = place / "work", place / "logs"
    for folder in (cwd, logs):
        folder.mkdir(parents=True)
    # Otherwise any call may replace the binary behind it (contract.md 1.1).
    given = {**env, "AGY_CLI_DISABLE_AUTO_UPDATE": "true", "PWD": str(cwd), MARK: mark}
    try:
        answers: dict[str, Answer | NoAnswer] = {}
        for call in (VERSION, *calls):
            log = logs / f"{len(answers)}.log"
            argv = _filled(call, answers, log)
            answers[call.name] = (
                argv if isinstance(argv, NoAnswer) else _judged(call, _run(agy, call, argv, given, cwd, log))
            )
        after = _run(agy, VERSION, VERSION.argv, given, cwd)
    finally:
        _end_left(mark)
    return Told(answers, _version(after))


def _filled(call: Call, answers: Answers, log: Path) -> tuple[str, ...] | NoAnswer:
    """The arguments with the log's path and the conversation in them; or why the call can't be made."""
    if call.account and any(
        isinstance(each, NoAnswer) and each.why == NOT_SIGNED_IN for each in answers.values()
    ):
        return NoAnswer(NOT_SIGNED_IN)
    argv = tuple(str(log) if word == LOG else word for word in call.argv)
    if call.follows is None:
        return argv
    earlier = answers.get(call.follows, NoAnswer("it was not made"))
    if isinstance(earlier, NoAnswer):
        return NoAnswer(f"{call.follows}: {earlier.why}")
    conversation = logged_conversation(earlier)
    if conversation is None:
        return NoAnswer(f"the log of the {call.follows} names no conversation")
    return tuple(conversation if word == CONVERSATION else word for word in argv)


def _judged(call: Call, answer: Answer | NoAnswer) -> Answer | NoAnswer:
    """The answer; none where agy only said that it can't answer now."""
    if isinstance(answer, NoAnswer) or not call.account:
        return answer
    failed = answer.exit != 0 or not answer.out
    said = f"{answer.out}\n{answer.err}".lower()
    if failed and any(text in said for text in _SIGN_IN):
        return NoAnswer(NOT_SIGNED_IN)
    if failed and _QUOTA in said:
        return NoAnswer("the account's quota is used up")
    return answer


def _run(
    agy: Path,
    call: Call,
    argv: tuple[str, ...],
    env: Mapping[str, str],
    cwd: Path,
    log: Path | None = None,
) -> Answer | NoAnswer:
    """Runs agy to the end of its streams, without a terminal; its whole session is ended with it."""
    try:
        process = subprocess.Popen(
            [agy, *argv],
            stdin=subprocess.DEVNULL if call.stdin is None else subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=dict(env),
            cwd=cwd,
            start_new_session=True,
        )
    except OSError as refused:
        return NoAnswer(f"it can't be started: {(refused.strerror or '').lower()}")
    with process:
        try:
            out, err = process.communicate(call.stdin, timeout=call.limit)
        except subprocess.TimeoutExpired as late:
            said = f"{_text(late.stdout)}\n{_text(late.stderr)}".lower()
            if call.account and any(text in said for text in _SIGN_IN):
                return NoAnswer(NOT_SIGNED_IN)
            return NoAnswer(f"it did not end within {call.limit:g} s")
        finally:
            _end_session(process)
    written = log.read_text("utf-8", "replace") if log is not None and log.is_file() else ""
    return Answer(process.returncode, _text(out), _text(err), written)


def _end_session(process: subprocess.Popen[bytes]) -> None:
    try:
        os.killpg(process.pid, signal.SIGKILL)
    except ProcessLookupError:
        return


def _end_left(mark: str) -> None:
    """Ends what went into a session of its own, such as a detached updater: it has the mark in common."""
    for process in psutil.process_iter():
        try:
            if process.environ().get(MARK) == mark:
                process.kill()
        except (psutil.Error, OSError):
            continue


def _version(answer: Answer | NoAnswer) -> str | None:
    if isinstance(answer, NoAnswer) or answer.exit != 0:
        return None
    return parse_version(answer.out.encode())


def _text(raw: bytes | None) -> str:
    return "" if raw is None else raw.decode("utf-8", "replace")
