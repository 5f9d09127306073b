import signal
import subprocess
import sys
from pathlib import Path

import pytest

from agy_cassettes.errors import UserError
from fake_agy.double import EARLY, SHEBANG_MAX, double_script, is_double, remove_double, write_double
from fake_agy.settings import DoubleSettings


def test_a_double_is_an_executable_named_agy_with_an_absolute_interpreter(tmp_path: Path) -> None:
    path = write_double(tmp_path / "new" / "bin", DoubleSettings())
    assert path == tmp_path / "new" / "bin" / "agy"
    assert path.stat().st_mode & 0o777 == 0o755
    assert path.read_text().startswith("#!/")
    assert is_double(path)
    assert [item.name for item in path.parent.iterdir()] == ["agy"]


def test_a_double_is_written_anew_over_a_double(tmp_path: Path) -> None:
    write_double(tmp_path, DoubleSettings(seed=1))
    assert b"seed=2" in write_double(tmp_path, DoubleSettings(seed=2)).read_bytes()


def test_an_agy_that_is_no_double_is_left_alone(tmp_path: Path) -> None:
    real = tmp_path / "agy"
    real.write_bytes(b"\x7fELF")
    with pytest.raises(UserError, match="is not a double"):
        write_double(tmp_path, DoubleSettings())
    assert real.read_bytes() == b"\x7fELF"


def test_a_folder_named_agy_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "agy").mkdir()
    with pytest.raises(UserError, match="is not a double"):
        write_double(tmp_path, DoubleSettings())


def test_a_file_where_the_folder_should_be_is_named(tmp_path: Path) -> None:
    (tmp_path / "bin").write_text("")
    with pytest.raises(UserError, match=r"/bin is a file; name a folder"):
        write_double(tmp_path / "bin", DoubleSettings())


def test_a_folder_that_can_not_be_made_or_written_is_named() -> None:
    for folder in (Path("/proc/x"), Path("/proc/self")):
        with pytest.raises(UserError, match=r"; name (one|a folder) that you may write to") as refused:
            write_double(folder, DoubleSettings())
        assert ".agy." not in refused.value.message


def test_folders_that_were_made_for_a_double_go_with_it(tmp_path: Path) -> None:
    path = write_double(tmp_path / "a" / "b", DoubleSettings())
    write_double(path.parent, DoubleSettings(seed=2))
    remove_double(path)
    assert list(tmp_path.iterdir()) == []


def test_folders_that_hold_something_else_or_were_there_stay(tmp_path: Path) -> None:
    (tmp_path / "there").mkdir()
    remove_double(write_double(tmp_path / "there", DoubleSettings()))
    path = write_double(tmp_path / "a" / "b", DoubleSettings())
    (tmp_path / "a" / "mine").write_text("")
    remove_double(path)
    assert sorted(each.name for each in tmp_path.rglob("*")) == ["a", "mine", "there"]


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_double_that_is_interrupted_before_it_has_begun_exits_1_in_silence(number: int) -> None:
    program = f"{EARLY.decode()}\nimport os\nos.kill(os.getpid(), {int(number)})\nprint('went on')"
    done = subprocess.run([sys.executable, "-IS", "-c", program], capture_output=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (1, b"", b"")


def test_a_double_stands_ready_for_an_interrupt_before_it_imports_anything() -> None:
    script = double_script(DoubleSettings(), interpreter=Path("/usr/bin/python3"))
    assert script.index(EARLY) < script.index(b"import sys")


def test_a_time_that_is_none_is_refused_with_an_example(tmp_path: Path) -> None:
    with pytest.raises(UserError, match=r"'bogus' is not a time such as 2026-06-20T10:33:40Z"):
        write_double(tmp_path, DoubleSettings(clock="bogus"))


def test_a_link_named_agy_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "agy").symlink_to(write_double(tmp_path / "elsewhere", DoubleSettings()))
    with pytest.raises(UserError, match="is not a double"):
        write_double(tmp_path, DoubleSettings())


@pytest.mark.parametrize(
    "settings",
    [
        DoubleSettings(agy_version="new"),
        DoubleSettings(agy_version="0.9.0"),
        DoubleSettings(speed=0.0),
        DoubleSettings(speed=float("nan")),
        DoubleSettings(clock="noon"),
        DoubleSettings(home="relative"),
    ],
)
def test_settings_no_double_can_have_are_refused(settings: DoubleSettings, tmp_path: Path) -> None:
    with pytest.raises(UserError):
        write_double(tmp_path, settings)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("folder", ["with blank", "it's $HOME `x`", "x" * SHEBANG_MAX])
def test_an_awkward_interpreter_is_started_through_sh(folder: str, tmp_path: Path) -> None:
    interpreter = tmp_path / folder / "python"
    interpreter.parent.mkdir()
    interpreter.write_text('#!/bin/sh\nprintf "%s|" "$@"\n')
    interpreter.chmod(0o755)
    script = tmp_path / "agy"
    script.write_bytes(double_script(DoubleSettings(), interpreter=interpreter))
    script.chmod(0o755)
    assert script.read_bytes().startswith(b"#!/bin/sh\n")
    compile(script.read_bytes(), "agy", "exec")
    done = subprocess.run([script, "-p", "a b", ""], capture_output=True, check=True)
    assert done.stdout.decode() == f"-IS|{script}|-p|a b||"


def test_an_interpreter_whose_path_can_not_be_quoted_is_refused() -> None:
    with pytest.raises(UserError, match="move that Python"):
        double_script(DoubleSettings(), interpreter=Path("/a \\N/python"))
