"""The doctor tells a fault from what is merely so, and what to do about it."""

import os
import re
import resource
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from agy_cassettes.interaction import Recorded
from agy_proxy import doctor
from agy_proxy.shim.install import Install, StateFolder
from tests.support.cassettes import cassette_of
from tests.support.interactions import AT, BY, interaction


def agy_in(folder: Path, text: str) -> Path:
    folder.mkdir(exist_ok=True)
    path = folder / "agy"
    path.write_text(text)
    path.chmod(0o755)
    return path


def path_of(*folders: Path) -> dict[str, str]:
    return {"PATH": os.pathsep.join([*map(str, folders), "/usr/bin", "/bin"])}


def test_the_real_agy_is_the_first_that_is_not_ours(tmp_path: Path) -> None:
    agy_in(tmp_path / "shim", "#!/usr/bin/python3 -IS\n# agy-proxy shim: stands\n")
    agy_in(tmp_path / "double", "#!/usr/bin/python3 -IS\n# agy-proxy double\n")
    real = agy_in(tmp_path / "real", "#!/bin/sh\necho 1.2.10\n")
    env = path_of(tmp_path / "shim", tmp_path / "double", tmp_path / "real")
    assert doctor.check_real_agy(env) == doctor.Check("real agy", ok=True, found=f"{real}, version 1.2.10")
    assert "a shim of ours" in doctor.check_shell(env).found


def test_to_have_no_agy_is_no_fault(tmp_path: Path) -> None:
    assert doctor.check_real_agy({"PATH": str(tmp_path)}).ok
    assert doctor.check_shell({"PATH": str(tmp_path)}).found == "none"


def test_an_agy_that_does_not_start_is_a_fault(tmp_path: Path) -> None:
    agy_in(tmp_path / "real", "#!/bin/sh\nexit 3\n")
    check = doctor.check_real_agy(path_of(tmp_path / "real"))
    assert (check.ok, check.do) == (False, f"run {tmp_path / 'real' / 'agy'} --version")


def installed(tmp_path: Path, **facts: Any) -> tuple[Install, StateFolder]:
    agy_in(tmp_path / "bin", "#!/usr/bin/python3 -IS\n# agy-proxy shim: stands\n")
    made = Install(**{"id": "1", "folder": str(tmp_path / "bin"), "verb": "record", **facts})
    return made, StateFolder(tmp_path / "state")


def test_an_installed_shim_is_named_with_what_it_does(tmp_path: Path) -> None:
    install, _ = installed(tmp_path)
    assert doctor.check_installs([install]).found == f"{tmp_path / 'bin' / 'agy'} (record)"
    assert doctor.check_installs([]).found == "none"


@pytest.mark.parametrize(
    ("facts", "told"),
    [
        ({"version": "0.0.1"}, "was written by version 0.0.1"),
        ({"options": {"real": "/no/agy"}}, "stands in front of /no/agy, which can't be executed"),
        ({"verb": "replay", "cassette": "/no/a.agy.yaml"}, "replays /no/a.agy.yaml, which is not there"),
        ({"folder": "/no"}, "is gone, or is no shim any more"),
    ],
)
def test_a_shim_that_can_not_work_is_a_fault(tmp_path: Path, facts: dict[str, Any], told: str) -> None:
    install, _ = installed(tmp_path, **facts)
    check = doctor.check_installs([install])
    assert not check.ok
    assert told in check.found


def test_a_shim_that_was_removed_is_not_missed(tmp_path: Path) -> None:
    install, _ = installed(tmp_path, folder="/no", removed=True)
    assert doctor.check_installs([install]) == doctor.Check("installed shims", ok=True, found="none")


def a_state_folder(tmp_path: Path) -> tuple[Install, StateFolder]:
    install, places = installed(tmp_path)
    for folder in (places.journals("1"), places.state("1")):
        folder.mkdir(parents=True)
    return install, places


def test_a_state_folder_that_can_be_written_to_is_left_as_it_was(tmp_path: Path) -> None:
    install, places = a_state_folder(tmp_path)
    assert doctor.check_state([install], places).ok
    assert [path for path in places.base.rglob("*") if path.is_file()] == []


def test_a_state_folder_is_looked_at_only_where_an_installed_shim_records(tmp_path: Path) -> None:
    for install, places in (
        installed(tmp_path, verb="replay"),
        installed(tmp_path, removed=True),
        installed(tmp_path, options={"run_pid": 1, "run_began": 1.0}),
    ):
        assert doctor.check_state([install], places).ok


@pytest.mark.parametrize("missing", ["journals", "state"])
def test_a_state_folder_that_is_gone_is_a_fault(tmp_path: Path, missing: str) -> None:
    install, places = a_state_folder(tmp_path)
    (places.base / missing / "1").rmdir()
    check = doctor.check_state([install], places)
    assert (check.ok, check.found) == (False, f"{places.base / missing / '1'}: no such file or directory")


