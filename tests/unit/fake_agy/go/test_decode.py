import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fake_agy.go.decode import decode_error, kind_of

PIECES = [
    "{",
    "}",
    "[",
    "]",
    ":",
    ",",
    '"a"',
    '"\\u00e9"',
    "1",
    "-0.5e+3",
    "true",
    "null",
    " ",
    "tru",
    "x",
    "01",
]


@pytest.mark.parametrize(
    ("data", "error"),
    [
        (b"rubbish", "invalid character 'r' looking for beginning of value"),
        (b"", "unexpected end of JSON input"),
        (b"{", "unexpected end of JSON input"),
        (b'"a', "unexpected end of JSON input"),
        (b"-", "unexpected end of JSON input"),
        (b"{a:1}", "invalid character 'a' looking for beginning of object key string"),
        (b'{"a":1,}', "invalid character '}' looking for beginning of object key string"),
        (b'{"a" 1}', "invalid character '1' after object key"),
        (b'{"a":1 "b":2}', "invalid character '\"' after object key:value pair"),
        (b"[1 2]", "invalid character '2' after array element"),
        (b"[1,]", "invalid character ']' looking for beginning of value"),
        (b"nope", "invalid character 'o' in literal null (expecting 'u')"),
        (b"trie", "invalid character 'i' in literal true (expecting 'u')"),
        (b"-x", "invalid character 'x' in numeric literal"),
        (b"1.x", "invalid character 'x' after decimal point in numeric literal"),
        (b"1ex", "invalid character 'x' in exponent of numeric literal"),
        (b'"\\x"', "invalid character 'x' in string escape code"),
        (b'"\\u00g0"', "invalid character 'g' in \\u hexadecimal character escape"),
        (b'"a\nb"', "invalid character '\\n' in string literal"),
        (b'"\x01"', "invalid character '\\x01' in string literal"),
        (b"{} {}", "invalid character '{' after top-level value"),
        (b"01", "invalid character '1' after top-level value"),
        (b"'a'", "invalid character '\\'' looking for beginning of value"),
        ("é".encode(), "invalid character 'Ã' looking for beginning of value"),
        (b"[" * 10_001, "exceeded max depth"),
        (b'{"event":"user","message":{"content":["x",1.5e3,null,{}]}}', None),
        (b" [] ", None),
    ],
)
def test_an_error_is_said_in_gos_words(data: bytes, error: str | None) -> None:
    assert decode_error(data) == error


@given(st.lists(st.sampled_from(PIECES)).map("".join))
def test_what_go_takes_is_what_is_json(text: str) -> None:
    try:
        json.loads(text)
    except ValueError:
        assert decode_error(text.encode()) is not None
    else:
        assert decode_error(text.encode()) is None


@given(st.binary())
def test_any_bytes_get_an_answer(data: bytes) -> None:
    error = decode_error(data)
    assert error is None or error == "unexpected end of JSON input" or error.startswith("invalid character ")


@pytest.mark.parametrize(
    ("value", "kind"),
    [
        (None, "null"),
        (True, "bool"),
        (1, "number"),
        (1.5, "number"),
        ("", "string"),
        ([], "array"),
        ({}, "object"),
    ],
)
def test_kinds_have_gos_names(value: object, kind: str) -> None:
    assert kind_of(value) == kind
