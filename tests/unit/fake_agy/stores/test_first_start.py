"""What a first start leaves in a HOME (stores.md 1.2)."""

import re
from pathlib import Path

from fake_agy.profile.resolve import profile_of
from fake_agy.stores.first_start import prepare
from fake_agy.stores.layout import layout_of

UUID = rb"[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}"


def files(home: Path) -> dict[str, bytes]:
    root = home / ".gemini" / "antigravity-cli"
    return {
        str(path.relative_to(root)): path.read_bytes() for path in sorted(root.rglob("*")) if path.is_file()
    }


def test_a_first_start_leaves_few_files_of_the_users_alone(tmp_path: Path) -> None:
    prepare(layout_of(str(tmp_path)), 1, profile_of((1, 3, 3)))
    left = files(tmp_path)
    identity = left["installation_id"]

    assert re.fullmatch(UUID, identity)
    assert left == {
        "cache/default_project_id.txt": b"default-cli-project",
        "cache/onboarding.json": b'{"completed":true}',
        "installation_id": identity,
        "jetski_state.pbtxt": b'installation_uuid: "' + identity + b'"\npost_onboarding: true\n',
        "knowledge/knowledge.lock": b"",
    }
    root = tmp_path / ".gemini" / "antigravity-cli"
    assert {path.stat().st_mode & 0o777 for path in root.rglob("*") if path.is_file()} == {0o600}


def test_later_starts_change_nothing_and_the_seed_decides_the_id(tmp_path: Path) -> None:
    first = layout_of(str(tmp_path / "one"))
    prepare(first, 1, profile_of((1, 3, 3)))
    left = files(tmp_path / "one")
    prepare(first, 2, profile_of((1, 3, 3)))
    prepare(layout_of(str(tmp_path / "two")), 2, profile_of((1, 3, 3)))

    assert files(tmp_path / "one") == left
    assert files(tmp_path / "two")["installation_id"] != left["installation_id"]


def test_there_is_no_default_project_before_1_0_12(tmp_path: Path) -> None:
    prepare(layout_of(str(tmp_path)), 1, profile_of((1, 0, 11)))

    assert "cache/default_project_id.txt" not in files(tmp_path)
