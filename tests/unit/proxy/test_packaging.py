"""What is built: the three packages, nothing under a name that others use, and two commands that start."""

import email
import os
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from configparser import ConfigParser
from pathlib import Path, PurePosixPath

import pytest

import agy_cassettes
import agy_proxy
import fake_agy

ROOT = Path(__file__).parents[3]
PACKAGES = {"agy_cassettes": "cassettes", "fake_agy": "fake_agy", "agy_proxy": "proxy"}


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("built")
    command = [sys.executable, "-m", "hatchling", "build", "-d", str(folder)]
    subprocess.run(command, cwd=ROOT, check=True, capture_output=True)
    return folder


@pytest.fixture(scope="module")
def wheel(built: Path) -> Path:
    (found,) = built.glob("*.whl")
    return found


@pytest.fixture(scope="module")
def unpacked(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("unpacked")
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(folder)
    return folder


def files_in_source(package: str) -> set[str]:
    """Every file of the package's source but what the interpreter leaves there."""
    folder = ROOT / PACKAGES[package]
    found = (path.relative_to(folder) for path in (folder / package).rglob("*") if path.is_file())
    return {str(path) for path in found if "__pycache__" not in path.parts}


@pytest.mark.parametrize("package", PACKAGES)
def test_the_wheel_holds_every_file_of_a_package(unpacked: Path, package: str) -> None:
    inside = {str(path.relative_to(unpacked)) for path in (unpacked / package).rglob("*") if path.is_file()}
    assert inside == files_in_source(package)
    assert f"{package}/py.typed" in inside


def test_the_shipped_cassettes_are_in_the_wheel(unpacked: Path) -> None:
    assert list((unpacked / "agy_cassettes" / "library").glob("*.yaml"))


def test_the_wheel_has_no_top_level_name_but_the_three_packages(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        top = {PurePosixPath(name).parts[0] for name in archive.namelist()}
    assert {name for name in top if not name.endswith(".dist-info")} == set(PACKAGES)


def entry_points(unpacked: Path) -> dict[str, dict[str, str]]:
    """What the wheel registers, by group and name."""
    (points,) = unpacked.glob("*.dist-info/entry_points.txt")
    parser = ConfigParser()
    parser.read(points, encoding="utf-8")
    return {group: dict(parser[group]) for group in parser.sections()}


def commands(unpacked: Path) -> dict[str, str]:
    """The console scripts that the wheel installs, by name."""
    return entry_points(unpacked)["console_scripts"]


def test_the_wheel_registers_two_commands_and_a_plugin_of_pytest(unpacked: Path) -> None:
    points = entry_points(unpacked)
    assert set(points) == {"console_scripts", "pytest11"}
    assert points["pytest11"] == {"agy_proxy": "agy_proxy.pytest_plugin"}


def test_the_wheel_installs_no_command_named_agy(unpacked: Path) -> None:
    assert set(commands(unpacked)) == {"agy-proxy", "fake-agy"}


@pytest.mark.parametrize("name", ["agy-proxy", "fake-agy"])
def test_a_command_of_the_wheel_starts_from_the_wheel(unpacked: Path, name: str, tmp_path: Path) -> None:
    module, _, function = commands(unpacked)[name].partition(":")
    start = (
        f"import sys; sys.path.insert(0, {str(unpacked)!r}); sys.argv = [{name!r}, '--help']\n"
        f"import {module} as command\n"
        f"assert command.__file__.startswith({str(unpacked)!r}), command.__file__\n"
        f"sys.exit(command.{function}())"
    )
    ended = subprocess.run(
        [sys.executable, "-c", start], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert (ended.returncode, ended.stderr) == (0, "")
    assert f"Usage: {name}" in ended.stdout


@pytest.mark.parametrize("name", ["agy-proxy", "fake-agy"])
def test_an_installed_command_starts(name: str, tmp_path: Path) -> None:
    command = Path(sys.executable).parent / name
    ended = subprocess.run([command, "--help"], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert (ended.returncode, ended.stderr) == (0, "")


def test_the_source_archive_holds_what_builds_and_tests_it(built: Path) -> None:
    (archive,) = built.glob("*.tar.gz")
    with tarfile.open(archive) as members:
        names = {str(PurePosixPath(*PurePosixPath(name).parts[1:])) for name in members.getnames()}
    wanted = {"pyproject.toml", "README.md", "LICENSE", "CHANGELOG.md", "Makefile", "requirements.lock"}
    wanted |= {"tests/conftest.py", "tests/system/install", "docs/why.md", "proxy/README.md"}
    assert wanted <= names
    assert not [name for name in names if "__pycache__" in name or name.startswith((".venv", ".cache"))]


@pytest.mark.parametrize("module", [agy_cassettes, fake_agy, agy_proxy], ids=lambda module: module.__name__)
def test_a_package_is_no_empty_namespace(module: object) -> None:
    assert os.path.basename(str(getattr(module, "__file__", None))) == "__init__.py"  # noqa: PTH119 - may be None


def test_the_version_is_that_of_the_distribution(unpacked: Path) -> None:
    (metadata,) = unpacked.glob("*.dist-info/METADATA")
    assert email.message_from_string(metadata.read_text("utf-8"))["Version"] == agy_proxy.VERSION
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    assert project["version"] == agy_proxy.VERSION


def test_every_dependency_is_justified_in_the_docs() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    text = (ROOT / "docs" / "explanation" / "dependencies.md").read_text("utf-8")
    names = [each.split(">")[0] for each in project["project"]["dependencies"]]
    names += [each.split(">")[0] for each in project["dependency-groups"]["dev"]]
    assert [name for name in names if f"| `{name}` |" not in text] == []
