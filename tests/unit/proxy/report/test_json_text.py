"""JSON holds any bytes."""

import pytest

from agy_proxy.report.json_text import json_line, json_text


@pytest.mark.parametrize(
    ("given", "shape"),
    [
        (None, None),
        ("text", "text"),
        (b"text", "text"),
        ("caf\u00e9", "caf\u00e9"),
        (b"\xff", {"base64": "/w=="}),
        ("\udcff", {"base64": "/w=="}),
    ],
)
def test_text_that_is_not_utf_8_is_base64(given: str | bytes | None, shape: object) -> None:
    assert json_text(given) == shape


def test_every_string_of_a_shape_is_told_so() -> None:
    shape = {"paths": ["a", "c\udcff"], "in": {"file": "c\udcff", "line": 3}, "none": None, "lone": "\ud800"}
    assert json_line(shape) == (
        '{"paths": ["a", {"base64": "Y/8="}], "in": {"file": {"base64": "Y/8="}, "line": 3}, "none": null, '
        '"lone": {"base64": "7aCA"}}'
    )
