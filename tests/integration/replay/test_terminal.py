"""Calls that were recorded on a terminal, played on one and elsewhere."""

import os
import signal
import subprocess
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from agy_cassettes.client_words import alarming
from agy_cassettes.interaction import Interaction, Stdio, Tty
from tests.support.interactions import interaction
from tests.support.players import Player, player
from tests.support.terminal import Terminal

SCREEN = b"\x1b[?1049h\x1b[Hagy is here\r\n> "
GONE = b"\x1b[?1049lbye\r\n"
TTY = Stdio(stdin="tty", stdout="tty", stderr="same")
Ticks = Sequence[tuple[int, str, int]]


def on_terminal(recorded: Interaction, stdio: Stdio = TTY) -> Interaction:
    return replace(recorded, request=replace(recorded.request, stdio=stdio, tty=Tty(rows=24, cols=80)))


def session(
    typed: bytes = b"hi\r",
    *,
    answer: bytes = b"hello\r\n",
    argv: Sequence[str] = (),
    ticks: Ticks | None = None,
    code: int = 0,
) -> Interaction:
    """A screen, something typed, an answer, and the screen is gone."""
    usual = [
        *((1, "m", len(SCREEN)), (1, "i", len(typed))),
        *((1, "m", len(answer)), (1, "m", len(GONE)), (1, "x", 1)),
    ]
    return on_terminal(
        interaction(
            argv=("agy", *argv),
            prompt=None,
            stdin=typed.decode() if typed.isascii() else typed,
            stdout=SCREEN + answer + GONE,
            timing=usual if ticks is None else ticks,
            code=code,
        )
    )


def opened(agy: Player, *argv: str) -> Terminal:
    env = {**os.environ, "HOME": str(agy.home)}
    return Terminal({"args": [str(agy.agy), *argv], "env": env})


@pytest.mark.parametrize("argv", [(), ("--continue",), ("-i", "Go on"), ("--conversation", "9b1d")])
def test_a_session_goes_on_as_it_is_typed(argv: tuple[str, ...], tmp_path: Path) -> None:
    agy = player(tmp_path, session(argv=argv, code=3))

    with opened(agy, *argv) as terminal:
        terminal.shows("agy is here")
        terminal.type("h")
        terminal.type("i\r")
        assert terminal.ends() == 3

        assert terminal.seen == SCREEN + b"hello\r\n" + GONE
        assert terminal.is_as_before()


def test_nothing_comes_before_it_was_typed_and_nothing_is_echoed(tmp_path: Path) -> None:
    with opened(player(tmp_path, session())) as terminal:
        terminal.shows("agy is here")
        assert not terminal.is_as_before()
        terminal.type("hi")
        assert not terminal._read(0.0)
        terminal.type("\r")
        assert terminal.ends() == 0

        assert terminal.seen == SCREEN + b"hello\r\n" + GONE


@pytest.mark.parametrize(
    "reply",
    [b"\x1b[12;40R", b"\x1b]11;rgb:0000/0000/0000\x1b\\", b"\x1b[I", b"\x1b[?62;22c\x1b[?2026;2$y"],
    ids=["the cursor", "the background", "the focus", "two"],
)
def test_what_the_terminal_answers_by_itself_is_no_typing(reply: bytes, tmp_path: Path) -> None:
    with opened(player(tmp_path, session())) as terminal:
        terminal.shows("agy is here")
        for part in (reply, b"h", reply[:4], reply[4:] + b"i", reply, b"\r"):
            terminal.type(part)
        assert terminal.ends() == 0


@pytest.mark.parametrize(
    "typed",
    [b"\x03", b"\x04", b"\x1a", b"\x1c", b"\x1b", b"\x1b[A\r", b"\x1bb", "hé\r".encode(), b"\xff"],
    ids=["ctrl-c", "ctrl-d", "ctrl-z", "ctrl-backslash", "escape", "an arrow", "alt", "utf-8", "no utf-8"],
)
def test_every_key_is_typing(typed: bytes, tmp_path: Path) -> None:
    with opened(player(tmp_path, session(typed))) as terminal:
        terminal.shows("agy is here")
        terminal.type(typed)
        assert terminal.ends() == 0


def test_resizes_are_nobodys_business(tmp_path: Path) -> None:
    ticks = [
        (1, "m", len(SCREEN)),
        (1, "w", 1),
        (1, "i", 3),
        (1, "w", 1),
        (1, "m", 7 + len(GONE)),
        (1, "x", 1),
    ]

    with opened(player(tmp_path, session(ticks=ticks))) as terminal:
        terminal.shows("agy is here")
        terminal.resize((100, 30))
        terminal.type("hi\r")
        assert terminal.ends() == 0


