import time

import pytest

from fake_agy.clock import clock_of, local_second, utc_second


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
    clock = clock_of("2026-06-20T10:33:40Z", None)
    assert (clock.now(), clock.now(), clock.frozen) == (1781951620.0, 1781951620.0, True)


@pytest.mark.parametrize(("speed", "slept"), [(1.0, [0.5]), (10.0, [0.05]), (None, [])])
def test_speed_divides_each_wait_and_max_leaves_it_out(
    speed: float | None, slept: list[float], monkeypatch: pytest.MonkeyPatch
) -> None:
    naps: list[float] = []
    monkeypatch.setattr(time, "sleep", naps.append)
    clock_of(None, speed).wait(0.5)
    assert naps == slept
