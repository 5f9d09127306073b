"""Every byte and every event of a record is on its time line, in order."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agy_cassettes.interaction import Exit, FileEvent
from agy_proxy.report.timeline import Moment, duration, ending, moments
from tests.support.interactions import interaction

APPEND = FileEvent(op="append", path="${AGY_HOME}/t.jsonl", before=0, text=b"{}\n")


def test_streams_files_and_exit_come_in_the_order_of_timing() -> None:
    found = moments(
        interaction(
            stdout=b"oneTWO",
            stderr=b"err",
            timing=[
                (100, "o", 3),
                (0, "f", 1),
                (50, "e", 3),
                (50, "o", 3),
                (10, "s", 15),
                (40, "x", 1),
                (5, "c", 1),
            ],
            files=[APPEND],
            code=None,
            signal=15,
        )
    )
    assert found == (
        Moment(0.1, 0.1, "stdout", body=b"one"),
        Moment(0.1, 0.1, "file", event=APPEND),
        Moment(0.15, 0.15, "stderr", body=b"err"),
        Moment(0.2, 0.2, "stdout", body=b"TWO"),
        Moment(0.21, 0.21, "signal", says="signal 15 (SIGTERM) sent to agy"),
        Moment(0.25, 0.25, "agy", says="killed by signal 15 (SIGTERM)"),
        Moment(0.255, 0.255, "streams", says="the last one closed"),
    )


def test_chunks_of_one_stream_within_a_second_are_one_moment() -> None:
    found = moments(
        interaction(stdout=b"abc", timing=[(10, "o", 1), (1000, "o", 1), (1001, "o", 1), (0, "x", 1)])
    )
    assert found[:2] == (Moment(0.01, 1.01, "stdout", body=b"ab"), Moment(2.011, 2.011, "stdout", body=b"c"))


def test_merged_streams_are_shown_as_stdout() -> None:
    found = moments(interaction(stdout=b"ab", timing=[(10, "m", 2), (0, "x", 1)], merged=True))
    assert found[0] == Moment(0.01, 0.01, "stdout", body=b"ab")


def test_stdin_is_on_the_line_where_it_was_recorded() -> None:
    found = moments(interaction(stdin="hi", timing=[(1, "i", 2), (1, "z", 1), (1, "o", 6), (0, "x", 1)]))
    assert found[:2] == (Moment(0.001, 0.001, "stdin", body=b"hi"), Moment(0.002, 0.002, "stdin", says="end"))


def test_what_timing_does_not_count_comes_last_without_a_time() -> None:
    found = moments(interaction(stdout=b"abc", stderr=b"e", timing=[(10, "o", 1)], files=[APPEND], code=3))
    assert found[1:] == (
        Moment(None, None, "stdout", body=b"bc"),
        Moment(None, None, "stderr", body=b"e"),
        Moment(None, None, "file", event=APPEND),
        Moment(None, None, "agy", says="exit 3"),
    )


ticks = st.lists(st.tuples(st.integers(0, 3000), st.sampled_from("oeifszwxc"), st.integers(0, 9)), max_size=9)


@given(st.binary(max_size=30), st.binary(max_size=30), ticks)
def test_no_byte_is_left_out_or_told_twice(
    stdout: bytes, stderr: bytes, timing: list[tuple[int, str, int]]
) -> None:
    found = moments(interaction(stdout=stdout, stderr=stderr, timing=timing, files=[APPEND] * 3))
    told = {
        name: b"".join(each.body or b"" for each in found if each.channel == name)
        for name in ("stdout", "stderr")
    }
    assert told == {"stdout": stdout, "stderr": stderr}
    assert sum(each.event is not None for each in found) == 3


def test_the_duration_runs_to_the_exit_and_not_to_the_last_stream() -> None:
    assert duration(interaction(timing=[(200, "o", 6), (50, "x", 1), (3000, "c", 1)])) == 0.25
    assert duration(interaction(timing=[(200, "o", 6)])) == 0.2


@pytest.mark.parametrize(
    ("end", "words"),
    [
        (Exit(code=0), "exit 0"),
        (Exit(signal=9), "killed by signal 9 (SIGKILL)"),
        (Exit(signal=60), "killed by signal 60"),
        (Exit(), "exit not seen"),
    ],
)
def test_an_end_is_told_in_words(end: Exit, words: str) -> None:
    assert ending(end) == words