@pytest.mark.parametrize(
    ("typed", "words"),
    [("ho\r", "byte 2"), ("hi\rmore", "after the end of the recorded input came")],
    ids=["another key", "more keys"],
)
def test_another_key_is_a_miss_on_a_terminal_that_is_as_before(
    typed: str, words: str, tmp_path: Path
) -> None:
    ticks = [(1, "m", len(SCREEN)), (1, "i", 3), (1, "s", int(signal.SIGTERM)), (1, "m", 99), (1, "x", 1)]
    agy = player(tmp_path, session(ticks=ticks))

    with opened(agy) as terminal:
        terminal.shows("agy is here")
        terminal.type(typed)
        assert terminal.ends() == 125

        assert terminal.is_as_before()
        (miss,) = agy.misses
        assert miss.why == "departed"
        assert words in miss.text
        # The terminal is no longer raw, so each line begins at its left.
        assert terminal.seen.endswith(miss.short.replace("\n", "\r\n").encode())
        assert not alarming(miss.short)


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGQUIT])
def test_a_terminal_is_as_before_after_a_signal_that_kills(number: signal.Signals, tmp_path: Path) -> None:
    with opened(player(tmp_path, session())) as terminal:
        terminal.shows("agy is here")
        terminal.process.send_signal(number)

        assert terminal.ends() == -number
        assert terminal.is_as_before()


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_recorded_signal_ends_a_session_as_it_did(number: signal.Signals, tmp_path: Path) -> None:
    ticks = [(1, "m", len(SCREEN)), (1, "s", int(number)), (1, "m", 7 + len(GONE)), (1, "x", 1)]
    agy = player(tmp_path, session(b"", ticks=ticks, code=5))

    with opened(agy) as terminal:
        terminal.shows("agy is here")
        terminal.process.send_signal(number)

        assert terminal.ends() == 5
        assert terminal.is_as_before()


def test_a_stopped_session_gives_the_terminal_back_until_it_goes_on(tmp_path: Path) -> None:
    agy = player(tmp_path, session())
    command = ["/bin/sh", "-c", ': <"$(tty)"; set -m; "$0"; read go; fg >/dev/null', str(agy.agy)]

    with Terminal({"args": command, "env": {**os.environ, "HOME": str(agy.home)}}) as terminal:
        terminal.shows("agy is here")
        shell = terminal.process.pid
        (job,) = Path(f"/proc/{shell}/task/{shell}/children").read_text().split()
        os.kill(int(job), signal.SIGTSTP)
        terminal.until(terminal.is_as_before, "the terminal is as before")
        terminal.type("\n")
        terminal.until(lambda: not terminal.is_as_before(), "the terminal is raw again")
        terminal.type("hi\r")

        assert terminal.ends() == 0
        assert terminal.is_as_before()


def test_a_session_whose_terminal_is_gone_ends(tmp_path: Path) -> None:
    with opened(player(tmp_path, session())) as terminal:
        terminal.shows("agy is here")
        terminal.hang_up()

        assert terminal.process.wait(60) == -signal.SIGHUP


def test_a_session_without_a_terminal_is_a_miss(tmp_path: Path) -> None:
    agy = player(tmp_path, session())

    result = agy.run(stdin=b"")

    assert (result.stdout, result.returncode) == (b"", 125)
    (miss,) = agy.misses
    assert miss.why == "departed"


PRINTED = on_terminal(interaction(stdout=b"one\ntwo\n", timing=[(1, "m", 8), (1, "x", 1)]))


def test_what_was_printed_on_a_terminal_is_processed_by_the_one_that_is_there(tmp_path: Path) -> None:
    with opened(player(tmp_path, PRINTED), "-p", "What is left?") as terminal:
        assert terminal.ends() == 0

        assert terminal.seen == b"one\r\ntwo\r\n"
        assert terminal.is_as_before()


@pytest.mark.parametrize("stdin", [subprocess.PIPE, subprocess.DEVNULL])
def test_what_was_printed_on_a_terminal_comes_as_written_in_a_pipe(stdin: int, tmp_path: Path) -> None:
    with player(tmp_path, PRINTED).start("-p", "What is left?", stdin=stdin) as process:
        assert process.stdout is not None
        assert process.stdout.read() == b"one\ntwo\n"
        assert process.wait(60) == 0


def test_streams_that_were_two_stay_two(tmp_path: Path) -> None:
    recorded = on_terminal(
        interaction(stdout=b"out\n", stderr=b"err\n"), Stdio(stdin="tty", stdout="tty", stderr="file")
    )

    result = player(tmp_path, recorded).run("-p", "What is left?")

    assert (result.stdout, result.stderr) == (b"out\n", b"err\n")
