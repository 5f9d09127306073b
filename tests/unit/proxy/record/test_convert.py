import os
import signal
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agy_cassettes.edits import apply, moved
from agy_cassettes.interaction import Exit, FileEvent, Interaction, Stdio, Tick, Tty
from agy_cassettes.places import Places, to_live
from agy_proxy.record.convert import to_interaction
from agy_proxy.record.facts import Facts, ReadBack, WitnessedFile
from agy_proxy.record.journal import read_journal
from agy_proxy.record.stored import is_text
from tests.support.journals import MONOTONIC, MS, end_frames, frame, start_frame, write_journal

AGY_HOME = b"/home/ada/.gemini/antigravity-cli"
NOTHING = Facts()


def converted(folder: Path, *parts: bytes, facts: Facts = NOTHING) -> Interaction:
    return to_interaction(read_journal(write_journal(folder, *parts)), facts)


def test_a_turn_becomes_the_record_of_the_reference(tmp_path: Path) -> None:
    conversation = b"9b1d8d5e-0000-4000-8000-000000000001"
    row = AGY_HOME + b"/brain/" + conversation + b"/.system_generated/logs/transcript.jsonl"
    files = (
        WitnessedFile(at=MONOTONIC + 2104 * MS, op="append", path=row, data=b'{"a":"/tmp/x"}\n', before=4183),
    )
    got = converted(
        tmp_path,
        start_frame(
            (b"/x/agy", b"--conversation", conversation, b"-p", b"What is left in /home/ada/project?")
        ),
        frame("o", MONOTONIC + 2104 * MS, b"Look in /home/ada/project/a.py\n"),
        frame("e", MONOTONIC + 2466 * MS, b"warn: 12 left"),
        end_frames(MONOTONIC + 3366 * MS),
        facts=Facts(agy="1.2.10", files=files, client="python3 -m mybot"),
    )
    assert got.request.argv == ("agy", "--conversation", conversation.decode(), "-p", "${PROMPT}")
    assert got.request.prompt == "What is left in ${CWD}?"
    assert (got.request.cwd, got.request.env) == ("${CWD}", {"TERM": "dumb", "LANG": "C.UTF-8"})
    assert got.response.stdout == b"Look in ${CWD}/a.py\n"
    assert got.response.timing == (
        Tick(2104, "o", 20),
        Tick(0, "f", 1),
        Tick(362, "e", 13),
        Tick(900, "x"),
        Tick(0, "c"),
    )
    assert got.files == (
        FileEvent(
            op="append",
            path=f"${{AGY_HOME}}/brain/{conversation.decode()}/.system_generated/logs/transcript.jsonl",
            before=4183,
            text=b'{"a":"${TMP}/x"}\n',
        ),
    )
    assert got.response.exit == Exit(code=0)
    assert (got.recorded.at, got.recorded.by, got.recorded.agy, got.recorded.complete) == (
        "2026-09-21T14:13:20.123Z",
        "agy-proxy 0.1.0",
        "1.2.10",
        True,
    )
    assert got.process is not None
    assert got.process.client == "python3 -m mybot"


@pytest.mark.parametrize(
    ("argv", "stored", "prompt"),
    [
        ((b"-p", b"hi"), ("-p", "${PROMPT}"), "hi"),
        ((b"--print=hi",), ("--print=${PROMPT}",), "hi"),
        ((b"-p=-hi", b"-c"), ("-p=${PROMPT}", "-c"), "-hi"),
        ((b"-p", b"${PROMPT} ${HOME}"), ("-p", "${PROMPT}"), "${PROMPT} $${HOME}"),
        ((b"-p", b"hi", b"--model", b"${PROMPT}"), ("-p", "${PROMPT}", "--model", "$${PROMPT}"), "hi"),
        ((b"-p", b"\xff/home/ada"), ("-p", "${PROMPT}"), b"\xff/home/ada"),
        ((b"--prompt", b""), ("--prompt", "${PROMPT}"), ""),
        ((b"--add-dir", b"/home/ada/x", b"-p", b"a"), ("--add-dir", "${HOME}/x", "-p", "${PROMPT}"), "a"),
        ((b"--version",), ("--version",), None),
        ((b"--log-file", b"/v/a.log", b"-p", b"a"), ("--log-file", "${LOG_FILE}", "-p", "${PROMPT}"), "a"),
    ],
)
def test_the_prompt_stands_aside_and_paths_by_their_names(
    tmp_path: Path, argv: tuple[bytes, ...], stored: tuple[str, ...], prompt: str | bytes | None
) -> None:
    request = converted(tmp_path, start_frame((b"agy", *argv)), end_frames()).request
    assert request.argv == ("agy", *stored)
    assert request.prompt == prompt


