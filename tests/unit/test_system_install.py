"""``tests/system/install`` installs only what is missing, and says what it can't install."""

import os
import subprocess
from pathlib import Path

import pytest

SCRIPT = Path(__file__).parents[1] / "system" / "install"
FOUND = "#!/bin/sh\nexit 0\n"


def run_with(tools: dict[str, str], folder: Path) -> subprocess.CompletedProcess[str]:
    """Runs the script with a PATH that holds only `tools`."""
    for name, text in tools.items():
        (folder / name).write_text(text)
        (folder / name).chmod(0o755)
    env = {"PATH": str(folder), "LOG": str(folder / "log")}
    return subprocess.run(["/bin/sh", SCRIPT], env=env, capture_output=True, text=True, check=False)


def test_nothing_is_run_when_all_tools_are_there(tmp_path: Path) -> None:
    ended = run_with({"strace": FOUND, "git": FOUND, "tmux": FOUND}, tmp_path)
    assert (ended.returncode, ended.stdout, ended.stderr) == (0, "", "")


def test_without_apt_get_it_names_what_is_missing(tmp_path: Path) -> None:
    ended = run_with({"git": FOUND, "tmux": FOUND}, tmp_path)
    assert ended.returncode == 1
    assert "missing: strace;" in ended.stderr


@pytest.mark.parametrize("user", ["0", "1000"])
def test_root_installs_and_a_user_is_told_the_command(tmp_path: Path, user: str) -> None:
    apt = '#!/bin/sh\necho "$@" >>"$LOG"\n'
    ended = run_with(
        {"apt-get": apt, "id": f"#!/bin/sh\necho {user}\n", "strace": FOUND, "tmux": FOUND}, tmp_path
    )
    log = tmp_path / "log"
    if user == "0":
        assert ended.returncode == 0
        assert log.read_text().split() == ["install", "-y", "-q", "--no-install-recommends", "git"]
    else:
        assert ended.returncode == 1
        assert "run 'apt-get install git' as root" in ended.stderr
        assert not log.exists()


def test_stale_package_lists_are_updated_once(tmp_path: Path) -> None:
    apt = """#!/bin/sh
echo "$1" >>"$LOG"
if [ "$1" = update ]; then : >"$LOG.fresh"; fi
[ -e "$LOG.fresh" ] || exit 100
"""
    ended = run_with({"apt-get": apt, "id": "#!/bin/sh\necho 0\n"}, tmp_path)
    assert ended.returncode == 0, ended.stderr
    assert (tmp_path / "log").read_text().split() == ["install", "update", "install"]
    assert os.access(SCRIPT, os.X_OK)
