"""The pytest plugin: the fixture `fake_agy`. It imports what the fixture needs when a test asks for one."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from agy_proxy.run.fake_agy import FakeAgy


@pytest.fixture
def fake_agy(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[..., FakeAgy]]:
    """Makes doubles of agy: ``fake_agy(version="1.2.10")``, each with a HOME of its own.

    ``seed``, ``switches`` (behaviours by name), ``turns`` (what the model does in each turn, as
    `fake_agy.turns.moves` has it) and ``strict`` (no turn but those) may be given. What it makes is a
    `agy_proxy.run.fake_agy.FakeAgy`; calls that it was told not to expect fail the test at its end.
    """
    # Here, since every run of pytest loads this module, and few tests want a double.
    from agy_proxy.run.fake_agy import make_fake_agy

    made: list[FakeAgy] = []

    def make(scenario: str | None = None, **asked: Any) -> FakeAgy:
        folder = tmp_path_factory.mktemp("fake_agy")
        made.append(make_fake_agy(folder, os.environ, scenario=scenario, **asked))
        return made[-1]

    yield make
    complaints = [complaint for each in made if (complaint := each.complaint()) is not None]
    if complaints:
        pytest.fail("\n".join(complaints), pytrace=False)