def test_a_prompt_on_stdin_is_told_once(tmp_path: Path) -> None:
    got = converted(
        tmp_path,
        start_frame((b"agy",), stdin=b"pipe"),
        frame("i", MONOTONIC, b"what is "),
        frame("i", MONOTONIC + 5 * MS, b"in /home/ada?\n"),
        frame("z", MONOTONIC + 6 * MS),
        end_frames(),
    )
    assert (got.request.prompt, got.request.stdin) == ("what is in ${HOME}?\n", "${PROMPT}")
    assert got.response.timing[:2] == (Tick(0, "i", 9), Tick(6, "z"))


def test_stdin_is_null_unless_it_was_recorded_and_empty_when_it_ended_at_once(tmp_path: Path) -> None:
    assert converted(tmp_path, start_frame(), end_frames()).request.stdin is None
    at_once = converted(tmp_path, start_frame((b"agy",)), frame("z", MONOTONIC), end_frames())
    assert (at_once.request.stdin, at_once.request.prompt) == ("", None)


@pytest.mark.parametrize(
    ("status", "exit_"),
    [
        (0, Exit(code=0)),
        (3 << 8, Exit(code=3)),
        (255 << 8, Exit(code=255)),
        (9, Exit(signal=9)),
        (139, Exit(signal=11)),
    ],
)
def test_the_exit_is_that_of_the_wait_status(tmp_path: Path, status: int, exit_: Exit) -> None:
    assert converted(tmp_path, start_frame(), end_frames(status=status)).response.exit == exit_


def test_a_killed_recorder_leaves_an_incomplete_record_with_all_that_came(tmp_path: Path) -> None:
    got = converted(tmp_path, start_frame(), frame("o", MONOTONIC, b"so far"))
    assert got.response.exit.unknown
    assert (got.response.stdout, got.recorded.complete) == (b"so far", False)


def test_merged_output_is_one_body_in_order(tmp_path: Path) -> None:
    got = converted(
        tmp_path,
        start_frame(stderr=b"same"),
        frame("m", MONOTONIC, b"out"),
        frame("m", MONOTONIC + MS * 2, b"err"),
        end_frames(),
    )
    assert (got.response.stdout, got.response.stderr) == (b"outerr", b"")
    assert got.request.stdio.stderr == "same"
    assert got.response.timing[:2] == (Tick(0, "m", 3), Tick(2, "m", 3))


def test_input_comes_before_the_answer_to_it_whichever_was_written_down_first(tmp_path: Path) -> None:
    got = converted(
        tmp_path,
        start_frame((b"agy", b"--input-format=stream-json")),
        frame("o", MONOTONIC + 2 * MS, b"answer\n"),
        frame("i", MONOTONIC + MS, b"question\n"),
        end_frames(MONOTONIC + 3 * MS),
    )
    assert [tick.code for tick in got.response.timing] == ["i", "o", "x", "c"]


def test_what_comes_after_the_exit_stays_after_it(tmp_path: Path) -> None:
    got = converted(
        tmp_path,
        start_frame(),
        frame("x", MONOTONIC + MS, b"0"),
        frame("E", MONOTONIC + MS),
        frame("o", MONOTONIC + 3000 * MS, b"late"),
        frame("c", MONOTONIC + 3000 * MS),
    )
    assert got.response.timing == (Tick(1, "x"), Tick(2999, "o", 4), Tick(0, "c"))


