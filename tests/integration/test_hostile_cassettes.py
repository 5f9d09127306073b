"""A cassette is untrusted: whatever is in it, each verb says so in one line and touches nothing."""

import os
import re
from collections.abc import Callable
from importlib import resources
from pathlib import Path

import pytest

from tests.support.tool import agy_proxy

SOUND = (
    resources.files("agy_cassettes") / "library" / "resumed-turn-replays-old-answer.agy.yaml"
).read_bytes()
BOMB = b'a: &a ["x"]\n' + b"".join(
    b"%c: &%c [%s]\n" % (98 + n, 98 + n, b", ".join([b"*%c" % (97 + n)] * 9)) for n in range(8)
)
PATH = rb'path: "[^"]*"'


def changed(pattern: bytes, new: bytes) -> bytes:
    """The sound cassette with one thing in it changed."""
    text, count = re.subn(pattern, new.replace(b"\\", b"\\\\"), SOUND, count=1)
    assert count == 1
    return text


CONTENT = {
    "alias bomb": b"version: 1\n" + BOMB + b"interactions: []\n",
    "alias bomb in a record": changed(rb'note: "[^"]*"', b"note: &n [*n, *n]"),
    "deep nesting": changed(rb'note: "[^"]*"', b"note: " + b"[" * 5000 + b"]" * 5000),
    "huge counts": changed(rb'timing: "[^"]*"', b'timing: "1o99999999999999999999"'),
    "dots": changed(PATH, b'path: "${AGY_HOME}/../../../etc/agy"'),
    "an absolute path": changed(PATH, b'path: "/etc/agy"'),
    "a python tag": changed(rb'note: "[^"]*"', b'note: !!python/object/apply:os.system ["touch owned"]'),
    "a wrong type": changed(rb"exit: \{code: 0\}", b'exit: {code: "zero"}'),
    "a wrong version": changed(rb"version: 1", b"version: 99"),
    "truncated": SOUND[: len(SOUND) * 2 // 3],
    "empty": b"",
    "no yaml": b"\x00\xff\xfe not yaml",
    "a list": b"- 1\n- 2\n",
    "a duplicate key": changed(rb"    stdin: null\n", b"    stdin: null\n    stdin: null\n"),
    "conflict markers": SOUND.replace(b"- id:", b"<<<<<<< ours\n- id:", 1),
}


def verbs(cassette: str) -> dict[str, tuple[str, ...]]:
    """Every verb that reads a cassette."""
    return {
        "replay": ("replay", cassette, "--", "touch", "started"),
        "record": ("record", cassette, "--mode", "once", "--real", "/bin/true", "--", "touch", "started"),
        "show": ("show", cassette),
        "merge": ("merge", "out.agy.yaml", cassette),
        "install": ("install", "bin", "--replay", cassette),
    }


def listing(folder: Path) -> dict[str, bytes | None]:
    return {str(path): path.read_bytes() if path.is_file() else None for path in sorted(folder.rglob("*"))}


@pytest.mark.parametrize("name", CONTENT)
def test_replay_refuses_it_in_one_line_before_the_client_starts(
    name: str, tmp_path: Path, home: Path
) -> None:
    cassette = tmp_path / "c.agy.yaml"
    cassette.write_bytes(CONTENT[name])
    before = listing(tmp_path), listing(home)

    ended = agy_proxy("replay", "c.agy.yaml", "--", "touch", "started", cwd=tmp_path)

    assert ended.status == 2
    assert len(ended.stderr.splitlines()) == 1
    assert re.match(r"agy-proxy: \S*c\.agy\.yaml(:\d+)?: ", ended.stderr), ended.stderr
    assert (listing(tmp_path), listing(home)) == before


@pytest.mark.parametrize("verb", ["record", "show", "merge", "install"])
@pytest.mark.parametrize("name", ["a wrong version", "dots", "a duplicate key"])
def test_other_verbs_refuse_it_in_the_same_way(verb: str, name: str, tmp_path: Path) -> None:
    cassette = tmp_path / "c.agy.yaml"
    cassette.write_bytes(CONTENT[name])
    before = listing(tmp_path)

    ended = agy_proxy(*verbs("c.agy.yaml")[verb], cwd=tmp_path)

    assert ended.status == 2, ended.stdout
    assert re.fullmatch(r"agy-proxy: \S*c\.agy\.yaml:\d+: [^\n]+\n", ended.stderr), ended.stderr
    assert listing(tmp_path) == before


def make_folder(path: Path) -> None:
    path.mkdir()


def make_fifo(path: Path) -> None:
    os.mkfifo(path)


def make_loop(path: Path) -> None:
    path.symlink_to(path)


def make_nothing(_path: Path) -> None:
    """Leaves the place empty."""


@pytest.mark.parametrize("make", [make_folder, make_fifo, make_loop, make_nothing])
@pytest.mark.parametrize("verb", ["replay", "show", "merge", "install"])
def test_what_is_no_file_is_refused_in_one_line(
    verb: str, make: Callable[[Path], None], tmp_path: Path
) -> None:
    make(tmp_path / "c.agy.yaml")

    ended = agy_proxy(*verbs("c.agy.yaml")[verb], cwd=tmp_path)

    assert ended.status == 2
    assert re.fullmatch(r"agy-proxy: [^\n]*c\.agy\.yaml[^\n]*\n", ended.stderr), ended.stderr
    assert not (tmp_path / "started").exists()


def test_a_store_behind_a_symlink_is_not_written_to(tmp_path: Path) -> None:
    (tmp_path / "c.agy.yaml").write_bytes(SOUND)
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "store").mkdir()
    (tmp_path / "store" / ".gemini").symlink_to(tmp_path / "elsewhere")
    call = ("--speed", "max", "--home", "store", "--", "agy", "-p", "List the tasks that are still open.")

    ended = agy_proxy("replay", "c.agy.yaml", *call, cwd=tmp_path)

    assert ended.status == 125
    assert "symlink" in ended.stderr
    assert listing(tmp_path / "elsewhere") == {}
