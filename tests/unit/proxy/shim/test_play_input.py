import itertools
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agy_proxy.shim.isolated.play_input import MOST, Lines, Typed, same_json
from agy_proxy.shim.isolated.play_process import DepartureError

LINES = st.lists(st.sampled_from([b"a\n", b"\n", b'{"a":1}\n', b"\xff\n", b"x" * 70_000 + b"\n"]), max_size=6)
CUTS = st.lists(st.integers(0, 200), max_size=8)


def pieces(data: bytes, cuts: Sequence[int]) -> list[bytes]:
    edges = [0, *sorted(min(cut, len(data)) for cut in cuts), len(data)]
    return [data[low:high] for low, high in itertools.pairwise(edges) if low < high]


def never(_: bytes, __: bytes) -> bool:
    return False


@given(recorded=LINES, cuts=CUTS, parts=CUTS, ends=st.booleans())
def test_the_same_lines_are_the_same_in_any_pieces(
    recorded: list[bytes], cuts: list[int], parts: list[int], ends: bool
) -> None:
    data = b"".join(recorded)
    lines = Lines(iter(pieces(data, parts)), never)

    for part in pieces(data, cuts):
        lines.feed(part)
    if ends:
        lines.feed(b"")

    assert lines.seen == len(recorded)
    assert lines.reached(len(recorded))
    assert not lines.reached(len(recorded) + 1)


@given(recorded=LINES.filter(bool), cuts=CUTS, at=st.integers(0, 5))
def test_another_line_is_told_by_its_number(recorded: list[bytes], cuts: list[int], at: int) -> None:
    at %= len(recorded)
    lines = Lines(iter([b"".join(recorded)]), never)

    with pytest.raises(DepartureError) as raised:
        list(map(lines.feed, pieces(b"".join([*recorded[:at], b"other\n"]), cuts)))

    assert (raised.value.what, raised.value.number, raised.value.asked) == ("line", at + 1, b"other\n")
    assert lines.seen == at


@given(recorded=LINES.filter(bool), kept=st.integers(0, 5))
def test_an_end_before_the_last_line_and_a_line_after_it_are_departures(
    recorded: list[bytes], kept: int
) -> None:
    kept %= len(recorded)
    early = Lines(iter([b"".join(recorded)]), never)
    late = Lines(iter([b"".join(recorded)]), never)
    list(map(early.feed, recorded[:kept]))

    with pytest.raises(DepartureError) as ended:
        early.feed(b"")
    with pytest.raises(DepartureError) as more:
        late.feed(b"".join([*recorded, b"more\n"]))

    assert (ended.value.what, ended.value.number) == ("end", kept + 1)
    assert (more.value.what, more.value.number) == ("more", len(recorded) + 1)


def test_a_line_that_goes_on_for_ever_is_given_up() -> None:
    lines = Lines(iter([b"a\n"]), never)
    part = b"x" * (1 << 20)

    with pytest.raises(DepartureError):
        list(map(lines.feed, itertools.repeat(part, MOST // len(part) + 1)))


def test_of_two_lines_that_differ_it_is_asked_whether_a_secret_does() -> None:
    asked: list[tuple[bytes, bytes]] = []

    def alike(one: bytes, other: bytes) -> bool:
        asked.append((one, other))
        return True

    Lines(iter([b"one\n"]), alike).feed(b"two\n")

    assert asked == [(b"two\n", b"one\n")]


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        (b'{"a":1,"b":[true,null]}', b' {"b": [true, null], "a": 1.0}\r\n', True),
        (b'{"a":"\\u00e9"}', '{"a":"é"}'.encode(), True),
        (b'{"a":1}', b'{"a":true}', False),
        (b'{"a":[1]}', b'{"a":[1,2]}', False),
        (b'{"a":1}', b'{"a":1,"b":2}', False),
        (b'{"a":1} x', b'{"a":1} x', False),
        (b'{"a":1', b'{"a":1', False),
        (b"\xff", b"\xff", False),
        (b"[" * 100_000, b"[" * 100_000, False),
        (b"", b"", False),
    ],
)
def test_json_is_compared_by_what_it_means(one: bytes, other: bytes, expected: bool) -> None:
    assert same_json(one, other) is expected


@given(data=st.binary(max_size=40).filter(lambda data: b"\x1b" not in data), cuts=CUTS)
def test_the_same_keys_are_the_same_in_any_pieces(data: bytes, cuts: list[int]) -> None:
    typed = Typed(data)

    for part in pieces(data, cuts):
        typed.feed(part)
    typed.feed(b"")

    assert typed.seen == len(data)


def test_another_key_is_told_by_its_place() -> None:
    typed = Typed(b"abc")
    typed.feed(b"a")

    with pytest.raises(DepartureError) as raised:
        typed.feed(b"bx")

    assert (raised.value.what, raised.value.number) == ("typed", 3)
    assert (raised.value.asked, raised.value.recorded) == (b"x", b"c")


def test_escape_is_a_key_when_nothing_follows_it() -> None:
    typed = Typed(b"\x1bq")

    typed.feed(b"\x1b")
    assert typed.undecided
    assert not typed.reached(1)
    typed.settle()
    assert typed.reached(1)
    typed.feed(b"q")
    typed.feed(b"")


def test_the_beginning_of_an_answer_is_no_key_however_late_the_rest_is() -> None:
    typed = Typed(b"q")

    typed.feed(b"\x1b[12;4")
    assert not typed.undecided
    typed.settle()
    typed.feed(b"0Rq")

    assert typed.seen == 1


@pytest.mark.parametrize(
    ("recorded", "live"),
    [
        (b"to REDACTED-email-1\rmore", b"to ada@lovelace.org\rmore"),
        (b"REDACTED-key-1REDACTED-key-2 x", b"abc x"),
        (b"say REDACTED-key-12", b"say anything"),
        (b"a REDACTED-key-1 b REDACTED-key-1\r", b"a sk-1 b sk-1\r"),
        (b"no REDACTED here", b"no REDACTED here"),
    ],
)
@given(cuts=CUTS)
def test_anything_may_be_typed_in_the_place_of_a_secret(
    recorded: bytes, live: bytes, cuts: list[int]
) -> None:
    typed = Typed(recorded)

    for part in pieces(live, cuts):
        typed.feed(part)
    typed.feed(b"")

    assert typed.reached(len(recorded))


def test_what_follows_a_secret_is_compared() -> None:
    typed = Typed(b"to REDACTED-email-1\rmore")
    typed.feed(b"to x@y.org")
    assert typed.reached(len(b"to REDACTED-email-1"))
    assert not typed.reached(len(b"to REDACTED-email-1\r"))

    with pytest.raises(DepartureError):
        typed.feed(b"\rless")