def test_output_in_a_file_gets_its_times_from_the_files_growth(tmp_path: Path) -> None:
    part = ReadBack(data=b"one /tmp\ntwo\n", growth=((MONOTONIC + 10 * MS, 9),))
    got = converted(
        tmp_path, start_frame(stdout=b"file"), end_frames(MONOTONIC + 50 * MS), facts=Facts(stdout=part)
    )
    assert got.response.stdout == b"one ${TMP}\ntwo\n"
    assert got.response.timing == (Tick(10, "o", 11), Tick(40, "x"), Tick(0, "c"), Tick(0, "o", 4))
    unreadable = Facts(stdout=ReadBack(data=b"", whole=False))
    assert not converted(
        tmp_path, start_frame(stdout=b"file"), end_frames(), facts=unreadable
    ).recorded.complete


def test_who_sent_the_deadly_signal_is_told(tmp_path: Path) -> None:
    def killer(payload: bytes, status: int = signal.SIGTERM) -> str | None:
        got = converted(tmp_path, start_frame(), frame("s", MONOTONIC, payload), end_frames(status=status))
        assert got.process is not None
        return got.process.killed_by

    assert killer(b"15 4700 0") == "SIGTERM to agy from the client"
    assert killer(b"15 99 1") == "SIGTERM to the group from process 99"
    assert killer(b"15 0 0") == "SIGTERM to agy from unknown"
    assert killer(b"2 4700 0") is None
    assert killer(b"15 4700 0", status=0) is None


def test_every_signal_is_told_with_its_sender_and_its_reach(tmp_path: Path) -> None:
    sent = [frame("s", MONOTONIC, payload) for payload in (b"15 4700 0", b"2 0 1", b"28 99 1", b"14 0 0")]
    process = converted(tmp_path, start_frame(), *sent, end_frames()).process
    assert process is not None
    assert process.extra["signals"] == [
        {"number": 15, "to": "agy", "from": "the client"},
        {"number": 2, "to": "group", "from": "the terminal"},
        {"number": 28, "to": "group", "from": "process 99"},
        {"number": 14, "to": "agy", "from": "unknown"},
    ]


@pytest.mark.parametrize(("ended", "peak"), [(b"768", None), (b"768 70000640", 70_000_640), (b"768 ?", None)])
def test_the_exit_is_told_with_the_most_memory_where_it_is_known(
    tmp_path: Path, ended: bytes, peak: int | None
) -> None:
    got = converted(tmp_path, start_frame(), frame("x", MONOTONIC, ended))
    assert got.response.exit.code == 3
    assert got.process is not None
    assert got.process.extra.get("peak_memory") == peak


SESSION = {"stdin": b"tty", "stdout": b"tty", "stderr": b"same", "tty": b"24 80", "terminal": b"session"}


def test_a_session_keeps_what_was_typed_and_not_what_the_terminal_answered(tmp_path: Path) -> None:
    got = converted(
        tmp_path,
        start_frame((b"agy",), **SESSION),
        frame("m", MONOTONIC + 10 * MS, b"\x1b[6n> "),
        frame("i", MONOTONIC + 20 * MS, b"\x1b[3;"),
        frame("i", MONOTONIC + 21 * MS, b"7Rh"),
        frame("i", MONOTONIC + 30 * MS, b"\x1b"),
        frame("m", MONOTONIC + 40 * MS, b"gone"),
        frame("i", MONOTONIC + 500 * MS, b"i\r"),
        frame("i", MONOTONIC + 510 * MS, b"\x1b[I"),
        end_frames(),
    )
    assert (got.request.prompt, got.request.stdin) == (None, "h\x1bi\r")
    assert got.request.argv == ("agy",)
    assert got.request.stdio == Stdio(stdin="tty", stdout="tty", stderr="same")
    assert got.response.stdout == b"\x1b[6n> gone"
    assert [(tick.code, tick.count) for tick in got.response.timing] == [
        *(("m", 6), ("i", 1), ("i", 1), ("m", 4), ("i", 2)),
        *(("x", 1), ("c", 1)),
    ]


def test_a_session_in_which_nothing_was_typed_says_so(tmp_path: Path) -> None:
    asked = converted(tmp_path, start_frame((b"agy", b"-i", b"hello"), **SESSION), end_frames())
    assert (asked.request.argv, asked.request.stdin) == (("agy", "-i", "hello"), "")


