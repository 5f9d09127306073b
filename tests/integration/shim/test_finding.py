"""Which agy is run: the real one, never a shim, however it is spelled."""

import os
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from agy_proxy.shim.script import interpreter, write_shim
from agy_proxy.shim.settings import ShimSettings
from tests.support.direct_or_shim import (
    PATIENCE,
    Agy,
    direct_agy,
    environment,
    processes_of,
    program,
    recorded_agy,
    shim_before,
)

Make = Callable[..., Agy]


def _found(shim: Agy, *folders: Path | str, **env: str) -> "subprocess.CompletedProcess[bytes]":
    path = os.pathsep.join([*map(str, folders), "/usr/bin", "/bin"])
    return shim.run(env={**environment(PATH=path), **env})


def test_the_first_agy_on_path_is_run_past_every_spelling_of_the_shim(tmp_path: Path) -> None:
    shim = shim_before(None, tmp_path)
    program(tmp_path / "first", "echo first\n", sh=True)
    program(tmp_path / "second", "echo second\n", sh=True)
    here = shim.path.parent
    (tmp_path / "linked").symlink_to(here)
    (tmp_path / "link").mkdir()
    (tmp_path / "link" / "agy").symlink_to(shim.path)
    (tmp_path / "hard").mkdir()
    (tmp_path / "hard" / "agy").hardlink_to(shim.path)
    (tmp_path / "folder" / "agy").mkdir(parents=True)
    others = [tmp_path / name for name in ("linked", "link", "hard", "folder", "first")]
    folders = [here, f"{here}/", f"{here}/../bin", "bin", *others, "second"]
    path = os.pathsep.join(map(str, folders))
    ended = shim.run(env=environment(PATH=path), cwd=tmp_path)
    assert (ended.stdout, ended.stderr) == (b"first\n", b"")


def test_another_shim_of_ours_is_passed_over(tmp_path: Path) -> None:
    shim = shim_before(None, tmp_path)
    other = shim_before(None, tmp_path / "other")
    program(tmp_path / "real", "echo real\n", sh=True)
    assert _found(shim, shim.path.parent, other.path.parent, tmp_path / "real").stdout == b"real\n"
    assert _found(other, shim.path.parent, other.path.parent, tmp_path / "real").stdout == b"real\n"


def test_the_agy_in_the_local_folder_is_the_last_resort(tmp_path: Path, home: Path) -> None:
    shim = shim_before(None, tmp_path)
    program(home / ".local" / "bin", "echo local\n", sh=True)
    assert _found(shim, shim.path.parent).stdout == b"local\n"


def test_without_an_agy_the_status_is_127(tmp_path: Path) -> None:
    shim = shim_before(None, tmp_path)
    ended = _found(shim, shim.path.parent)
    assert ended.returncode == 127
    assert ended.stderr == b"agy-proxy: the real agy was not found on PATH or in ~/.local/bin\n"


def test_an_agy_that_is_not_executable_is_status_126(tmp_path: Path) -> None:
    shim = shim_before(None, tmp_path)
    real = program(tmp_path / "real", "echo real\n", sh=True)
    real.chmod(0o644)
    ended = _found(shim, shim.path.parent, real.parent)
    assert ended.returncode == 126
    assert ended.stderr == f"agy-proxy: the real agy, {real}, can't be executed\n".encode()


@pytest.mark.parametrize(
    ("how", "status", "why"),
    [
        ("missing", 127, "no such file or directory"),
        ("plain", 126, "permission denied"),
        ("folder", 126, "permission denied"),
        ("binary", 126, "exec format error"),
    ],
)
def test_a_given_agy_that_can_not_be_run_ends_as_a_shell_would(
    tmp_path: Path, how: str, status: int, why: str
) -> None:
    real = tmp_path / "real"
    if how == "plain":
        real.write_text("x")
    elif how == "folder":
        real.mkdir()
    elif how == "binary":
        real.write_bytes(b"\x01\x00\x02")
        real.chmod(0o755)
    ended = shim_before(real, tmp_path).run()
    assert (ended.returncode, ended.stderr) == (status, f"agy-proxy: {real}: {why}\n".encode())
    shell = subprocess.run(["bash", "-c", f"'{real}'"], capture_output=True, check=False)
    assert ended.returncode == shell.returncode


@pytest.mark.parametrize("text", ['echo "$@"; exit 4\n', ""], ids=["words", "empty"])
def test_a_script_without_an_interpreter_line_is_run_by_sh(tmp_path: Path, text: str) -> None:
    real = tmp_path / "real"
    real.write_text(text)
    real.chmod(0o755)
    ended = shim_before(real, tmp_path).run("a", "b c")
    assert (ended.stdout, ended.returncode) == ((b"a b c\n", 4) if text else (b"", 0))


def test_a_shim_given_as_the_real_agy_is_refused(tmp_path: Path) -> None:
    inner = shim_before(None, tmp_path / "inner")
    ended = shim_before(inner.path, tmp_path).run()
    assert ended.returncode == 125
    assert ended.stderr.endswith(b"was given as the real agy and is a shim itself\n")


