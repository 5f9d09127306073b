import ast
import os
import stat
from pathlib import Path

import pytest

from agy_proxy.shim.isolated.real import is_shim, read_head
from agy_proxy.shim.script import interpreter, shim_text, write_shim
from agy_proxy.shim.settings import ShimSettings

SETTINGS = ShimSettings(mode="passthrough", real=Path("/opt/a'b\\agy"))
BUNDLE = Path("/state/shim.bundle")


def _text(python: str) -> bytes:
    return shim_text(SETTINGS, bundle=BUNDLE, python=Path(python))


def test_an_ordinary_interpreter_stands_in_the_first_line_isolated() -> None:
    assert _text("/usr/bin/python3").startswith(b"#!/usr/bin/python3 -IS\n# agy-proxy shim")


@pytest.mark.parametrize("python", ["/a b/python", "/a\tb/python", "/" + "x" * 130 + "/python"])
def test_an_awkward_interpreter_is_reached_through_sh(python: str) -> None:
    assert _text(python).startswith(b"#!/bin/sh\n# agy-proxy shim")


def test_the_longest_first_line_is_127_bytes() -> None:
    exact = "/" + "x" * (127 - len("#!/ -IS\n"))
    assert _text(exact).startswith(b"#!/xxx")
    assert _text(exact + "x").startswith(b"#!/bin/sh\n")


@pytest.mark.parametrize("python", ["/usr/bin/python3", "/a b/python", "/caf\udce9 x/python"])
def test_every_form_is_a_python_program_with_the_settings_as_a_constant(python: str) -> None:
    tree = ast.parse(_text(python))
    (value,) = (
        node.value
        for node in tree.body
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "settings"
    )
    constants = ast.literal_eval(value)
    assert constants["mode"] == "passthrough"
    assert constants["real"] == b"/opt/a'b\\agy"


@pytest.mark.parametrize("python", ["/usr/bin/python3", "/a b/python"])
def test_a_shim_is_told_by_its_second_line(python: str, tmp_path: Path) -> None:
    (tmp_path / "agy").write_bytes(_text(python))
    assert is_shim(read_head(os.fsencode(tmp_path / "agy")))


@pytest.mark.parametrize(
    "text", [b"", b"#!/bin/sh\n", b"#!/bin/sh\necho agy-proxy shim\n", b"# agy-proxy shim\n"]
)
def test_nothing_else_is_taken_for_a_shim(text: bytes) -> None:
    assert not is_shim(text)


def test_writing_replaces_the_file_in_one_step_and_leaves_nothing_else(tmp_path: Path) -> None:
    folder = tmp_path / "new" / "bin"
    first = write_shim(folder, SETTINGS, bundle=BUNDLE)
    inode = first.stat().st_ino
    assert write_shim(folder, SETTINGS, bundle=BUNDLE) == first == folder / "agy"
    assert first.stat().st_ino != inode
    assert stat.S_IMODE(first.stat().st_mode) == 0o755
    assert [each.name for each in folder.iterdir()] == ["agy"]


def test_the_interpreter_is_a_real_file_and_no_virtual_environments() -> None:
    assert interpreter().is_file()
    assert not interpreter().is_symlink()