def test_the_terminals_sizes_are_kept_with_the_times_of_its_changes(tmp_path: Path) -> None:
    got = converted(
        tmp_path,
        start_frame(stdout=b"tty", stderr=b"same", tty=b"24 80", terminal=b"tap"),
        frame("w", MONOTONIC + 20 * MS, b"30 90"),
        frame("w", MONOTONIC + 30 * MS, b""),
        frame("w", MONOTONIC + 40 * MS, b"10 40"),
        end_frames(),
    )
    assert got.request.tty == Tty(rows=24, cols=80, resizes=((30, 90), (10, 40)))
    assert got.response.timing[:2] == (Tick(20, "w"), Tick(20, "w"))
    assert converted(tmp_path, start_frame(), end_frames()).request.tty is None


def test_the_same_call_always_gets_the_same_id_and_another_call_another(tmp_path: Path) -> None:
    one = converted(tmp_path, start_frame(), end_frames()).id
    assert converted(tmp_path, start_frame(), end_frames(), facts=Facts(agy="1.0.0")).id == one
    assert one.endswith("-4711")
    assert converted(tmp_path, start_frame(pid=b"4712"), end_frames()).id != one
    assert converted(tmp_path, start_frame(run_id=b"run-2"), end_frames()).id != one


def test_files_are_in_the_order_of_their_ticks(tmp_path: Path) -> None:
    files = tuple(
        WitnessedFile(
            at=MONOTONIC + at * MS, op="append", path=b"/home/ada/%d" % at, before=0, data=b"x", approx=True
        )
        for at in (9, 3, -5)
    )
    got = converted(
        tmp_path, start_frame(), frame("o", MONOTONIC + 5 * MS, b"."), end_frames(), facts=Facts(files=files)
    )
    assert [event.path for event in got.files] == ["${HOME}/-5", "${HOME}/3", "${HOME}/9"]
    assert all(event.approx for event in got.files)
    assert [tick.code for tick in got.response.timing] == ["f", "f", "o", "f", "x", "c"]


PLACES = Places(b"/home/ada", b"/home/ada/project", tmp=b"/tmp")
pieces = st.one_of(
    st.binary(max_size=40),
    st.sampled_from(
        [b"/home/ada", b"/home/ada/project/", b" /tmp/a ", b"${HOME}", b"$${CWD}", b"\xc3", b"\xa9", b"\r\n"]
    ),
)
chunks = st.lists(st.tuples(st.sampled_from("oe"), st.integers(0, 5 * MS), pieces), max_size=30)


def live_pieces(body: bytes, counts: list[int]) -> tuple[bytes, list[int]]:
    edits = to_live(body, PLACES) if is_text(body) else []
    return apply(body, edits), moved(counts, edits)


@given(chunks)
def test_any_bytes_on_any_stream_survive_the_stored_form(
    tmp_path_factory: pytest.TempPathFactory, given_chunks: list[tuple[str, int, bytes]]
) -> None:
    at = MONOTONIC
    frames = []
    for code, wait, data in given_chunks:
        at += wait
        frames.append(frame(code, at, data))
    got = converted(tmp_path_factory.mktemp("j"), start_frame(), *frames, end_frames(at))
    for code, body in (("o", got.response.stdout), ("e", got.response.stderr)):
        assert isinstance(body, bytes)
        counts = [tick.count for tick in got.response.timing if tick.code == code]
        assert sum(counts) == len(body)
        live, sizes = live_pieces(body, counts)
        assert live == b"".join(data for which, _, data in given_chunks if which == code)
        assert sum(sizes) == len(live)


@given(st.binary(max_size=60), st.binary(max_size=30).filter(lambda item: b"\0" not in item))
def test_any_argument_and_any_stdin_survive(
    tmp_path_factory: pytest.TempPathFactory, stdin: bytes, argument: bytes
) -> None:
    got = converted(
        tmp_path_factory.mktemp("j"),
        start_frame((b"agy", b"--input-format", b"stream-json", b"--model", argument)),
        frame("i", MONOTONIC, stdin),
        frame("z", MONOTONIC),
        end_frames(),
    )
    for value, live in ((got.request.stdin, stdin), (got.request.argv[-1], argument)):
        body = os.fsencode(value) if isinstance(value, str) else value
        assert isinstance(body, bytes)
        assert apply(body, to_live(body, PLACES, prompt=b"nothing")) == live
