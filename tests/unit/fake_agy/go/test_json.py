import json
import math
import struct
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fake_agy.go.json import compact_json, go_float, go_json, go_table, read_json

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)


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


@pytest.mark.parametrize("value", [math.nan, math.inf, -math.inf])
def test_a_float_that_is_no_number_is_refused(value: float) -> None:
    with pytest.raises(ValueError, match="can't be written"):
        go_json(value)


def test_angle_brackets_and_ampersands_are_escaped() -> None:
    assert go_json("a < b && c > d") == '"a \\u003c b \\u0026\\u0026 c \\u003e d"'


def test_line_separators_are_escaped_and_other_text_is_not() -> None:
    assert go_json("é 日本 \u2028\u2029 \x7f/") == '"é 日本 \\u2028\\u2029 \x7f/"'


def test_what_is_no_text_becomes_the_replacement_character() -> None:
    assert go_json("é\udcff\ufffd") == '"é\\ufffd\ufffd"'
    assert compact_json("é\udcff") == '"é\ufffd"'


def test_keys_keep_their_order_and_nothing_is_spaced() -> None:
    assert go_json({"b": [1, 2.5, True, None], "a<": {}}) == '{"b":[1,2.5,true,null],"a\\u003c":{}}'


@given(VALUES)
def test_what_is_written_reads_back(value: Any) -> None:
    assert json.loads(go_json(value)) == value
    assert read_json(f" {go_json(value)}\n") == value


@given(VALUES)
def test_the_transcripts_form_is_that_of_pythons_own_module(value: Any) -> None:
    assert compact_json(value) == json.dumps(value, ensure_ascii=False, separators=(",", ":"))


@pytest.mark.parametrize(
    "text",
    ["", " ", "nope", '{"a":', '{"a"}', "[1,]", "1 2", "NaN", "[Infinity]", '"\x01"', '"a', "[" * 100_000],
)
def test_what_is_no_json_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"."):
        read_json(text)


@given(st.text())
def test_reading_agrees_with_pythons_own_module(text: str) -> None:
    def reads(read: Any) -> Any:
        try:
            return repr(read(text))
        except ValueError:
            return "refused"

    assert reads(read_json) == reads(json.loads) or text.strip(" \t\n\r").lstrip("-") in {"NaN", "Infinity"}


@given(VALUES)
def test_a_table_is_written_as_any_value_is(value: Any) -> None:
    assert go_table(value) == go_json(value)
