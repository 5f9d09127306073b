"""Every test of the shim runs direct and through it, and leaves no process behind."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.support.direct_or_shim import Agy, direct_agy, none_left, recorded_agy


@pytest.fixture(autouse=True)
def nothing_left(tmp_path: Path) -> Iterator[None]:
    yield from none_left(tmp_path)


@pytest.fixture(params=["direct", "shim"])
def agy(request: pytest.FixtureRequest, tmp_path: Path) -> Callable[..., Agy]:
    """Makes a program named agy out of its text; with ``shim`` one stands in front of it."""

    def make(text: str, *, sh: bool = False) -> Agy:
        making = recorded_agy if request.param == "shim" else direct_agy
        return making(tmp_path, text, sh=sh)

    return make


@pytest.fixture
def shim(tmp_path: Path) -> Callable[..., Agy]:
    """Makes a program named agy with a shim in front of it."""

    def make(text: str, *, sh: bool = False, **settings: object) -> Agy:
        return recorded_agy(tmp_path, text, sh=sh, **settings)

    return make
