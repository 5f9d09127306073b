"""Nothing that was recorded is lost because a run could not end as it should."""

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from agy_cassettes.cassette import Cassette
from fake_agy.double import write_double
from fake_agy.settings import DoubleSettings
from tests.support.tool import Ended, agy_proxy, summary_of

RECORD = ("record", "c.agy.yaml", "--real", "real/agy", "--home", "temp")


@pytest.fixture
def place(tmp_path: Path) -> Path:
    write_double(tmp_path / "real", DoubleSettings(agy_version="1.2.10"))
    return tmp_path


@pytest.fixture
def unwritable(place: Path) -> Iterator[Path]:
    """A folder with a cassette in it that nobody may write to."""
    folder = place / "unwritable"
    folder.mkdir()
    agy_proxy("record", "unwritable/c.agy.yaml", *RECORD[2:], "--", "agy", "-p", "One.", cwd=place)
    (folder / "c.agy.yaml").chmod(0o444)
    folder.chmod(0o555)
    yield folder
    folder.chmod(0o755)


def without_capabilities(*words: str, cwd: Path) -> Ended:
    """Runs agy-proxy as the same user, but root no longer overrides permissions."""
    drop = (
        "import ctypes\n"
        "libc = ctypes.CDLL(None, use_errno=True)\n"
        "data = (ctypes.c_uint32 * 6)()\n"
        "head = (ctypes.c_uint32 * 2)(0x20080522, 0)\n"
        "assert libc.capset(head, data) == 0\n"
        "import sys\n"
        "from agy_proxy.cli.main import main\n"
        "sys.exit(main())\n"
    )
    ended = subprocess.run(
        [sys.executable, "-c", drop, *words],
        cwd=cwd,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )
    return Ended(ended.returncode, ended.stdout, ended.stderr)


def prompts_in(cassette: Path) -> list[str]:
    return [str(each.request.prompt) for each in Cassette.open(cassette).interactions()]


@pytest.mark.parametrize("mode", ["all", "new_episodes", "rewrite"])
def test_a_cassette_that_cannot_be_written_is_refused_before_a_call_is_made(
    unwritable: Path, mode: str
) -> None:
    words = ("record", "unwritable/c.agy.yaml", "--mode", mode, *RECORD[2:], "--", "touch", "started")

    ended = without_capabilities(*words, cwd=unwritable.parent)

    assert ended.status == 2, ended.stderr
    assert "can't be" in ended.stderr
    assert not (unwritable.parent / "started").exists()
    assert prompts_in(unwritable / "c.agy.yaml") == ["One."]


