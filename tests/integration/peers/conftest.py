from pathlib import Path

import pytest

from tests.support.target import Bed, make_bed


@pytest.fixture
def bed(tmp_path: Path) -> Bed:
    """A folder with a small program that stands for agy."""
    return make_bed(tmp_path)
