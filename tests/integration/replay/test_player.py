"""The player as a real process: bytes, order, ends and input."""

import os
import signal
import subprocess
from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from agy_cassettes.edits import apply
from agy_cassettes.interaction import FileEvent, Sidecar
from agy_cassettes.places import Places, to_stored
from tests.support.interactions import interaction
from tests.support.players import InMemory, Player, player

ASK = ("-p", "What is left?")
FAR = 100_000_000
"""A tick so far away that a test which waits for it never ends."""
BODIES = {
    "text": b"Half of it.\n",
    "all bytes": bytes(range(256)),
    "nothing": b"",
    "no final newline": b"a\nb",
    "crlf": b"a\r\nb\r\n",
    "escapes": b"\x1b[31mred\x1b[0m\n",
    "not utf-8": b"\xff\xfe${HOME}\n",
}


def test_both_streams_and_the_code_are_as_recorded(tmp_path: Path) -> None:
    agy = player(tmp_path, interaction(stdout=b"out\n", stderr=b"err\n", code=3))

    result = agy.run(*ASK)

    assert (result.stdout, result.stderr, result.returncode) == (b"out\n", b"err\n", 3)


@pytest.mark.parametrize("body", BODIES.values(), ids=BODIES)
def test_bytes_are_as_recorded(body: bytes, tmp_path: Path) -> None:
    agy = player(tmp_path, interaction(stdout=body, stderr=body[::-1]))

    result = agy.run(*ASK)

    assert (result.stdout, result.stderr) == (body, body[::-1])


STREAMS = st.one_of(
    st.binary(max_size=300),
    st.lists(st.sampled_from(["$", "${HOME}", "${PROMPT}", "/h", "\n", "é", "\r\n", "\x1b[0m"])).map(
        lambda parts: "".join(parts).encode()
    ),
)


def stored(live: bytes) -> bytes:
    """What a cassette has for these bytes: literal names escaped, in text only."""
    try:
        live.decode()
    except UnicodeDecodeError:
        return live
    return apply(live, to_stored(live, Places(None, None)))


