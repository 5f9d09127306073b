"""Rows of twelve recorded turns appear in the recorded order, among themselves and against stdout."""

import os
from pathlib import Path

from agy_cassettes.cassette import Cassette
from fake_agy.double import write_double
from tests.support.rhythm import SETTINGS, Mark, calls, recorded, reordered, watched
from tests.support.tool import agy_proxy


def of(marks: list[Mark], what: str) -> list[Mark]:
    return [mark for mark in marks if mark.what == what]


def test_rows_are_replayed_in_the_recorded_order(tmp_path: Path, home: Path) -> None:
    cassette, lived = tmp_path / "t.agy.yaml", tmp_path / "lived"
    lived.mkdir()
    agy = write_double(tmp_path / "real", SETTINGS)
    script = "\n".join(f"agy {' '.join(map(repr, argv))}" for argv in calls())
    record = ("record", cassette, "--real", agy, "--home", lived, "--", "sh", "-c", script)
    assert agy_proxy(*record, cwd=tmp_path).status == 0
    play = ("install", tmp_path / "bin", "--replay", cassette, "--write-store")
    assert agy_proxy(*play, cwd=tmp_path).status == 0
    opened = Cassette.open(cassette)
    for number, (interaction, argv) in enumerate(zip(opened.interactions(), calls(), strict=True)):
        expected = recorded(interaction, opened.read)
        own = home / str(number)
        own.mkdir()
        found = watched(
            [tmp_path / "bin" / "agy", *argv],
            cwd=tmp_path,
            env={**os.environ, "HOME": str(own)},
            transcripts=own / ".gemini" / "antigravity-cli" / "brain",
        )
        for what in ("out", "row"):
            assert of(found, what)[-1].count == of(expected, what)[-1].count, argv
        assert reordered(expected, found) == [], argv
