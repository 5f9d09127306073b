"""Rows of twelve recorded turns appear in the recorded order, among themselves and against stdout."""

import os
from pathlib import Path

import pytest

from agy_cassettes.cassette import Cassette
from fake_agy.double import write_double
from tests.support.rhythm import SETTINGS, TURNS, Mark, calls, recorded, reordered, watched
from tests.support.tool import agy_proxy


@pytest.fixture(scope="module")
def cassette(tmp_path_factory: pytest.TempPathFactory) -> Path:
    base = tmp_path_factory.mktemp("rhythm")
    for name in ("home", "state"):
        (base / name).mkdir()
    agy = write_double(base / "real", SETTINGS)
    script = "\n".join(f"agy {' '.join(map(repr, argv))} > /dev/stdout" for argv in calls())
    env = {"HOME": str(base / "home"), "XDG_STATE_HOME": str(base / "state")}
    record = ("record", base / "t.agy.yaml", "--real", agy, "--home", base / "home", "--", "sh", "-c", script)
    ended = agy_proxy(*record, cwd=base, env=env)
    assert ended.status == 0, ended.stderr
    return base / "t.agy.yaml"


def of(marks: list[Mark], what: str) -> list[Mark]:
    return [mark for mark in marks if mark.what == what]


@pytest.mark.parametrize("number", range(len(TURNS)))
def test_rows_are_replayed_in_the_recorded_order(
    cassette: Path, tmp_path: Path, home: Path, number: int
) -> None:
    opened = Cassette.open(cassette)
    interaction = list(opened.interactions())[number]
    expected = recorded(interaction, opened.read)
    assert {mark.what for mark in expected} == {"out", "row"}
    assert (
        agy_proxy("install", tmp_path / "bin", "--replay", cassette, "--write-store", cwd=tmp_path).status
        == 0
    )
    found = watched(
        [tmp_path / "bin" / "agy", *calls()[number]],
        cwd=cassette.parent,
        env={**os.environ, "HOME": str(home)},
        transcripts=home / ".gemini" / "antigravity-cli" / "brain",
    )
    for what in ("out", "row"):
        assert of(found, what)[-1].count == of(expected, what)[-1].count
    assert reordered(expected, found) == []