def test_a_run_that_is_killed_is_saved_by_sync(place: Path) -> None:
    before, after = "agy -p One. >/dev/null; agy -p Two. >/dev/null", "agy -p Three. >/dev/null"
    script = f"{before}; echo ready; read x; {after}; echo done"
    words = [sys.executable, "-m", "agy_proxy", *RECORD, "--", "sh", "-c", script]
    run = subprocess.Popen(words, cwd=place, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert run.stdin is not None
    assert run.stdout is not None
    assert run.stdout.readline() == b"ready\n"
    run.kill()
    run.wait()
    run.stdin.close()
    assert run.stdout.readline() == b"done\n"
    run.stdout.close()

    told = agy_proxy("doctor", "--json", cwd=place).stdout
    ended = agy_proxy("sync", cwd=place)

    assert ended.status == 0, ended.stderr
    assert prompts_in(place / "c.agy.yaml") == ["One.", "Two.", "Three."]
    assert '"journals' in told
    assert agy_proxy("sync", cwd=place).stdout.count("saved") == 0


def test_a_run_that_goes_on_is_left_to_itself_by_sync(place: Path) -> None:
    script = "agy -p One. >/dev/null; echo ready; read x"
    words = [sys.executable, "-m", "agy_proxy", *RECORD, "--", "sh", "-c", script]
    with subprocess.Popen(words, cwd=place, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as run:
        assert run.stdout is not None
        assert run.stdout.readline() == b"ready\n"

        ended = agy_proxy("sync", cwd=place)

        run.communicate(b"\n")
    assert "no shim that records is installed" in ended.stdout
    assert prompts_in(place / "c.agy.yaml") == ["One."]


def test_a_run_that_is_over_leaves_nothing_in_the_state_folder(place: Path) -> None:
    agy_proxy(*RECORD, "--", "agy", "-p", "One.", cwd=place)

    state = Path(os.environ["XDG_STATE_HOME"])
    assert [path for path in state.rglob("*") if path.is_file() and "run-" in str(path)] == []


def test_kept_journals_lie_in_the_state_folder_and_are_private(place: Path) -> None:
    agy_proxy(*RECORD, "--keep-journals", "--", "agy", "-p", "One.", cwd=place)

    (journal,) = Path(os.environ["XDG_STATE_HOME"]).rglob("*.saved")
    assert journal.stat().st_mode & 0o777 == 0o600
    assert journal.parent.stat().st_mode & 0o777 == 0o700


def test_what_could_not_be_saved_is_told_once_and_saved_by_sync_later(place: Path) -> None:
    """A folder takes the cassette's place while the client runs."""
    script = "agy -p One. >/dev/null; mkdir c.agy.yaml"

    ended = agy_proxy(*RECORD, "--summary-json", "s.json", "--", "sh", "-c", script, cwd=place)

    summary = summary_of(place / "s.json")
    assert (ended.status, summary["status"], summary["calls"]) == (125, "incomplete", 1)
    assert len([line for line in ended.stderr.splitlines() if "incomplete" in line]) == 2
    assert "agy-proxy sync" in ended.stderr

    (place / "c.agy.yaml").rmdir()
    assert agy_proxy("sync", cwd=place).status == 0
    assert prompts_in(place / "c.agy.yaml") == ["One."]


def test_a_rewrite_of_a_cassette_that_somebody_else_changed_keeps_both(place: Path) -> None:
    agy_proxy(*RECORD, "--", "agy", "-p", "One.", cwd=place)
    script = "agy -p Two. >/dev/null; printf '# a note\\n' >>c.agy.yaml"

    ended = agy_proxy(*RECORD, "--mode", "rewrite", "--", "sh", "-c", script, cwd=place)

    (fresh,) = place.glob("c.rewrite-*.agy.yaml")
    assert ended.status == 125
    assert fresh.name in ended.stderr
    assert prompts_in(place / "c.agy.yaml") == ["One."]
    assert prompts_in(fresh) == ["Two."]


def test_a_rewrite_leaves_nothing_beside_the_cassette(place: Path) -> None:
    for prompt in ("One.", "Two."):
        agy_proxy(*RECORD, "--mode", "rewrite", "--", "agy", "-p", prompt, cwd=place)

    assert sorted(path.name for path in place.iterdir()) == ["c.agy.yaml", "real"]


def test_a_call_that_is_started_as_the_client_ends_is_recorded(place: Path) -> None:
    script = "(exec agy -p One. >out 2>&1) & exit 0"

    for _ in range(3):
        ended = agy_proxy(*RECORD, "--", "sh", "-c", script, cwd=place)
        assert ended.status == 0, ended.stderr

    assert prompts_in(place / "c.agy.yaml") == ["One."] * 3


@pytest.mark.parametrize("option", ["--home", "--summary-json"])
def test_an_empty_path_is_refused(place: Path, option: str) -> None:
    ended = agy_proxy(*RECORD, option, "", "--", "touch", "started", cwd=place)

    assert ended.status == 2
    assert sorted(path.name for path in place.iterdir()) == ["real"]


def test_a_summary_that_cannot_be_written_is_told_before_the_client_starts(place: Path) -> None:
    ended = agy_proxy(*RECORD, "--summary-json", "real", "--", "touch", "started", cwd=place)

    assert ended.status == 2
    assert not (place / "started").exists()


def test_a_stderr_that_is_full_does_not_hide_how_the_client_ended(place: Path) -> None:
    with Path("/dev/full").open("wb") as full:
        words = [
            sys.executable,
            "-m",
            "agy_proxy",
            *RECORD,
            "--",
            "sh",
            "-c",
            "agy --version >/dev/null; exit 4",
        ]
        ended = subprocess.run(words, cwd=place, stderr=full, stdin=subprocess.DEVNULL, check=False)

    assert ended.returncode == 4


def test_the_environment_can_forbid_the_real_agy_and_nothing_else(place: Path) -> None:
    agy_proxy(*RECORD, "--", "agy", "-p", "One.", cwd=place)

    forbidden = agy_proxy(*RECORD, "--", "agy", "-p", "One.", cwd=place, env={"AGY_PROXY_MODE": "none"})
    missed = agy_proxy(*RECORD, "--", "agy", "-p", "Two.", cwd=place, env={"AGY_PROXY_MODE": "none"})
    misread = agy_proxy(*RECORD, "--", "touch", "started", cwd=place, env={"AGY_PROXY_MODE": "NONE"})

    assert (forbidden.status, missed.status, misread.status) == (0, 125, 2)
    assert not (place / "started").exists()
    assert prompts_in(place / "c.agy.yaml") == ["One."]


def test_a_run_inside_a_run_says_why_it_has_no_agy(place: Path) -> None:
    tool = f"{sys.executable} -m agy_proxy"

    ended = agy_proxy(*RECORD, "--", "sh", "-c", f"{tool} record in.agy.yaml -- agy -p One.", cwd=place)

    assert "inside a run" in ended.stderr


def test_after_a_miss_only_its_explanation_stays(place: Path) -> None:
    agy_proxy(*RECORD, "--", "agy", "-p", "One.", cwd=place)

    agy_proxy("replay", "c.agy.yaml", "--", "agy", "-p", "Two.", cwd=place)

    (folder,) = Path(os.environ["TMPDIR"]).glob("agy-proxy-*")
    assert {path.name for path in folder.iterdir()} == {"misses"}
