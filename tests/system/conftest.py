"""All tests of this folder need a tool of the system."""

from pathlib import Path

import pytest

HERE = Path(__file__).parent


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Marks them."""
    for item in items:
        if item.path.is_relative_to(HERE):
            item.add_marker(pytest.mark.system)