@pytest.mark.parametrize("how", ["exec agy", "agy"])
def test_a_script_that_calls_the_shim_again_is_stopped(tmp_path: Path, how: str) -> None:
    shim = shim_before(None, tmp_path)
    program(tmp_path / "wrapper", f'{how} "$@"\n', sh=True)
    ended = _found(shim, shim.path.parent, tmp_path / "wrapper")
    assert ended.returncode == 125
    assert b"was found as the real agy and calls this shim again\n" in ended.stderr
    assert processes_of(tmp_path) == []


def test_an_agy_that_calls_agy_is_recorded_too(tmp_path: Path) -> None:
    shim = shim_before(None, tmp_path)
    program(tmp_path / "real", 'if [ "$1" ]; then agy; else echo inner; fi\n', sh=True)
    path = os.pathsep.join([str(shim.path.parent), str(tmp_path / "real"), "/usr/bin:/bin"])
    ended = shim.run("outer", env=environment(PATH=path))
    assert ended.stdout == b"inner\n"
    assert len(list(shim.journals.iterdir())) == 2


PLACES = {
    "plain": "short",
    "white space": "a folder with  spaces",
    "quotes and dollars": 'it\'s $HOME `x` "q"',
    "too long": "long" + 12 * "/0123456789",
    "not ascii": "caf\u00e9 \u4f60",
}


@pytest.mark.parametrize("place", PLACES.values(), ids=PLACES.keys())
@pytest.mark.parametrize("through", ["direct", "shim"])
def test_an_interpreter_under_any_path_changes_nothing(tmp_path: Path, place: str, through: str) -> None:
    text = "import os\nos.write(1, open('/proc/self/environ', 'rb').read())\nos._exit(7)\n"
    target = (recorded_agy if through == "shim" else direct_agy)(tmp_path, text)
    if target.settings is not None:
        python = tmp_path / place / "python3"
        python.parent.mkdir(parents=True)
        python.symlink_to(interpreter())
        (bundle,) = (tmp_path / "bundle").glob("*.bundle")
        write_shim(target.path.parent, target.settings, bundle=bundle, python=python)
        assert len(target.path.read_bytes().partition(b"\n")[0]) <= 127
    env = {"Z": "1", "PATH": "/usr/bin:/bin", "a-b": "no shell keeps this", "LANG": "C", "PWD": "/", "_": "x"}
    ended = target.run("-p", "a  b", env=env)
    given = b"".join(f"{name}={value}\0".encode() for name, value in env.items())
    assert (ended.stdout, ended.stderr, ended.returncode) == (given, b"", 7)
    if target.recorded:
        start = target.journal().start
        assert start is not None
        assert start.argv == (b"agy", b"-p", b"a  b")
        assert [*(tmp_path / "bundle").glob("*.env-*")] == []


def test_a_stale_bundle_is_replaced_by_the_sources(shim: Make, tmp_path: Path) -> None:
    target = shim("echo x\n", sh=True)
    for damage in (b"", b"\0" * 100, None):
        for bundle in (tmp_path / "bundle").glob("*.bundle"):
            if damage is None:
                bundle.unlink()
            else:
                bundle.write_bytes(damage)
        ended = target.run()
        assert (ended.stdout, ended.stderr) == (b"x\n", b"")
    assert len(list(target.journals.iterdir())) == 3


def test_without_any_code_of_ours_the_shim_becomes_agy(shim: Make, tmp_path: Path) -> None:
    target = shim("echo $$\n", sh=True)
    text = target.path.read_text().replace(str(Path(__file__).parents[3]), "/nowhere")
    target.path.write_text(text)
    for bundle in (tmp_path / "bundle").glob("*.bundle"):
        bundle.unlink()
    running = target.start()
    assert running.communicate(timeout=PATIENCE) == (b"%d\n" % running.pid, b"")
    assert target.settings is not None
    lost = ShimSettings(mode="replay", replay={"play_file": tmp_path / "play"})
    write_shim(target.path.parent, lost, bundle=tmp_path / "no.bundle")
    target.path.write_text(target.path.read_text().replace(str(Path(__file__).parents[3]), "/nowhere"))
    ended = target.run()
    assert (ended.returncode, ended.stdout) == (125, b"")
    assert ended.stderr.startswith(b"agy-proxy: this shim's package is gone")


@pytest.mark.parametrize("mode", ["none", "replay"])
def test_a_variable_may_forbid_the_real_agy(shim: Make, mode: str) -> None:
    target = shim("echo real\n", sh=True)
    ended = target.run(env=environment(AGY_PROXY_MODE=mode))
    assert (ended.stdout, ended.returncode) == (b"", 125)
    assert ended.stderr.startswith(b"agy-proxy: AGY_PROXY_MODE forbids the real agy")


def test_a_variable_that_is_misspelt_forbids_the_real_agy_too(shim: Make) -> None:
    target = shim("echo real\n", sh=True)
    ended = target.run(env=environment(AGY_PROXY_MODE="NONE"))
    assert (ended.stdout, ended.returncode) == (b"", 125)
    assert ended.stderr == b"agy-proxy: AGY_PROXY_MODE is no record mode; use none, or unset it\n"


@pytest.mark.parametrize("mode", ["all", "record", "passthrough", ""])
def test_no_variable_allows_the_real_agy(tmp_path: Path, mode: str) -> None:
    target = shim_before(Path("/bin/echo"), tmp_path, mode="replay")
    ended = target.run("real", env=environment(AGY_PROXY_MODE=mode))
    assert (ended.stdout, ended.returncode) == (b"", 125)
