import pytest
from hypothesis import given
from hypothesis import strategies as st

from agy_cassettes.matchers import same
from agy_proxy.shim.isolated.play_key import without_numbers

PIECES = st.sampled_from(["REDACTED", "-", "user", "sign", "in", "1", "27", "2fa", "x", " ", "/", ".", "é"])


@pytest.mark.parametrize(
    ("text", "without"),
    [
        ("REDACTED-user-3", "REDACTED-user-0"),
        ("a REDACTED-api-key-12.", "a REDACTED-api-key-0."),
        ("REDACTED-sign-in-2REDACTED-code-1", "REDACTED-sign-in-0REDACTED-code-0"),
        ("REDACTED-user-3-old", "REDACTED-user-0-old"),
        ("REDACTED-1", "REDACTED-1"),
        ("REDACTED-token-1abc", "REDACTED-token-1abc"),
    ],
)
def test_only_the_number_of_a_placeholder_is_left_out(text: str, without: str) -> None:
    assert same(text) == without


@given(st.lists(PIECES, max_size=12).map("".join))
def test_the_player_and_the_matchers_leave_out_the_same_numbers(text: str) -> None:
    assert without_numbers(text.encode()).decode() == same(text)
