import re
from pathlib import Path

import pytest

from fake_agy.profile.resolve import profile_of
from fake_agy.stores.conversations import is_known
from fake_agy.stores.ids import new_conversation_id
from fake_agy.stores.layout import Layout, brain, layout_of

NOW = profile_of((1, 3, 3))


@pytest.fixture
def place(tmp_path: Path) -> Layout:
    return layout_of(str(tmp_path))


def test_ids_are_drawn_from_the_seed_and_shaped_as_uuid4(place: Layout) -> None:
    drawn = [new_conversation_id(place, 1) for _ in range(20)]
    assert len(set(drawn)) == 20
    shape = r"[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}"
    assert all(re.fullmatch(shape, each) for each in drawn)
    counter = Path(place.own) / "conversations"
    counter.unlink()
    assert [new_conversation_id(place, 1) for _ in range(20)] == drawn
    counter.unlink()
    assert new_conversation_id(place, 2) not in drawn


def test_an_id_in_use_is_passed_over_when_the_counter_is_lost(place: Layout) -> None:
    first = new_conversation_id(place, 1)
    Path(brain(place, first)).mkdir(parents=True)
    (Path(place.own) / "conversations").unlink()
    assert new_conversation_id(place, 1) != first


@pytest.mark.parametrize(
    "asked", ["../../etc", "", "not-a-uuid", "6a459081-19d6-465b-a339-76a50db44af6", "a" * 9000]
)
def test_an_id_that_was_never_given_is_unknown(asked: str, place: Layout) -> None:
    assert not is_known(place, asked, NOW)
