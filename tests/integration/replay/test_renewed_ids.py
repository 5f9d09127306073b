"""A store that isn't the replay's own: conversations that it has already are not touched."""

import re
from pathlib import Path
from uuid import UUID

from agy_cassettes.interaction import FileEvent, Interaction
from tests.support.interactions import interaction
from tests.support.players import Player, player

OLD = "9b1dbf00-1111-4222-8333-444455556666"
LOGS = ".system_generated/logs"


def turn(name: str, prompt: str, *, resumed: bool) -> Interaction:
    argv = ("agy", "--conversation", OLD, "-p", "${PROMPT}") if resumed else ("agy", "-p", "${PROMPT}")
    row = f'{{"content":"{name} of {OLD}"}}\n'.encode()
    path = f"${{AGY_HOME}}/brain/{OLD}/{LOGS}/transcript.jsonl"
    file = FileEvent(op="append", path=path, text=row)
    answer = f'{{"conversation_id":"{OLD}","home":"${{HOME}}"}}\n'.encode()
    return interaction(name, argv=argv, prompt=prompt, stdout=answer, stderr=OLD.encode(), files=[file])


def two_turns(folder: Path) -> Player:
    return player(
        folder,
        turn("1", "remember it", resumed=False),
        turn("2", "and now?", resumed=True),
        store="new",
        ids_file=str(folder / "ids"),
    )


def test_an_id_that_is_taken_is_renewed_on_all_channels_and_understood_when_it_comes_back(
    tmp_path: Path,
) -> None:
    agy = two_turns(tmp_path)
    theirs = agy.store / "brain" / OLD / LOGS / "transcript.jsonl"
    theirs.parent.mkdir(parents=True)
    theirs.write_text("theirs\n")

    first = agy.run("-p", "remember it")
    found = re.fullmatch(rb'\{"conversation_id":"(.{36})","home":"(.+)"\}\n', first.stdout)
    assert found is not None
    new = found[1].decode()
    second = agy.run("--conversation", new, "-p", "and now?")

    assert new != OLD
    assert UUID(new).version == 4
    assert found[2].decode() == str(agy.home)
    assert (second.stdout, second.stderr) == (first.stdout, first.stderr) == (first.stdout, new.encode())
    rows = (agy.store / "brain" / new / LOGS / "transcript.jsonl").read_text()
    assert rows == f'{{"content":"1 of {new}"}}\n{{"content":"2 of {new}"}}\n'
    assert theirs.read_text() == "theirs\n"
    assert (tmp_path / "ids").read_text() == f"{OLD} {new}\n"


def test_an_id_that_is_free_stays_as_recorded(tmp_path: Path) -> None:
    agy = two_turns(tmp_path)

    first = agy.run("-p", "remember it")
    second = agy.run("--conversation", OLD, "-p", "and now?")

    assert (first.returncode, second.returncode) == (0, 0)
    assert first.stderr == OLD.encode()
    assert len((agy.store / "brain" / OLD / LOGS / "transcript.jsonl").read_text().splitlines()) == 2


def test_a_conversation_that_is_only_a_database_is_taken_too(tmp_path: Path) -> None:
    agy = two_turns(tmp_path)
    (agy.store / "conversations").mkdir(parents=True)
    (agy.store / "conversations" / f"{OLD}.db").touch()

    agy.run("-p", "remember it")

    assert not (agy.store / "brain" / OLD).exists()
    assert len(list((agy.store / "brain").iterdir())) == 1
