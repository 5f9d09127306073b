"""Replay by an installed shim: the play file is made when needed, and again when the cassette changed."""

import hashlib
from pathlib import Path
from typing import Any

from agy_cassettes.appender import open_for_append
from agy_cassettes.client_words import alarming
from agy_cassettes.interaction import Interaction
from agy_proxy.shim.isolated.play_file import identity
from tests.support.interactions import interaction
from tests.support.players import Player, installed

ASK = ("-p", "What is left?")


def append(cassette: Path, *records: Interaction) -> None:
    with open_for_append(cassette, clock=lambda: 0) as tail:
        for record in records:
            tail.append(record)


def shim(folder: Path, cassette: Path, **settings: Any) -> Player:
    folder.mkdir()
    (folder / "home").mkdir()
    return installed(
        folder,
        **{"cassette": str(cassette), "recompile": True, "play_folder": str(folder / "plays"), **settings},
    )


def test_the_first_call_compiles_the_cassette(tmp_path: Path) -> None:
    cassette = tmp_path / "c.agy.yaml"
    append(cassette, interaction(stdout=b"answer\n"))
    agy = shim(tmp_path / "agy", cassette)

    assert agy.run(*ASK).stdout == b"answer\n"

    (made,) = (tmp_path / "agy/plays").iterdir()
    assert made.name == hashlib.sha256(cassette.read_bytes()).hexdigest()
    assert made.stat().st_mode & 0o777 == 0o600
    assert list(tmp_path.glob("*.yaml*")) == [cassette]


def test_a_cassette_that_did_not_change_is_not_compiled_again(tmp_path: Path) -> None:
    cassette = tmp_path / "c.agy.yaml"
    append(cassette, interaction("1"), interaction("2"))
    agy = shim(tmp_path / "agy", cassette)
    agy.run(*ASK)
    before = identity(str(tmp_path / "agy/play"))

    assert agy.run(*ASK).returncode == 0
    assert identity(str(tmp_path / "agy/play")) == before


def test_a_cassette_that_changed_is_and_what_was_played_stays_played(tmp_path: Path) -> None:
    cassette = tmp_path / "c.agy.yaml"
    append(cassette, interaction("1", stdout=b"one\n"), interaction("2", prompt="Why?"))
    agy = shim(tmp_path / "agy", cassette)
    assert agy.run(*ASK).stdout == b"one\n"

    append(cassette, interaction("3", stdout=b"three\n"))

    assert agy.run(*ASK).stdout == b"three\n"
    assert [(play.interaction, play.count) for play in agy.played.plays] == [("1", 1), ("2", 0), ("3", 1)]
    assert agy.played.calls == 2
    assert len(list((tmp_path / "agy/plays").iterdir())) == 1


def test_a_play_file_that_was_thrown_away_is_made_again(tmp_path: Path) -> None:
    cassette = tmp_path / "c.agy.yaml"
    append(cassette, interaction("1"), interaction("2"))
    agy = shim(tmp_path / "agy", cassette)
    agy.run(*ASK)
    for made in (tmp_path / "agy/plays").iterdir():
        made.unlink()

    assert agy.run(*ASK).returncode == 0


def test_a_play_file_of_another_version_is_made_again(tmp_path: Path) -> None:
    cassette = tmp_path / "c.agy.yaml"
    append(cassette, interaction())
    agy = shim(tmp_path / "agy", cassette)
    (tmp_path / "agy/play").write_bytes(b"agyplay0")

    assert agy.run(*ASK).returncode == 0


def test_a_cassette_that_can_t_be_read_refuses_the_call(tmp_path: Path) -> None:
    cassette = tmp_path / "c.agy.yaml"
    append(cassette, interaction())
    agy = shim(tmp_path / "agy", cassette)
    agy.run(*ASK)
    cassette.write_text("version: 99\ninteractions:\n")

    result = agy.run(*ASK)

    assert (result.returncode, result.stdout) == (125, b"")
    assert not alarming(result.stderr.decode())
    assert "99" in agy.misses[-1].text


def test_a_cassette_that_is_not_there_yet_is_recorded_in_mode_auto_and_refused_otherwise(
    tmp_path: Path,
) -> None:
    cassette = tmp_path / "c.agy.yaml"

    assert (
        shim(tmp_path / "auto", cassette, mode="auto", stub=True).run(*ASK).stdout == b"to be recorded None"
    )
    assert shim(tmp_path / "replay", cassette).run(*ASK).returncode == 125


def test_what_was_recorded_meanwhile_is_played_in_mode_auto(tmp_path: Path) -> None:
    cassette = tmp_path / "c.agy.yaml"
    agy = shim(tmp_path / "agy", cassette, mode="auto", stub=True)
    agy.run(*ASK)
    append(cassette, interaction(stdout=b"answer\n"))

    assert agy.run(*ASK).stdout == b"answer\n"
    assert agy.run(*ASK).stdout == b"to be recorded None"


def test_without_the_setting_a_changed_cassette_is_left_alone(tmp_path: Path) -> None:
    cassette = tmp_path / "c.agy.yaml"
    append(cassette, interaction("1", stdout=b"one\n"))
    agy = shim(tmp_path / "agy", cassette)
    agy.run("--version")
    still = installed(agy.folder, cassette=str(cassette))
    append(cassette, interaction("2", stdout=b"two\n"))

    assert [still.run(*ASK).returncode for _ in range(2)] == [0, 125]
