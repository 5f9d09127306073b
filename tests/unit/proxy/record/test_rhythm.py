from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from agy_cassettes.interaction import Tick
from agy_proxy.record.rhythm import Moment, in_order, ticks

MS = 1_000_000


def test_pieces_of_one_stream_within_a_millisecond_are_one_tick() -> None:
    moments = [Moment(0, "o", 3), Moment(MS // 2, "o", 4), Moment(MS, "o", 5), Moment(MS + 1, "e", 1)]
    assert ticks(moments, 0) == (Tick(0, "o", 7), Tick(1, "o", 5), Tick(0, "e", 1))


def test_a_long_run_of_small_pieces_keeps_its_rhythm() -> None:
    moments = [Moment(at * MS // 2, "o", 1) for at in range(20)]
    assert ticks(moments, 0) == tuple(Tick(0 if at == 0 else 1, "o", 2) for at in range(10))


def test_the_order_of_two_streams_within_a_millisecond_is_kept() -> None:
    moments = [Moment(10, "o", 1), Moment(20, "e", 1), Moment(30, "o", 1)]
    assert [tick.code for tick in ticks(moments, 0)] == ["o", "e", "o"]


def test_times_do_not_drift_and_never_go_back() -> None:
    moments = [Moment(at * 1_600_000, "o" if at % 2 else "e", 1) for at in range(1, 1001)]
    assert sum(tick.ms for tick in ticks(moments, 0)) == 1600
    assert ticks([Moment(5 * MS, "o", 1), Moment(3 * MS, "x")], 0) == (Tick(5, "o", 1), Tick(0, "x", 1))


def test_signals_are_never_drawn_together() -> None:
    assert ticks([Moment(1, "s", 2), Moment(2, "s", 2)], 0) == (Tick(0, "s", 2), Tick(0, "s", 2))


def test_what_was_seen_is_put_between_what_was_written() -> None:
    written = [Moment(10, "o", 1), Moment(30, "o", 2), Moment(29, "e", 3), Moment(40, "x")]
    seen = [Moment(35, "f"), Moment(5, "f")]
    assert [moment.code for moment in in_order(written, seen)] == ["f", "o", "o", "e", "f", "x"]


streams = st.lists(
    st.builds(Moment, st.integers(0, 400 * MS), st.sampled_from("oeifmxsz"), st.integers(1, 9)), max_size=80
)


@given(streams, st.integers(4, 30))
def test_no_byte_is_lost_however_few_ticks_are_allowed(moments: list[Moment], most: int) -> None:
    drawn = ticks(moments, 0, most=most)
    expected: Counter[str] = Counter()
    for moment in moments:
        if moment.code in "oeifm":
            expected[moment.code] += moment.amount
    got: Counter[str] = Counter()
    for tick in drawn:
        assert tick.ms >= 0
        if tick.code in "oeifm":
            got[tick.code] += tick.count
    assert got == expected
    assert [tick.code for tick in drawn if tick.code in "xsz"] == [m.code for m in moments if m.code in "xsz"]


def test_a_hundred_thousand_alternating_pieces_come_to_the_allowed_number() -> None:
    moments = [Moment(at * MS * 3, "oe"[at % 2], 1) for at in range(100_000)]
    drawn = ticks(moments, 0)
    assert len(drawn) <= 20_000
    assert sum(tick.count for tick in drawn) == 100_000


def test_input_is_never_drawn_together_across_output() -> None:
    moments = [Moment(number * MS // 100, "io"[number % 2]) for number in range(40)]

    drawn = ticks(moments, 0, most=5)

    assert [tick.code for tick in drawn] == ["i", "o"] * 20
