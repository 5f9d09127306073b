from pathlib import Path

import pytest

from fake_agy.command.agents import agents
from fake_agy.command.line import parse_command_line
from fake_agy.command.warnings import warnings_of
from fake_agy.profile.resolve import profile_of


def described(folder: Path) -> None:
    for place, name in (
        (folder / "work/.agents/agents", "mine.md"),
        (folder / ".gemini/config/agents", "ours"),
    ):
        place.mkdir(parents=True)
        (place / name).touch()


def test_agents_are_the_built_in_one_and_those_that_files_describe(tmp_path: Path) -> None:
    assert agents(str(tmp_path), str(tmp_path / "work")) == ("default",)
    described(tmp_path)
    assert agents(str(tmp_path), str(tmp_path / "work")) == ("default", "mine", "ours")
    assert agents(None, str(tmp_path / "work")) == ("default", "mine")


@pytest.mark.parametrize(
    ("argv", "said"),
    [
        (["--agent", "nobody"], 'warning: agent "nobody" not found; using the default agent\n'),
        (["--agent", "mine"], ""),
        (["--agent", "default"], ""),
        (["-i", "x"], "warning: --prompt-interactive has no effect beside --print\n"),
        ([], ""),
    ],
)
def test_what_a_call_goes_on_without_is_said_since_1_1_12(argv: list[str], said: str, tmp_path: Path) -> None:
    described(tmp_path)

    def warned(version: tuple[int, int, int]) -> str:
        profile = profile_of(version)
        line = parse_command_line([*argv, "-p", "hello"], profile)
        return warnings_of(line, profile, str(tmp_path), str(tmp_path / "work"))

    assert warned((1, 1, 12)) == said
    assert warned((1, 1, 11)) == ""
