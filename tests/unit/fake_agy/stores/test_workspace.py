"""What the double heeds of settings.json (stores.md 1.2)."""

from pathlib import Path

import pytest

from fake_agy.stores.layout import Layout, layout_of
from fake_agy.stores.workspace import allow_rules, tool_permission, trusted


@pytest.fixture
def place(tmp_path: Path) -> Layout:
    place = layout_of(str(tmp_path))
    Path(place.root).mkdir(parents=True)
    return place


def test_folders_rules_and_the_mode_are_read(place: Layout) -> None:
    Path(place.root, "settings.json").write_text(
        '{"trustedWorkspaces":["/a",7],"permissions":{"allow":["command(echo)"]},"toolPermission":"plan"}'
    )

    assert trusted(place) == ("/a",)
    assert allow_rules(place) == ("command(echo)",)
    assert tool_permission(place) == "plan"


@pytest.mark.parametrize(
    "text", [None, "", "[]", "{", '{"trustedWorkspaces":{},"permissions":[],"toolPermission":1}']
)
def test_settings_that_say_nothing_are_agys_own(text: str | None, place: Layout) -> None:
    if text is not None:
        Path(place.root, "settings.json").write_text(text)

    assert (trusted(place), allow_rules(place), tool_permission(place)) == ((), (), "request-review")
