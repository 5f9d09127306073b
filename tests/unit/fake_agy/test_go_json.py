import json
import struct

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fake_agy.go_json import Json, go_float, go_json


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0.0, "0"),
        (2.0, "2"),
        (2.895499, "2.895499"),
        (1.4068100000000001, "1.4068100000000001"),
        (5e-06, "0.000005"),
        (1.25e-05, "0.0000125"),
        (1e-07, "1e-7"),
        (1.5e-10, "1.5e-10"),
        (100.0, "100"),
        (1e20, "100000000000000000000"),
        (1e21, "1e+21"),
        (1.5e22, "1.5e+22"),
        (123456789012345680000.0, "123456789012345680000"),
        (-0.5, "-0.5"),
        (213.25, "213.25"),
    ],
)
def test_floats_are_printed_as_go_prints_them(value: float, text: str) -> None:
    assert go_float(value) == text


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_a_printed_float_reads_back_as_the_same_float(value: float) -> None:
    assert struct.pack("d", float(go_float(value))) == struct.pack("d", value)


def test_angle_brackets_and_ampersands_are_escaped() -> None:
    assert go_json("a < b && c > d") == '"a \\u003c b \\u0026\\u0026 c \\u003e d"'


def test_line_separators_are_escaped_and_other_text_is_not() -> None:
    assert go_json("é 日本 \u2028\u2029 \x7f/") == '"é 日本 \\u2028\\u2029 \x7f/"'


def test_keys_keep_their_order_and_nothing_is_spaced() -> None:
    value: dict[str, Json] = {"b": [1, 2.5, True, None], "a<": {}}
    assert go_json(value) == '{"b":[1,2.5,true,null],"a\\u003c":{}}'


@given(st.text())
def test_text_reads_back(text: str) -> None:
    assert json.loads(go_json(text)) == text
