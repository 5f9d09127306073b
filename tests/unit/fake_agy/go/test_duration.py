import pytest
from hypothesis import given
from hypothesis import strategies as st

from fake_agy.go.duration import go_duration, parse_duration


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        ("0", 0.0),
        ("5m0s", 300.0),
        ("24h", 86400.0),
        ("1.5h", 5400.0),
        (".5s", 0.5),
        ("1.s", 1.0),
        ("-3ms", -0.003),
        ("+885s", 885.0),
        ("1h2m3s4ms5us6ns", 3723.004005006),
        ("2562047h", 9223369200.0),
        ("0.33333333333333333333333s", 0.333333333),
    ],
)
def test_a_duration_is_read(text: str, seconds: float) -> None:
    assert parse_duration(text) == seconds


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ("", 'time: invalid duration ""'),
        ("banana", 'time: invalid duration "banana"'),
        (".s", 'time: invalid duration ".s"'),
        ("-", 'time: invalid duration "-"'),
        ("30", 'time: missing unit in duration "30"'),
        ("1h5", 'time: missing unit in duration "1h5"'),
        ("3days", 'time: unknown unit "days" in duration "3days"'),
        ("9999999h", 'time: invalid duration "9999999h"'),
        ("9" * 10_000 + "s", 'time: invalid duration "' + "9" * 10_000 + 's"'),
        ('"é"', 'time: invalid duration "\\"\\xc3\\xa9\\""'),
    ],
)
def test_what_is_no_duration_is_refused_in_gos_words(text: str, error: str) -> None:
    with pytest.raises(ValueError, match=r"^time: ") as refused:
        parse_duration(text)
    assert str(refused.value) == error


@pytest.mark.parametrize(
    ("seconds", "text"),
    [
        (0, "0s"),
        (300, "5m0s"),
        (25, "25s"),
        (1.5, "1.5s"),
        (0.25, "250ms"),
        (0.000005, "5\u00b5s"),
        (1e-9, "1ns"),
        (3600, "1h0m0s"),
        (8338, "2h18m58s"),
        (273826, "76h3m46s"),
        (-90.5, "-1m30.5s"),
    ],
)
def test_a_duration_is_printed_as_go_prints_it(seconds: float, text: str) -> None:
    assert go_duration(seconds) == text


@given(st.integers(min_value=-(10**15), max_value=10**15))
def test_a_printed_duration_reads_back(nanoseconds: int) -> None:
    seconds = nanoseconds / 1_000_000_000
    assert parse_duration(go_duration(seconds)) == pytest.approx(seconds, rel=1e-12, abs=1e-9)