@settings(max_examples=20, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(out=STREAMS, err=STREAMS, counts=st.lists(st.integers(1, 90), max_size=8))
def test_any_bytes_in_any_chunks_come_back(
    out: bytes, err: bytes, counts: list[int], tmp_path_factory: pytest.TempPathFactory
) -> None:
    timing = [(1, "oe"[at % 2], count) for at, count in enumerate(counts)]
    recorded = interaction(stdout=stored(out), stderr=stored(err), timing=timing)

    result = player(tmp_path_factory.mktemp("any"), recorded).run(*ASK)

    assert (result.stdout, result.stderr) == (out, err)


@pytest.mark.parametrize("code", [0, 1, 2, 3, 124, 255])
def test_exit_codes_are_as_recorded(code: int, tmp_path: Path) -> None:
    assert player(tmp_path, interaction(code=code)).run(*ASK).returncode == code


@pytest.mark.parametrize(
    "number", [signal.SIGTERM, signal.SIGKILL, signal.SIGSEGV, signal.SIGINT, signal.SIGPIPE, signal.SIGABRT]
)
def test_a_death_by_signal_is_one(number: signal.Signals, tmp_path: Path) -> None:
    agy = player(tmp_path, interaction(code=None, signal=int(number)))

    with agy.start(*ASK) as process:
        out, _ = process.communicate(timeout=60)
        assert (out, process.returncode) == (b"Half.\n", -number)


def test_a_death_by_signal_leaves_no_core(tmp_path: Path) -> None:
    agy = player(tmp_path, interaction(code=None, signal=int(signal.SIGSEGV)))
    pid = os.posix_spawn(agy.agy, ["agy", *ASK], {**os.environ, "HOME": str(agy.home)})

    _, status = os.waitpid(pid, 0)

    assert os.WTERMSIG(status) == signal.SIGSEGV
    assert not os.WCOREDUMP(status)


def test_an_end_that_nobody_saw_is_a_kill(tmp_path: Path) -> None:
    result = player(tmp_path, interaction(code=None)).run(*ASK)

    assert (result.stdout, result.returncode) == (b"Half.\n", -signal.SIGKILL)


def test_merged_streams_come_in_order_on_stdout(tmp_path: Path) -> None:
    recorded = interaction(
        stdout=b"one two three", timing=[(0, "m", 4), (0, "m", 4), (0, "m", 5), (0, "x", 1)], merged=True
    )

    result = player(tmp_path, recorded).run(*ASK, stderr=subprocess.STDOUT)

    assert result.stdout == b"one two three"


def test_streams_that_share_a_pipe_now_are_in_recorded_order(tmp_path: Path) -> None:
    ticks = [(0, "o", 1), (0, "e", 1), (0, "o", 1), (0, "e", 1), (0, "x", 1)]
    recorded = interaction(stdout=b"ac", stderr=b"bd", timing=ticks)

    result = player(tmp_path, recorded).run(*ASK, stderr=subprocess.STDOUT)

    assert result.stdout == b"abcd"


def test_a_big_body_from_a_sidecar_reaches_a_reader_whose_pipe_does_not_block(tmp_path: Path) -> None:
    body = os.urandom(3_000_000)
    recorded = interaction(timing=[(0, "o", 1_000_000), (0, "o", 2_000_000), (0, "x", 1)])
    response = recorded.response.__class__(
        exit=recorded.response.exit, stdout=Sidecar("big.bin", len(body)), timing=recorded.response.timing
    )
    request = recorded.request
    whole = recorded.__class__(id="1", recorded=recorded.recorded, request=request, response=response)
    agy = player(tmp_path, cassette=InMemory([whole], bodies={"big.bin": body}))
    reader, writer = os.pipe()
    os.set_blocking(writer, False)

    with agy.start(*ASK, stdout=writer) as process:
        os.close(writer)
        with os.fdopen(reader, "rb") as stream:
            assert stream.read() == body
        assert process.wait(60) == 0


def test_closed_streams_are_no_hindrance(tmp_path: Path) -> None:
    agy = player(tmp_path, interaction(stderr=b"err\n", code=4))
    script = 'exec "$0" -p "What is left?" <&- >&- 2>&-'

    done = subprocess.run(
        ["/bin/sh", "-c", script, agy.agy], env={**os.environ, "HOME": str(agy.home)}, check=False
    )

    assert done.returncode == 4


def test_a_reader_that_goes_away_ends_it_as_it_ends_agy(tmp_path: Path) -> None:
    agy = player(tmp_path, interaction(stdout=b"x" * 1_000_000))

    with agy.start(*ASK) as process:
        assert process.stdout is not None
        process.stdout.read(10)
        process.stdout.close()
        assert process.wait(60) == -signal.SIGPIPE


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGKILL])
def test_a_signal_that_the_recording_lacks_kills(number: signal.Signals, tmp_path: Path) -> None:
    recorded = interaction(timing=[(0, "o", 6), (FAR, "x", 1)])

    with player(tmp_path, recorded, speed=1).start(*ASK) as process:
        assert process.stdout is not None
        assert process.stdout.read(6) == b"Half.\n"
        process.send_signal(number)
        assert process.wait(60) == -number


@pytest.mark.parametrize("wait", [0, FAR], ids=["when due", "sooner than recorded"])
def test_a_recorded_signal_is_waited_for_and_answered_as_then(wait: int, tmp_path: Path) -> None:
    ticks = [(0, "o", 6), (wait, "s", int(signal.SIGTERM)), (0, "e", 4), (1, "x", 1)]
    recorded = interaction(stderr=b"bye\n", timing=ticks, code=7)

    with player(tmp_path, recorded, speed=1).start(*ASK) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        assert process.stdout.read(6) == b"Half.\n"
        assert process.poll() is None
        process.send_signal(signal.SIGTERM)
        assert process.stderr.read() == b"bye\n"
        assert process.wait(60) == 7


