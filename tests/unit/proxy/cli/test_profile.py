"""``fake-agy profile`` prints a version's behaviours, or how two versions differ."""

import json

import pytest

from agy_proxy.cli.fake_agy import main


def told(words: list[str], capsys: pytest.CaptureFixture[str]) -> str:
    assert main(["profile", *words]) == 0
    return capsys.readouterr().out


def test_without_a_version_it_is_the_newest_known(capsys: pytest.CaptureFixture[str]) -> None:
    assert json.loads(told(["--json"], capsys))["agy"] == "1.3.3"
    assert told([], capsys) == told(["1.3.3"], capsys)


def test_one_version_is_printed_whole_and_two_by_their_differences(
    capsys: pytest.CaptureFixture[str],
) -> None:
    whole = json.loads(told(["1.1.18", "--json"], capsys))
    assert (whole["version"], whole["agy"], whole["assumed"]) == (1, "1.1.18", False)
    assert set(whole["behaviours"][0]) == {
        *("name", "topic", "about", "value", "since", "until", "sure", "source", "values")
    }
    differences = json.loads(told(["1.1.11", "1.1.12", "--json"], capsys))
    assert differences["agy"] == ["1.1.11", "1.1.12"]
    warning = next(each for each in differences["behaviours"] if each["name"] == "not-found-warning")
    assert (warning["a"], warning["b"]) == ("stdout", "stderr")
    assert "not-found-warning" in told(["1.1.11", "1.1.12"], capsys)


@pytest.mark.parametrize("words", [["1.2"], ["newest"], ["1.1.18", "0.9.0"]])
def test_what_is_no_version_is_a_usage_error(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["profile", *words]) == 2
    assert words[-1] in capsys.readouterr().err
