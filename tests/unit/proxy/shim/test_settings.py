from pathlib import Path
from typing import Any

import pytest

from agy_proxy.shim.settings import ShimSettings, as_constants


def test_paths_become_bytes_and_what_is_absent_is_left_out(tmp_path: Path) -> None:
    strange = tmp_path / "caf\udce9"
    settings = ShimSettings(mode="record", journal_dir=strange, run_id="r", finish=("/bin/sync", strange))
    constants = as_constants(settings)
    assert constants["journal_dir"] == bytes(tmp_path) + b"/caf\xe9"
    assert constants["finish"] == ("/bin/sync", bytes(tmp_path) + b"/caf\xe9")
    assert "real" not in constants
    assert "replay" not in constants


def test_the_players_keys_stand_beside_the_shims_own(tmp_path: Path) -> None:
    settings = ShimSettings(
        mode="replay", replay={"play_file": tmp_path, "speed": 2.5, "match_on": ["prompt"], "nothing": None}
    )
    constants = as_constants(settings)
    assert (constants["play_file"], constants["speed"]) == (bytes(tmp_path), 2.5)
    assert constants["match_on"] == ("prompt",)
    assert "nothing" not in constants


def test_a_key_of_the_shims_own_can_not_be_overridden(tmp_path: Path) -> None:
    settings = ShimSettings(mode="record", journal_dir=tmp_path, replay={"mode": "passthrough"})
    assert as_constants(settings)["mode"] == "record"


@pytest.mark.parametrize(
    ("given", "what"),
    [({"mode": "record"}, "journal_dir"), ({"mode": "auto"}, "journal_dir"), ({"mode": "fake"}, "double")],
)
def test_settings_that_can_not_work_are_refused(given: dict[str, Any], what: str) -> None:
    with pytest.raises(ValueError, match=what):
        ShimSettings(**given)


def test_only_what_can_be_written_as_a_constant_is_baked_in() -> None:
    with pytest.raises(TypeError, match="can't be baked"):
        as_constants(ShimSettings(mode="replay", replay={"play_file": object()}))
