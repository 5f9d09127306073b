"""The fixture `fake_agy` in the tests of a project that has agy-proxy installed."""

import subprocess
import sys
from pathlib import Path

import pytest

pytest_plugins = ["pytester"]

HELPERS = """
import subprocess

def call(agy, *argv, stdin=subprocess.DEVNULL):
    return subprocess.run(["agy", *argv], env=agy.env, stdin=stdin, capture_output=True, text=True)
"""


@pytest.fixture
def outcomes(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> pytest.Pytester:
    """A project of its own; the plugin is found as users find it, by its entry point."""
    monkeypatch.delenv("PYTEST_ADDOPTS", raising=False)
    pytester.makeini("[pytest]\naddopts = -p no:cacheprovider\n")
    pytester.makepyfile(helpers=HELPERS)
    return pytester


def run(project: pytest.Pytester, test: str, *options: str) -> pytest.RunResult:
    project.makepyfile(test_it=f"from helpers import call\n\n{test}")
    return project.runpytest_inprocess("-q", *options)


def test_a_client_finds_the_double_and_its_calls_are_told(outcomes: pytest.Pytester) -> None:
    ended = run(
        outcomes,
        """
import json

def test_two_turns(fake_agy):
    agy = fake_agy(version="1.2.10")
    first = call(agy, "--output-format", "json", "-p", "My parrot is called Ada.")
    known = json.loads(first.stdout)["conversation_id"]
    second = call(agy, "--conversation", known, "-p", "What did I tell you?")
    assert "Ada" in second.stdout
    assert call(agy, "--version").stdout == "1.2.10\\n"
    assert call(agy, "--no-such-flag").returncode == 2

    one, two, version, refused = agy.calls
    assert one.argv == ("--output-format", "json", "-p", "My parrot is called Ada.")
    assert (one.prompt, one.conversation, one.resumed, one.exit) == (
        "My parrot is called Ada.", known, False, 0
    )
    assert (two.prompt, two.conversation, two.resumed, two.exit) == ("What did I tell you?", known, True, 0)
    assert (version.prompt, version.conversation, version.exit) == (None, None, 0)
    assert refused.exit == 2
    assert (agy.home / ".gemini/antigravity-cli/brain" / known).is_dir()
""",
    )
    ended.assert_outcomes(passed=1)


def test_its_environment_has_what_known_clients_look_for(outcomes: pytest.Pytester) -> None:
    ended = run(
        outcomes,
        """
import os
import shutil

def test_environment(fake_agy):
    agy = fake_agy()
    assert agy.env["HOME"] == str(agy.home) != os.environ["HOME"]
    assert shutil.which("agy", path=agy.env["PATH"]) == str(agy.path)
    assert agy.env["AGY_BIN"] == agy.env["ANTIGRAVITY_CLI_PATH"] == str(agy.path)
    assert (agy.home / ".local/bin/agy").is_file()
""",
    )
    ended.assert_outcomes(passed=1)


def test_doubles_of_one_test_share_nothing(outcomes: pytest.Pytester) -> None:
    ended = run(
        outcomes,
        """
def test_two(fake_agy):
    a, b = fake_agy(seed=1), fake_agy(seed=2)
    assert a.home != b.home
    said = call(a, "-p", "Hello").stdout
    assert b.calls == ()
    assert call(b, "-p", "Hello").stdout != said
    assert len(a.calls) == len(b.calls) == 1
    assert call(fake_agy(seed=1), "-p", "Hello").stdout == said
""",
    )
    ended.assert_outcomes(passed=1)


def test_turns_and_switches_say_how_it_behaves(outcomes: pytest.Pytester) -> None:
    ended = run(
        outcomes,
        """
def test_scripted(fake_agy):
    agy = fake_agy(turns=[[("say", {"text": "Done.\\n"})]], switches={"models-form": "labels"})
    assert call(agy, "-p", "Do it").stdout == "Done.\\n"
    assert "Gemini 3.1 Pro (High)\\n" in call(agy, "models").stdout
""",
    )
    ended.assert_outcomes(passed=1)


def test_a_call_that_must_not_be_fails_the_test_at_its_end_and_is_named(outcomes: pytest.Pytester) -> None:
    ended = run(
        outcomes,
        """
def test_quiet(fake_agy):
    agy = fake_agy()
    call(agy, "-p", "allowed")
    agy.must_not_be_called()

def test_called(fake_agy):
    agy = fake_agy()
    agy.must_not_be_called()
    call(agy, "-p", "not allowed")
""",
    )
    ended.assert_outcomes(passed=2, errors=1)
    ended.stdout.fnmatch_lines(["agy must not be called any more, and was, once:", "  agy -p 'not allowed'"])


def test_a_strict_double_takes_no_turn_beyond_those_scripted(outcomes: pytest.Pytester) -> None:
    ended = run(
        outcomes,
        """
TURNS = [[("say", {"text": "One.\\n"})]]

def test_as_scripted(fake_agy):
    agy = fake_agy(turns=TURNS, strict=True)
    call(agy, "--version")
    call(agy, "-p", "first")

def test_once_more(fake_agy):
    agy = fake_agy(turns=TURNS, strict=True)
    call(agy, "-p", "first")
    call(agy, "-p", "second")
""",
    )
    ended.assert_outcomes(passed=2, errors=1)
    ended.stdout.fnmatch_lines(["1 turn is scripted, and 2 were asked for; not expected:", "  agy -p second"])


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ('scenario="quota"', "*there is no scenario 'quota', none come with this version*turns=*"),
        ('switches={"models-form": "none"}', "*models-form can't be 'none'; it is one of labels, slugs*"),
        ('switches={"no-such": True}', "*no behaviour is named no-such*"),
        ('version="latest"', "*'latest' is not a version such as 1.2.10*"),
        ('turns=[[("shout", {})]]', "*no move is named 'shout'; there are say, *"),
        ('turns=[[("fail", {"kind": "nope"})]]', "*no failure is named 'nope'; there are quota, *"),
        ('turns=[["say"]]', "*a list of turns, each a list of moves*"),
        ('turns=[("say", {"text": "y"})]', "*a list of turns, each a list of moves*"),
        ('turns="x"', "*a list of turns, each a list of moves*"),
        ('turns=[[("say",)]]', "*a move is a kind and its fields*"),
    ],
)
def test_what_there_is_not_is_said_with_what_there_is(
    outcomes: pytest.Pytester, asked: str, said: str
) -> None:
    ended = run(outcomes, f"def test_wrong(fake_agy):\n    fake_agy({asked})\n")
    ended.assert_outcomes(failed=1)
    ended.stdout.fnmatch_lines([said])


def test_workers_of_xdist_do_not_meet(outcomes: pytest.Pytester) -> None:
    ended = run(
        outcomes,
        """
import pytest

@pytest.mark.parametrize("number", range(6))
def test_one_call(fake_agy, number):
    agy = fake_agy()
    call(agy, "-p", f"prompt {number}")
    assert [each.prompt for each in agy.calls] == [f"prompt {number}"]
""",
        *("-n", "2"),
    )
    ended.assert_outcomes(passed=6)


def test_a_run_that_asks_for_no_double_imports_nothing_for_it(tmp_path: Path) -> None:
    told = subprocess.run(
        [
            sys.executable,
            "-c",
            "import sys, pytest, _pytest.config\n"
            "before = set(sys.modules)\n"
            "import agy_proxy.pytest_plugin\n"
            "print(*sorted(set(sys.modules) - before))",
        ],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=True,
    )
    assert told.stdout.split() == ["agy_proxy", "agy_proxy.pytest_plugin"]
