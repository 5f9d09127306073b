"""JSON holds any bytes."""

import pytest

from agy_proxy.report.json_text import json_text


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
