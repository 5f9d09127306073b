"""No test can reach the files of the person who runs it."""

import os
import pwd
import tempfile
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support.figures import drawn_seed, scaled


def test_home_is_not_the_home_of_the_person(home: Path) -> None:
    assert Path.home() == home
    assert home != Path(pwd.getpwuid(os.getuid()).pw_dir)
    assert not list(home.iterdir())


def test_state_and_temporary_files_stay_beside_home(home: Path) -> None:
    assert Path(os.environ["XDG_STATE_HOME"]).parent == home.parent
    assert Path(tempfile.gettempdir()).parent == home.parent


def test_no_setting_of_ours_leaks_in() -> None:
    ours = {name for name in os.environ if name.startswith(("AGY_", "ANTIGRAVITY_"))}
    assert ours <= {"AGY_PROXY_FULL_SIZE", "AGY_PROXY_SEED"}


@given(st.integers())
def test_hypothesis_accepts_the_fixture(number: int) -> None:
    assert Path.home() != Path(pwd.getpwuid(os.getuid()).pw_dir), number


def test_a_stress_figure_is_a_tenth_unless_full_size_is_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("AGY_PROXY_FULL_SIZE", raising=False)
    assert [scaled(500), scaled(3)] == [50, 1]
    monkeypatch.setenv("AGY_PROXY_FULL_SIZE", "1")
    assert scaled(500) == 500


def test_the_seed_is_the_given_one_and_is_printed(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("AGY_PROXY_SEED", "17")
    assert drawn_seed() == 17
    assert capsys.readouterr().out == "AGY_PROXY_SEED=17\n"
