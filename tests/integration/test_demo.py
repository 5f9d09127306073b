import re
import subprocess
from pathlib import Path

import pytest
from click.testing import CliRunner

from agy_cassettes.cassette import Cassette
from agy_proxy.cli import demo
from tests.support.tool import Ended, agy_proxy

UUID = re.compile(r'"conversation_id":"([0-9a-f-]{36})"')
WORD = re.compile(r"My word for this turn is (\S+)\.")


@pytest.fixture(scope="module")
def shown(tmp_path_factory: pytest.TempPathFactory) -> dict[int, Ended]:
    """What the demo prints for two seeds."""
    place = tmp_path_factory.mktemp("demo")
    env = {name: str(place) for name in ("HOME", "XDG_STATE_HOME", "TMPDIR")}
    return {
        seed: agy_proxy("demo", "--seed", str(seed), "--cassette", f"{seed}.agy.yaml", cwd=place, env=env)
        for seed in (1, 2)
    }


def test_the_demo_records_replays_and_shows_and_exits_0(shown: dict[int, Ended]) -> None:
    ended = shown[1]

    assert (ended.status, ended.stderr) == (0, "")
    assert "the same bytes" in ended.stdout
    assert "invented" in ended.stdout
    assert [line for line in ended.stdout.splitlines() if line.startswith("$ ")] == [
        f"$ {command}" for step in demo.steps(1) for command in step.commands
    ]


def test_another_seed_gives_other_conversations_and_other_answers(shown: dict[int, Ended]) -> None:
    first, second = (shown[seed].stdout for seed in (1, 2))

    assert set(UUID.findall(first)).isdisjoint(UUID.findall(second))
    assert WORD.findall(first) != WORD.findall(second)


def test_the_cassette_named_at_the_end_holds_both_turns_and_nothing_else_stays(
    shown: dict[int, Ended],
) -> None:
    named = Path(shown[1].stdout.splitlines()[-1].removeprefix("The recorded cassette is "))

    prompts = [each.request.prompt for each in Cassette.open(named).interactions()]

    assert prompts == ["My parrot is called Ada. Please remember it.", "What did I ask you to remember?"]
    assert sorted(path.name for path in named.parent.iterdir()) == ["1.agy.yaml", "2.agy.yaml"]


def test_every_line_is_a_step_a_command_or_what_a_command_printed(monkeypatch: pytest.MonkeyPatch) -> None:
    ran: list[str] = []

    def answer(argv: list[str], place: Path, env: dict[str, str]) -> subprocess.CompletedProcess[str]:
        ran.append(argv[-1])
        (place / "two-turns.agy.yaml").touch()
        assert env["HOME"].startswith(str(place))
        return subprocess.CompletedProcess(argv, 0, stdout=f"printed by {len(ran)}\n")

    monkeypatch.setattr(demo, "_run", answer)
    printed = CliRunner().invoke(demo.command, []).output

    lines = [line for line in printed.splitlines() if line]
    says = [step.says for step in demo.steps(1)]
    outputs = [f"printed by {number + 1}" for number in range(len(ran))]
    assert sorted(lines[:-1]) == sorted([*says, *(f"$ {command}" for command in ran), *outputs])


def test_a_demo_whose_command_fails_says_which(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(demo, "CLIENT", "exit 4\n")

    ended = CliRunner().invoke(demo.command, ["--cassette", str(tmp_path / "kept.agy.yaml")])

    assert "exited with 4" in str(ended.exception)
    assert not (tmp_path / "kept.agy.yaml").exists()


def test_a_cassette_that_is_there_already_is_not_overwritten(tmp_path: Path) -> None:
    (tmp_path / "mine.agy.yaml").write_text("mine")

    ended = agy_proxy("demo", "--cassette", "mine.agy.yaml", cwd=tmp_path)

    assert ended.status == 2
    assert (tmp_path / "mine.agy.yaml").read_text() == "mine"
