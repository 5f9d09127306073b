import pytest

from agy_cassettes.interaction import FileEvent, Stdio, Tick
from agy_proxy.replay.timing import PIPES, Event, arranged, in_turns

ROW = FileEvent(op="append", path="${AGY_HOME}/brain/a/transcript.jsonl", text=b"{}\n")
GUESSED = FileEvent(op="append", path="${AGY_HOME}/brain/a/transcript.jsonl", text=b"{}\n", approx=True)


MERGED = Stdio(stdin="null", stdout="pipe", stderr="same")
FILES = Stdio(stdin="null", stdout="file", stderr="file")


def events(
    timing: list[tuple[int, str, int]],
    *,
    stdout: int = 0,
    stderr: int = 0,
    files: tuple[FileEvent, ...] = (),
    stdin: bytes = b"",
    stdio: Stdio = PIPES,
) -> list[tuple[int, str, int]]:
    found = arranged(
        [Tick(*tick) for tick in timing],
        stdout=stdout,
        stderr=stderr,
        files=files,
        stdin=stdin,
        stdio=stdio,
    )
    return [(event.at, event.code, event.count) for event in found]


@pytest.mark.parametrize(
    ("timing", "texts", "expected"),
    [
        ([(5, "o", 3), (2, "e", 1), (3, "x", 1)], (3, 1), [(5, "o", 3), (7, "e", 1), (10, "x", 1)]),
        ([], (0, 0), [(0, "x", 1)]),
        ([], (3, 2), [(0, "o", 3), (0, "e", 2), (0, "x", 1)]),
        ([(4, "x", 1)], (3, 0), [(4, "o", 3), (4, "x", 1)]),
        ([(1, "o", 9), (1, "x", 1)], (3, 0), [(1, "o", 3), (2, "x", 1)]),
        ([(1, "o", 1), (1, "o", 1), (1, "x", 1)], (5, 0), [(1, "o", 1), (2, "o", 4), (3, "x", 1)]),
        ([(1, "o", 2), (1, "o", 2), (1, "x", 1)], (2, 0), [(1, "o", 2), (3, "x", 1)]),
        ([(-5, "o", 2), (1, "x", 1)], (2, 0), [(0, "o", 2), (1, "x", 1)]),
        ([(1, "o", 2), (9, "c", 1)], (2, 0), [(1, "o", 2), (10, "x", 1)]),
        ([(1, "x", 1), (1, "x", 1)], (0, 0), [(1, "x", 1)]),
        ([(1, "w", 1), (1, "s", 15), (1, "x", 1)], (0, 0), [(2, "s", 15), (3, "x", 1)]),
    ],
    ids=[
        "times are summed up",
        "nothing at all still ends",
        "without timing all comes at once",
        "what no tick accounts for comes at the exit",
        "counts beyond the text are cut",
        "what is left over belongs to the last tick of its stream",
        "ticks without bytes fall away",
        "time does not go back",
        "without an exit it is the last event",
        "there is one exit",
        "resizes are not for pipes, signals stay",
    ],
)
def test_the_events_fit_the_texts(
    timing: list[tuple[int, str, int]], texts: tuple[int, int], expected: list[tuple[int, str, int]]
) -> None:
    assert events(timing, stdout=texts[0], stderr=texts[1]) == expected


def test_merged_streams_are_one_whatever_the_ticks_are_called() -> None:
    found = events([(1, "m", 2), (1, "o", 1), (1, "e", 1), (1, "x", 1)], stdout=4, stdio=MERGED)

    assert found == [(1, "m", 2), (2, "m", 1), (3, "m", 1), (4, "x", 1)]


def test_what_was_seen_just_after_the_exit_was_there_before_it() -> None:
    found = events([(5, "x", 1), (4, "o", 2), (4, "f", 1), (1, "c", 1)], stdout=2, files=(ROW,))

    assert found == [(5, "o", 2), (5, "f", 1), (5, "x", 1)]


def test_a_row_whose_time_is_a_guess_was_there_before_the_exit() -> None:
    assert events([(5, "x", 1), (400, "f", 1)], files=(GUESSED,)) == [(5, "f", 1), (5, "x", 1)]
    assert events([(5, "x", 1), (400, "f", 1)], files=(ROW,)) == [(5, "x", 1), (405, "f", 1)]


def test_what_a_child_wrote_after_the_exit_follows_it() -> None:
    found = events([(5, "x", 1), (2000, "o", 2), (1000, "c", 1)], stdout=2)

    assert found == [(5, "x", 1), (2005, "o", 2), (3005, "c", 1)]


def test_streams_held_open_for_long_after_the_exit_stay_held() -> None:
    assert events([(5, "x", 1), (3000, "c", 1)]) == [(5, "x", 1), (3005, "c", 1)]
    assert events([(5, "x", 1), (3, "c", 1)]) == [(5, "x", 1)]


def test_input_is_counted_in_lines() -> None:
    found = events([(1, "i", 4), (1, "i", 3), (1, "z", 1), (1, "x", 1)], stdin=b"a\nb\ncde")

    assert found == [(1, "i", 2), (2, "i", 0), (3, "z", 1), (4, "x", 1)]


def test_files_that_no_tick_accounts_for_come_before_the_exit() -> None:
    assert events([(5, "x", 1)], files=(ROW, ROW)) == [(5, "f", 2), (5, "x", 1)]


def test_a_pump_that_tells_of_the_end_of_the_streams_first_is_no_hindrance() -> None:
    found = events([(5, "x", 1), (1, "c", 1), (3, "o", 2), (3, "e", 1)], stdout=2, stderr=1)

    assert found == [(5, "o", 2), (5, "e", 1), (5, "x", 1)]


def test_what_is_found_in_a_file_after_the_exit_may_be_found_later() -> None:
    ticks = [(5, "x", 1), (60, "o", 2), (10, "e", 1)]

    assert events(ticks, stdout=2, stderr=1, stdio=FILES) == [(5, "o", 2), (5, "e", 1), (5, "x", 1)]
    assert events(ticks, stdout=2, stderr=1)[0] == (5, "x", 1)


def told(text: str) -> tuple[Event, ...]:
    """Events as ``o4 i1``, each a ms after the one before."""
    return tuple(Event(at, word[0], int(word[1:])) for at, word in enumerate(text.split()))


@pytest.mark.parametrize(
    ("recorded", "results", "expected"),
    [
        ("i1 o4 i1 o4 z1 x1", [4, 8], "i1 o4 i1 o4 z1 x1"),
        ("i2 o4 o4 z1 x1", [4, 8], "i1 o4 i1 o4 z1 x1"),
        ("i1 i1 o8 z1 x1", [4, 8], "i1 o4 i1 o4 z1 x1"),
        ("o2 i3 o1 f1 o9 z1 x1", [4, 8, 12], "o2 i1 o1 f1 o1 i1 o4 i1 o4 z1 x1"),
        ("i3 o4 z1 x1", [4], "i1 o4 i1 i1 z1 x1"),
        ("i3 o4 s2 x1", [], "i1 i1 i1 o4 s2 x1"),
        ("i1 o4 i1 e3 f1 o2 x1", [], "i1 o4 i1 e3 f1 o2 x1"),
    ],
)
def test_a_message_is_awaited_when_the_one_before_was_answered(
    recorded: str, results: list[int], expected: str
) -> None:
    found = in_turns(told(recorded), results)

    assert " ".join(f"{event.code}{event.count}" for event in found) == expected
    assert [event.at for event in found] == sorted(event.at for event in found)
