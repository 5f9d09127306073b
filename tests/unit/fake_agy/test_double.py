import subprocess
from pathlib import Path

import pytest

from agy_cassettes.errors import UserError
from fake_agy.double import SHEBANG_MAX, double_script, is_double, write_double
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
