import time

import pytest

from fake_agy.clock import Clock, TimeUp, clock_of, local_second, utc_second


class Naps:
    """A sleep that takes no time and remembers what was asked of it."""

    def __init__(self) -> None:
        self.asked: list[float | None] = []

    def __call__(self, seconds: float | None) -> None:
        self.asked.append(seconds)
        if seconds is None and len(self.asked) > 2:
            raise KeyboardInterrupt


def clock(speed: float | None = None) -> tuple[Clock, Naps]:
    naps = Naps()
    return clock_of("2026-06-20T10:33:40Z", speed, naps), naps


def test_a_time_is_cut_off_to_the_second_not_rounded() -> None:
    assert utc_second(1781951620.997) == "2026-06-20T10:33:40Z"


@pytest.mark.parametrize(
    ("zone", "text"),
    [
        ("UTC0", "2026-06-20T10:33:40Z"),
        ("CEST-2", "2026-06-20T12:33:40+02:00"),
        ("NST3:30", "2026-06-20T07:03:40-03:30"),
    ],
)
def test_local_time_carries_its_offset(zone: str, text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TZ", zone)
    time.tzset()
    try:
        assert local_second(1781951620.5) == text
    finally:
        monkeypatch.delenv("TZ")
        time.tzset()


def test_a_frozen_clock_stands_still() -> None:
    frozen, _ = clock()
    assert (frozen.now(), frozen.now(), frozen.frozen) == (1781951620.0, 1781951620.0, True)


@pytest.mark.parametrize(("speed", "slept"), [(1.0, [0.5]), (10.0, [0.05]), (None, [])])
def test_speed_divides_each_wait_and_max_leaves_it_out(speed: float | None, slept: list[float]) -> None:
    each, naps = clock(speed)
    each.wait(0.5)
    assert naps.asked == slept
    assert each.elapsed() == 0.5


def test_waits_add_up_without_the_noise_of_floats() -> None:
    each, _ = clock()
    for _ in range(3):
        each.wait(0.1)
    assert each.elapsed() == 0.3


def test_a_limit_comes_at_once_where_waits_are_left_out() -> None:
    each, naps = clock()
    each.wait(5)
    each.limit(25)
    each.wait(20)
    with pytest.raises(TimeUp):
        each.wait(400)
    assert each.elapsed() == 30
    assert naps.asked == []


def test_a_limit_of_nothing_is_over_and_no_limit_never_is() -> None:
    each, _ = clock()
    with pytest.raises(TimeUp):
        each.limit(0)
    each.limit(None)
    each.wait(1e9)


def test_hanging_is_never_scaled_and_ends_at_the_limit() -> None:
    each, naps = clock(100)
    each.limit(7)
    with pytest.raises(TimeUp):
        each.hang()
    assert naps.asked == [7]


def test_hanging_without_a_limit_only_a_signal_ends() -> None:
    each, naps = clock()
    with pytest.raises(KeyboardInterrupt):
        each.hang()
    assert naps.asked == [None, None, None]


def test_real_time_counts_on_the_timeline_but_for_a_frozen_clock() -> None:
    frozen, _ = clock()
    running = clock_of(None, None, lambda _: None)
    for each in (frozen, running):
        each.spent(2.5)
    assert (frozen.elapsed(), running.elapsed()) == (0, 2.5)
