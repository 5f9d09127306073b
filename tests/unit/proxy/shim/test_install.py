import os
from pathlib import Path

import pytest

from agy_cassettes.errors import UserError
from agy_proxy.shim.install import Install, forget, install, list_installs, state_folder, uninstall
from agy_proxy.shim.isolated.real import is_shim, read_head
from agy_proxy.shim.settings import ShimSettings

ENV = os.environ


def _settings(made: Install) -> ShimSettings:
    return ShimSettings(mode="record", journal_dir=state_folder(ENV).journals(made.id), run_id=made.id)


def _install(folder: Path) -> Install:
    return install(
        folder, _settings, verb="record", env=ENV, options={"mode": "all"}, cassette=folder / "c.agy.yaml"
    )


def test_an_install_is_a_shim_a_listing_and_private_folders(tmp_path: Path) -> None:
    made = _install(tmp_path / "bin")
    assert is_shim(read_head(os.fsencode(tmp_path / "bin" / "agy")))
    assert list_installs(ENV) == (made,)
    assert (made.verb, made.cassette) == ("record", str(tmp_path / "bin" / "c.agy.yaml"))
    places = state_folder(ENV)
    for private in (places.base, places.installs, places.journals(made.id), places.state(made.id)):
        assert private.stat().st_mode & 0o777 == 0o700


def test_installing_again_replaces_the_install(tmp_path: Path) -> None:
    first = _install(tmp_path / "bin")
    again = install(tmp_path / "bin", _settings, verb="replay", env=ENV)
    assert again.id == first.id
    assert [each.verb for each in list_installs(ENV)] == ["replay"]


@pytest.mark.parametrize("kind", ["file", "folder", "dangling link"])
def test_an_agy_that_is_not_ours_is_left_alone(tmp_path: Path, kind: str) -> None:
    agy = tmp_path / "agy"
    if kind == "file":
        agy.write_text("#!/bin/sh\nexec real\n")
    elif kind == "folder":
        agy.mkdir()
    else:
        agy.symlink_to("nowhere")
    with pytest.raises(UserError, match="is not a shim of agy-proxy and is left alone"):
        _install(tmp_path)
    with pytest.raises(UserError, match="is not a shim of agy-proxy and is left alone"):
        uninstall(tmp_path, env=ENV)
    assert agy.is_symlink() or agy.exists()
    assert list_installs(ENV) == ()


def test_uninstalling_takes_away_shim_and_listing(tmp_path: Path) -> None:
    made = _install(tmp_path / "bin")
    removed = uninstall(tmp_path / "bin", env=ENV)
    assert removed is not None
    assert (removed.id, removed.removed) == (made.id, True)
    assert not (tmp_path / "bin" / "agy").exists()
    assert list_installs(ENV) == ()


def test_an_install_stays_listed_while_journals_are_left(tmp_path: Path) -> None:
    made = _install(tmp_path / "bin")
    journal = state_folder(ENV).journals(made.id) / "1-2.journal"
    journal.write_bytes(b"")
    removed = uninstall(tmp_path / "bin", env=ENV)
    assert removed is not None
    assert list_installs(ENV) == (removed,)
    assert not forget(removed, env=ENV)
    journal.unlink()
    assert forget(removed, env=ENV)
    assert list_installs(ENV) == ()


def test_uninstalling_what_is_not_there_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="nothing to uninstall"):
        uninstall(tmp_path, env=ENV)


def test_a_shim_that_is_not_listed_is_taken_away_too(tmp_path: Path) -> None:
    _install(tmp_path / "bin")
    elsewhere = {**ENV, "XDG_STATE_HOME": str(tmp_path / "other")}
    assert uninstall(tmp_path / "bin", env=elsewhere) is None
    assert not (tmp_path / "bin" / "agy").exists()


def test_a_listing_that_can_not_be_read_is_left_out(tmp_path: Path) -> None:
    made = _install(tmp_path / "bin")
    (state_folder(ENV).installs / "broken.json").write_text("{")
    (state_folder(ENV).installs / "newer.json").write_text('{"id": "x", "unknown": 1}')
    assert list_installs(ENV) == (made,)


@pytest.mark.parametrize(
    ("env", "base"),
    [
        ({"HOME": "/home/x"}, "/home/x/.local/state/agy-proxy"),
        ({"HOME": "/home/x", "XDG_STATE_HOME": "/state"}, "/state/agy-proxy"),
        ({"HOME": "/home/x", "XDG_STATE_HOME": "relative"}, "/home/x/.local/state/agy-proxy"),
    ],
)
def test_the_state_folder_follows_the_environment(env: dict[str, str], base: str) -> None:
    assert state_folder(env).base == Path(base)


def test_without_a_home_there_is_no_state_folder() -> None:
    with pytest.raises(UserError, match="neither HOME nor XDG_STATE_HOME"):
        state_folder({})


def test_a_folder_that_can_not_be_written_is_an_error_in_one_line(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(UserError, match=r"can't be made: not a directory; name one"):
        _install(tmp_path / "file" / "bin")