def test_a_state_folder_with_little_room_is_a_fault(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    install, places = a_state_folder(tmp_path)
    monkeypatch.setattr(doctor, "LITTLE_ROOM", 1 << 80)
    check = doctor.check_state([install], places)
    assert (check.ok, "little room left on its disk" in check.found) == (False, True)


WHERE_PERMISSIONS_COUNT = ("setpriv", "--bounding-set=-dac_override,-dac_read_search", "--inh-caps=-all")
"""Root may write anywhere."""


@pytest.mark.system
def test_a_call_that_a_read_only_state_folder_lost_shows_in_the_doctor(tmp_path: Path) -> None:
    prefix = list(WHERE_PERMISSIONS_COUNT) if os.geteuid() == 0 else []
    state = tmp_path / "state"
    env = {**os.environ, "XDG_STATE_HOME": str(state)}
    agy = agy_in(tmp_path / "real", "#!/bin/sh\necho 1.2.10\n")
    tool = [sys.executable, "-m", "agy_proxy"]
    install = [*tool, "install", "bin", "--record", "a.agy.yaml", "--real", str(agy)]
    subprocess.run(install, cwd=tmp_path, env=env, check=True, capture_output=True)
    folders = [path for path in state.rglob("*") if path.is_dir()]
    try:
        for folder in folders:
            folder.chmod(0o500)
        called = subprocess.run([*prefix, tmp_path / "bin" / "agy"], env=env, capture_output=True, check=True)
        told = subprocess.run(
            [*prefix, *tool, "doctor"], cwd=tmp_path, env=env, text=True, capture_output=True, check=False
        )
    finally:
        for folder in folders:
            folder.chmod(0o700)
    assert (called.stdout, called.stderr, told.returncode) == (b"1.2.10\n", b"", 1)
    assert re.search(r"fault  state folder: .*/journals/.*: permission denied\n       make ", told.stdout)


def test_a_full_state_folder_is_a_fault(tmp_path: Path) -> None:
    install, places = a_state_folder(tmp_path)
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (4096, limits[1]))
    try:
        check = doctor.check_state([install], places)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    assert (check.ok, check.found) == (False, f"{places.journals('1')}: file too large")


def test_a_journal_that_is_not_synced_is_a_fault(tmp_path: Path) -> None:
    install, places = installed(tmp_path)
    assert doctor.check_journals([install], places).ok
    places.journals("1").mkdir(parents=True)
    (places.journals("1") / "1764556800000000000-77.journal").touch()
    check = doctor.check_journals([install], places)
    assert (check.ok, check.found, check.do) == (False, f"1 of {tmp_path / 'bin'}", "run agy-proxy sync")


def test_recording_trouble_is_told_by_its_last_line(tmp_path: Path) -> None:
    install, places = installed(tmp_path)
    assert doctor.check_errors([install], places).ok
    places.state("1").mkdir(parents=True)
    places.errors_log("1").write_text("first\nno space left on device\n")
    check = doctor.check_errors([install], places)
    assert (check.ok, check.found.endswith("no space left on device")) == (False, True)


@pytest.mark.parametrize(
    ("instances", "watches", "do"),
    [
        ("128", "65536", None),
        ("8", "65536", "sysctl fs.inotify.max_user_instances=16"),
        ("1", "2", "sysctl fs.inotify.max_user_instances=16; sysctl fs.inotify.max_user_watches=1024"),
    ],
)
def test_low_inotify_limits_are_a_fault(tmp_path: Path, instances: str, watches: str, do: str | None) -> None:
    (tmp_path / "max_user_instances").write_text(instances)
    (tmp_path / "max_user_watches").write_text(watches)
    check = doctor.check_inotify(tmp_path)
    assert (check.ok, check.do) == (do is None, do)


def test_a_system_without_inotify_is_no_fault(tmp_path: Path) -> None:
    assert doctor.check_inotify(tmp_path).ok


@pytest.mark.system
def test_a_cassette_that_git_would_merge_by_lines_is_a_fault(tmp_path: Path) -> None:
    cassette = cassette_of(tmp_path / "a.agy.yaml", [interaction()])
    assert doctor.check_gitattributes([cassette]).ok
    subprocess.run(["git", "init", "-q", tmp_path], check=True)
    check = doctor.check_gitattributes([cassette])
    assert (check.ok, str(cassette) in check.found) == (False, True)
    (tmp_path / ".gitattributes").write_text("*.agy.yaml -merge\n")
    assert doctor.check_gitattributes([cassette]).ok


def test_records_made_without_redaction_are_a_fault(tmp_path: Path) -> None:
    good = cassette_of(tmp_path / "a.agy.yaml", [interaction()])
    off = Recorded(at=AT, by=BY, redaction="off")
    bad = cassette_of(tmp_path / "b.agy.yaml", [interaction(recorded=off)])
    assert doctor.check_redaction([good]).ok
    check = doctor.check_redaction([good, bad])
    assert (check.ok, str(bad) in check.found) == (False, True)


def test_a_cassette_that_can_not_be_read_is_a_fault(tmp_path: Path) -> None:
    (tmp_path / "a.agy.yaml").write_text("version: 7\n")
    check = doctor.check_redaction([tmp_path / "a.agy.yaml"])
    assert (check.ok, check.do) == (False, "run agy-proxy verify on it")


def test_hidden_folders_and_sidecars_are_not_searched(tmp_path: Path) -> None:
    for place in ("a.agy.yaml", "sub/b.agy.yaml", ".git/c.agy.yaml", "a.agy.yaml.d/d.agy.yaml", "notes.yaml"):
        (tmp_path / place).parent.mkdir(exist_ok=True)
        if not (tmp_path / place).exists():
            (tmp_path / place).touch()
    assert doctor.cassettes_below(tmp_path) == (tmp_path / "a.agy.yaml", tmp_path / "sub" / "b.agy.yaml")
    assert len(doctor.cassettes_below(tmp_path, most=1)) == 1


def test_libyaml_is_looked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(doctor, "HAS_LIBYAML", False)
    assert not doctor.check_libyaml().ok
