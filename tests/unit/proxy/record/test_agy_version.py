from pathlib import Path

import pytest

from agy_proxy.record.agy_version import ask_agy, parse_version


@pytest.mark.parametrize(
    ("printed", "version"),
    [
        (b"1.2.10\n", "1.2.10"),
        (b"agy 1.0.1\n", "1.0.1"),
        (b"1.3.0-rc.1\n", "1.3.0-rc.1"),
        (b"", None),
        (b"usage: agy\n", None),
        (b"1.2.10\nand more\n", None),
    ],
)
def test_only_a_version_is_taken_for_one(printed: bytes, version: str | None) -> None:
    assert parse_version(printed) == version


def test_agy_is_asked_in_an_empty_home(tmp_path: Path) -> None:
    agy = tmp_path / "agy"
    agy.write_text('#!/bin/sh\n[ "$1" = --version ] && [ -z "$(ls -A "$HOME")" ] && echo 1.2.3\n')
    agy.chmod(0o755)
    assert ask_agy(bytes(agy)) == "1.2.3"
    agy.write_text("#!/bin/sh\necho 1.2.3; exit 1\n")
    assert ask_agy(bytes(agy)) is None
    assert ask_agy(bytes(tmp_path / "none")) is None