def test_a_prompt_on_stdin_is_read_to_its_end_and_matched(tmp_path: Path) -> None:
    recorded = interaction(argv=("agy",), prompt="first\nsecond\n", stdin="${PROMPT}")
    agy = player(tmp_path, recorded)

    with agy.start(stdin=subprocess.PIPE) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(b"first\n")
        process.stdin.flush()
        process.stdin.write(b"second\n")
        process.stdin.close()
        assert process.stdout.read() == b"Half.\n"
        assert process.wait(60) == 0


def test_another_text_on_stdin_is_another_call(tmp_path: Path) -> None:
    recorded = interaction(argv=("agy",), prompt="first\n", stdin="${PROMPT}")

    assert player(tmp_path, recorded).run(stdin=b"second\n").returncode == 125


@pytest.mark.parametrize(("recorded", "live"), [(None, b""), ("", b""), ("", None)])
def test_an_empty_stdin_is_as_none(recorded: str | None, live: bytes | None, tmp_path: Path) -> None:
    agy = player(tmp_path, interaction(argv=("agy",), prompt=recorded, stdin=recorded and "${PROMPT}"))

    assert agy.run(stdin=live).returncode == 0


def test_an_open_silent_stdin_is_left_alone_where_the_prompt_is_in_argv(tmp_path: Path) -> None:
    with player(tmp_path, interaction()).start(*ASK, stdin=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stdout.read() == b"Half.\n"
        assert process.wait(60) == 0


def test_messages_on_stdin_are_answered_as_they_arrive(tmp_path: Path) -> None:
    said = '{"text":"one"}\n{"text":"two"}\n'
    ticks = [(1, "i", 15), (1, "o", 2), (1, "i", 15), (1, "o", 2), (1, "z", 1), (1, "o", 4), (1, "x", 1)]
    argv = ("--input-format", "stream-json", "--output-format", "stream-json")
    recorded = interaction(argv=("agy", *argv), prompt=None, stdin=said, stdout=b"1\n2\nend\n", timing=ticks)

    with player(tmp_path, recorded).start(*argv, stdin=subprocess.PIPE) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        for message, answer in ((b'{"text":"one"}\n', b"1\n"), (b'{"text":"two"}\n', b"2\n")):
            process.stdin.write(message)
            process.stdin.flush()
            assert process.stdout.read(2) == answer
        assert process.poll() is None
        process.stdin.close()
        assert process.stdout.read() == b"end\n"
        assert process.wait(60) == 0


def test_argv_that_is_no_utf8_and_long_prompts_are_matched(tmp_path: Path) -> None:
    long = "-" + "x" * 120_000
    agy = player(
        tmp_path,
        interaction("1", prompt=b"caf\xe9"),
        interaction("2", argv=("agy", "--print=${PROMPT}"), prompt=long),
    )

    assert agy.run("-p", b"caf\xe9").returncode == 0
    assert agy.run(f"--print={long}").returncode == 0


def test_a_grandchild_that_writes_after_the_exit_still_does(tmp_path: Path) -> None:
    recorded = interaction(
        stdout=b"answer\nlate\n", timing=[(0, "o", 7), (0, "x", 1), (500, "o", 5), (0, "c", 1)], code=6
    )

    with player(tmp_path, recorded, speed=1).start(*ASK) as process:
        assert process.wait(60) == 6
        assert process.stdout is not None
        assert process.stdout.read() == b"answer\nlate\n"


ROW = b"{" + b" " * 200_000 + b"}\n"
"""More than a pipe holds: who writes it stands still until it is read."""


def rows_in_fifos(folder: Path, names: Sequence[str]) -> tuple[list[FileEvent], list[Path]]:
    """Rows whose files are pipes: the player stops within each until the test has read it."""
    logs = folder / "home/.gemini/antigravity-cli/brain/a/.system_generated/logs"
    logs.mkdir(parents=True)
    for name in names:
        os.mkfifo(logs / name)
    events = [
        FileEvent(op="append", path=f"${{AGY_HOME}}/brain/a/.system_generated/logs/{name}", text=ROW)
        for name in names
    ]
    return events, [logs / name for name in names]


def waiting(stream: int) -> bytes:
    """What is there to be read, without waiting for more."""
    os.set_blocking(stream, False)
    try:
        return os.read(stream, 65536)
    except BlockingIOError:
        return b""


def test_rows_and_the_log_appear_in_order_with_output_and_exit(tmp_path: Path) -> None:
    rows, fifos = rows_in_fifos(tmp_path, ["transcript.jsonl", "transcript_full.jsonl"])
    log = tmp_path / "agy.log"
    os.mkfifo(log)
    line = FileEvent(op="append", path="${LOG_FILE}", text=ROW)
    ticks = [(0, "o", 4), (0, "f", 1), (0, "e", 3), (0, "f", 1), (0, "o", 4), (0, "f", 1), (0, "x", 1)]
    recorded = interaction(
        argv=("agy", "--log-file", "${LOG_FILE}", "-p", "${PROMPT}"),
        stdout=b"one\ntwo\n",
        stderr=b"err",
        timing=ticks,
        files=[rows[0], line, rows[1]],
    )
    agy = player(tmp_path, recorded)
    seen: list[bytes] = []

    with agy.start("--log-file", str(log), *ASK) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        for fifo in (fifos[0], log, fifos[1]):
            with fifo.open("rb") as opened:
                begun = opened.read(1)
                seen += [waiting(process.stdout.fileno()), waiting(process.stderr.fileno())]
                assert process.poll() is None
                assert begun + opened.read() == ROW
        assert process.wait(60) == 0

    assert seen == [b"one\n", b"", b"", b"err", b"two\n", b""]


def test_places_are_those_of_the_live_call_and_chunks_keep_what_they_held(tmp_path: Path) -> None:
    rows, fifos = rows_in_fifos(tmp_path, ["transcript.jsonl"])
    stored = b"in ${HOME}/x and ${CWD}|${TMP} ${AGY_HOME} $${HOME}\n"
    first = stored.index(b"|")
    recorded = interaction(
        prompt="look into ${CWD}/a",
        stdout=stored,
        timing=[(0, "o", first), (0, "f", 1), (0, "o", len(stored) - first), (0, "x", 1)],
        files=rows,
    )
    work = tmp_path / "work"
    work.mkdir()
    agy = player(tmp_path, recorded)

    with agy.start("-p", f"look into {work}/a", cwd=work, env={"TMPDIR": "/some/tmp"}) as process:
        assert process.stdout is not None
        with fifos[0].open("rb") as opened:
            opened.read(1)
            before = waiting(process.stdout.fileno())
            opened.read()
        process.wait(60)
        after = waiting(process.stdout.fileno())

    assert before == f"in {agy.home}/x and {work}".encode()
    assert after == f"|/some/tmp {agy.store} ${{HOME}}\n".encode()


def test_an_empty_environment_is_enough(tmp_path: Path) -> None:
    file = FileEvent(op="append", path="${AGY_HOME}/brain/a/transcript.jsonl", text=b"{}\n")
    agy = player(tmp_path, interaction(stdout=b"in ${HOME}\n", files=[file]))

    done = subprocess.run([agy.agy, *ASK], env={}, stdin=subprocess.DEVNULL, capture_output=True, check=False)

    assert (done.returncode, done.stdout, done.stderr) == (0, b"in ${HOME}\n", b"")


def test_nothing_is_said_on_the_streams_but_what_was_recorded(tmp_path: Path) -> None:
    agy: Player = player(tmp_path, interaction(stdout=b"", stderr=b""))

    result = agy.run(*ASK, env={"HOME": "/nonexistent"})

    assert (result.stdout, result.stderr, result.returncode) == (b"", b"", 0)
