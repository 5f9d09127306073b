import json
import os
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from agy_cassettes.cassette import Cassette
from agy_cassettes.verify import verify
from tests.support.appenders import PHASES, numbered
from tests.support.figures import drawn_seed, scaled

ROOT = Path(__file__).parents[3]


def run(*arguments: object) -> dict[str, Any]:
    done = subprocess.run(
        [sys.executable, "-m", "tests.support.appenders", *map(str, arguments)],
        cwd=ROOT,
        env=os.environ,
        capture_output=True,
        check=False,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    outcome: dict[str, Any] = json.loads(done.stdout)
    return outcome


def number_of(record_id: str) -> int:
    return int(record_id.removeprefix("01J0-"))


def test_64_appenders_at_once_leave_64_interactions_each_whole(tmp_path: Path) -> None:
    path = tmp_path / "a.agy.yaml"
    assert run("all", path, 64) == {"failed": 0}
    assert verify(path).errors == ()
    found = {record.id: record for record in Cassette.open(path).records()}
    assert found == {f"01J0-{number}": numbered(number, 1000 + 4000 * number) for number in range(64)}


@pytest.mark.stress
def test_killed_appenders_lose_nothing_that_was_reported_saved(tmp_path: Path) -> None:
    seed, kills = drawn_seed(), scaled(500)
    phases: Counter[str] = Counter()
    torn = done = 0
    # A kill in the middle of a write is a matter of chance: without one there are more kills than asked for.
    while done < kills or (not torn and done < 500):
        part, done = done, done + 50
        path = tmp_path / f"{part}.agy.yaml"
        outcome = run("killed", path, 50, seed + part)
        assert outcome["wrong"] == []
        phases.update(outcome["phases"])
        torn += outcome["torn"]
        cassette = Cassette.open(path)
        found = {record.id: record for record in cassette.records()}
        assert set(outcome["saved"]) <= set(found)
        for record_id, record in found.items():
            assert record == numbered(number_of(record_id), 200_000)
        path.unlink()
    print(f"{done} kills, {torn} torn tails, {dict(phases)}")
    assert torn > 0
    assert all(phases[phase] >= kills // 5 for phase in PHASES)
