"""``--switch`` changes one behaviour of the double, wherever a double is made."""

import subprocess
import sys
from pathlib import Path

import pytest

from agy_proxy.cli.fake_agy import main as fake_agy
from agy_proxy.cli.main import main

LABEL = "Gemini 3.1 Pro (High)\n"


def test_exec_plays_with_the_switches_and_the_last_of_one_name_counts(tmp_path: Path) -> None:
    command = [str(Path(sys.executable).parent / "fake-agy"), "exec"]
    for form in ("slugs", "labels"):
        command += ["--switch", f"models-form={form}"]
    command += ["--switch", "models-progress=stdout", "--", "models"]
    ended = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True)
    assert ended.stdout.startswith("Fetching available models...\n")
    assert LABEL in ended.stdout
    assert "\t" not in ended.stdout
    assert ended.stderr == ""


def test_an_installed_double_has_its_switches_inside(tmp_path: Path) -> None:
    assert main(["install", str(tmp_path / "bin"), "--fake", "--switch", "models-form=labels"]) == 0
    agy = tmp_path / "bin" / "agy"
    ended = subprocess.run(
        [agy, "models"], env={"HOME": str(tmp_path)}, capture_output=True, text=True, check=True
    )
    assert LABEL in ended.stdout


def test_the_double_of_a_run_has_them_too(tmp_path: Path) -> None:
    command = [
        sys.executable,
        "-m",
        "agy_proxy",
        "fake",
        "--switch",
        "models-form=labels",
        "--",
        "agy",
        "models",
    ]
    ended = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True)
    assert LABEL in ended.stdout


def test_a_shim_that_records_has_none(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["install", str(tmp_path / "bin"), "--record", "a.agy.yaml", "--switch", "models-form=labels"]
    assert main(words) == 2
    assert "--switch does not go with --record" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("switch", "said"),
    [
        (
            "models-form=none",
            "--switch models-form=none: models-form can't be 'none'; it is one of labels, slugs, slugs-and-",
        ),
        ("model-form=labels", "no behaviour is named model-form; `fake-agy profile` lists them all"),
        ("models-form", "'models-form' is not NAME=VALUE"),
        ("agentapi=True", "agentapi can't be 'True'; it is one of true, false"),
    ],
)
def test_a_wrong_switch_is_told_with_the_choices(
    switch: str, said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert fake_agy(["exec", "--switch", switch, "--", "models"]) == 2
    assert said in capsys.readouterr().err
    assert main(["install", str(tmp_path / "bin"), "--fake", "--switch", switch]) == 2
    assert main(["fake", "--switch", switch, "--", "true"]) == 2
    assert not (tmp_path / "bin").exists()
