"""The doctor tells a fault from what is merely so, and what to do about it."""

import os
import subprocess
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
