import hashlib
import uuid

from hypothesis import given
from hypothesis import strategies as st

from fake_agy.go.digest import number_of, sha256_hex, uuid_of


@given(st.binary())
def test_a_digest_is_sha256(data: bytes) -> None:
    assert sha256_hex(data) == hashlib.sha256(data).hexdigest()


@given(st.lists(st.text(), min_size=1))
def test_an_id_is_a_random_uuid_in_shape(parts: list[str]) -> None:
    drawn = uuid.UUID(uuid_of(*parts))

    assert str(drawn) == uuid_of(*parts)
    assert (drawn.version, drawn.variant) == (4, uuid.RFC_4122)


def test_other_parts_give_other_ids() -> None:
    assert len({uuid_of("1"), uuid_of("2"), uuid_of("1", "2"), uuid_of("1 2"), uuid_of("12")}) == 5


@given(st.integers(min_value=1, max_value=10**9), st.text())
def test_a_number_is_drawn_below_its_limit(below: int, part: str) -> None:
    assert 0 <= number_of(below, part) < below
