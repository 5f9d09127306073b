import os
import time

import pytest

from agy_cassettes.document import RECORD_ID
from agy_cassettes.identity import new_id


def test_an_id_is_a_ulid_and_the_pid() -> None:
    assert new_id(1_469_918_176_385_000_000, 4711, bytes(10)) == "01ARYZ6S410000000000000000-4711"


def test_a_mark_says_so_at_the_end() -> None:
    assert new_id(0, 4711, bytes(10), mark=True).endswith("-4711m")


def test_ids_sort_by_time() -> None:
    starts = [0, 10**9, 1_700_000_000 * 10**9, 1_700_000_000 * 10**9 + 10**6]
    ids = [new_id(start, 1, b"\xff" * 10) for start in starts]
    assert ids == sorted(set(ids))


def test_an_id_is_one_that_a_cassette_takes() -> None:
    assert RECORD_ID.fullmatch(new_id(time.time_ns(), os.getpid(), os.urandom(10)))


def test_fewer_random_bytes_are_refused() -> None:
    with pytest.raises(ValueError, match="ten"):
        new_id(0, 1, b"")
