"""What the double heeds of settings.json (stores.md 1.2)."""

from pathlib import Path

import pytest

from fake_agy.stores.layout import Layout, layout_of
from fake_agy.stores.workspace import allow, allow_rules, screen_mode, tool_permission, trust, trusted


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


def test_a_trusted_folder_and_a_rule_are_added_to_what_was_set(place: Layout) -> None:
    Path(place.root, "settings.json").write_text(
        '{"model":"M","trustedWorkspaces":["/a"],"permissions":{"deny":["x"],"allow":["command(ls)"]}}'
    )
    trust(place, "/b")
    allow(place, "command(make)")

    assert Path(place.root, "settings.json").read_text() == (
        '{\n  "model": "M",\n  "trustedWorkspaces": [\n    "/a",\n    "/b"\n  ],\n'
        '  "permissions": {\n    "deny": [\n      "x"\n    ],\n'
        '    "allow": [\n      "command(ls)",\n      "command(make)"\n    ]\n  }\n}\n'
    )


def test_the_first_trusted_folder_makes_the_settings(place: Layout) -> None:
    trust(place, "/a")

    assert trusted(place) == ("/a",)
    assert Path(place.root, "settings.json").stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize("text", ["{not json", "[]"])
def test_settings_that_can_not_be_read_stay_as_they_are(text: str, place: Layout) -> None:
    Path(place.root, "settings.json").write_text(text)
    trust(place, "/a")
    allow(place, "command(make)")

    assert Path(place.root, "settings.json").read_text() == text


@pytest.mark.parametrize(
    ("text", "mode"),
    [("{}", "default"), ('{"altScreenMode":"always"}', "always"), ('{"altScreenMode":1}', "default")],
)
def test_the_screen_mode_is_read(text: str, mode: str, place: Layout) -> None:
    Path(place.root, "settings.json").write_text(text)

    assert screen_mode(place) == mode
