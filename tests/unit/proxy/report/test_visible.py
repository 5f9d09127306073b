"""A terminal obeys nothing that was recorded."""

import pytest

from agy_proxy.report.visible import visible


@pytest.mark.parametrize(
    ("given", "shown"),
    [
        ("plain\ttext\n", "plain\ttext\n"),
        ("\x1b[31mred\x07", "\\x1b[31mred\\x07"),
        (b"\xff\x00a", "\\xff\\x00a"),
        ("caf\udce9", "caf\\xe9"),
        ("a\ud800b", "a\\ud800b"),
        ("a\r\nb", "a\\x0d\nb"),
        ("abc\u202edef", "abc\\u202edef"),
        ("\u00e9\u20ac", "\u00e9\u20ac"),
    ],
)
def test_control_characters_are_spelled_out(given: str | bytes, shown: str) -> None:
    assert visible(given) == shown
