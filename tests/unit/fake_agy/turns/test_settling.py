import pytest

from fake_agy.turns.settling import Settled, related, settle

KNOWN = {"a", "b"}


def settled(
    asked: str | None, *, continued: bool = False, last: str | None = None, fallback: str | None = None
) -> Settled:
    return settle(
        asked,
        continued=continued,
        is_known=KNOWN.__contains__,
        last=lambda: last,
        fallback=lambda: fallback,
    )


@pytest.mark.parametrize(
    ("found", "expected"),
    [
        (settled(None), Settled()),
        (settled("a"), Settled("a")),
        (settled("gone"), Settled(missing="gone")),
        (settled("not-a-uuid", continued=True, last="a"), Settled(missing="not-a-uuid")),
        (settled("a", continued=True, last="b"), Settled("a")),
        (settled(None, continued=True, last="b"), Settled("b")),
        (settled(None, continued=True), Settled()),
        (settled(None, continued=True, last="gone"), Settled()),
        (settled(None, continued=True, last="gone", fallback="a"), Settled("a")),
        (settled(None, last="a", fallback="b"), Settled()),
    ],
)
def test_a_call_goes_on_with_what_is_known_and_says_what_is_missing(
    found: Settled, expected: Settled
) -> None:
    assert found == expected


def test_only_folders_above_and_below_are_related_the_nearest_first() -> None:
    others = {"/w/a": "self", "/w": "above", "/w/a/b/c": "deep", "/w/a/b": "below", "/w/ab": "no", "/x": "no"}
    assert related("/w/a", others) == ["above", "below", "deep"]
    assert related("/", {"/w": "below"}) == ["below"]
