import itertools
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agy_cassettes.modes import MATCHES, MODES, choose, decide, possible

if TYPE_CHECKING:
    from agy_cassettes.modes import Decision, Match, Mode

TABLE: "list[tuple[Mode, bool | None, tuple[Decision, Decision, Decision]]]" = [
    ("none", None, ("play", "refuse", "refuse")),
    ("once", True, ("play", "refuse", "refuse")),
    ("once", False, ("record", "record", "record")),
    ("new_episodes", None, ("play", "record", "record")),
    ("all", None, ("record", "record", "record")),
    ("rewrite", None, ("record", "record", "record")),
    ("passthrough", None, ("pass_through", "pass_through", "pass_through")),
]


@pytest.mark.parametrize(("mode", "existed", "row"), TABLE)
def test_the_table_of_modes(
    mode: "Mode", existed: bool | None, row: "tuple[Decision, Decision, Decision]"
) -> None:
    for there in (True, False) if existed is None else (existed,):
        assert tuple(decide(mode, existed=there, match=match) for match in MATCHES) == row
        assert possible(mode, existed=there) == frozenset(row)


def test_every_mode_is_in_the_table() -> None:
    assert {mode for mode, _, _ in TABLE} == set(MODES)


@pytest.mark.parametrize(("mode", "existed"), list(itertools.product(MODES, (True, False))))
def test_allowed_repeats_turn_used_up_into_a_hit(mode: "Mode", existed: bool) -> None:
    def with_repeats(match: "Match") -> "Decision":
        return decide(mode, existed=existed, match=match, allow_repeats=True)

    assert with_repeats("used_up") == decide(mode, existed=existed, match="hit")
    assert with_repeats("none") == decide(mode, existed=existed, match="none")


@pytest.mark.parametrize(
    ("matching", "played", "free", "allow_repeats", "chosen"),
    [
        ([1, 4], {}, (), False, 1),
        ([1, 4], {1: 1}, (), False, 4),
        ([1, 4], {1: 1, 4: 1}, (), False, None),
        ([1, 4], {1: 1, 4: 1}, (), True, 4),
        ([1, 4], {1: 1, 4: 1}, (1, 4), False, 4),
        ([1, 4], {1: 1, 4: 1}, (1,), False, 1),
        ([1, 4], {1: 1}, (1,), False, 4),
        ([], {}, (), True, None),
    ],
)
def test_recorded_order_once_each_then_what_repeats(
    matching: list[int],
    played: dict[int, int],
    free: tuple[int, ...],
    allow_repeats: bool,
    chosen: int | None,
) -> None:
    assert choose(matching, played, free, allow_repeats=allow_repeats) == chosen


@given(st.lists(st.integers(0, 99), unique=True).map(sorted))
def test_as_many_calls_are_answered_as_were_recorded(matching: list[int]) -> None:
    played: dict[int, int] = {}
    order = []
    while (index := choose(matching, played)) is not None:
        played[index] = played.get(index, 0) + 1
        order.append(index)
    assert order == matching
