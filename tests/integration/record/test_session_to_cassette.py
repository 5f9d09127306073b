"""A session at a terminal, from the keys that are pressed to a cassette, and played from it."""

import sys
from pathlib import Path

from agy_cassettes.cassette import Cassette
from agy_cassettes.interaction import Stdio, Tty
from fake_agy.settings import DoubleSettings
from tests.support.double import make_double
from tests.support.shell import OnTerminal

TOOL = (sys.executable, "-m", "agy_proxy")
STEPS = (
    ("\r", "? for shortcuts"),
    ("Hello there", "> Hello there"),
    ("\r", 'You said: "Hello there"'),
    ("/exit", "> /exit"),
)


def _talk(shown: OnTerminal) -> list[str]:
    """Go through the session; gives the screen after each step."""
    with shown:
        shown.shows("Yes, I trust")
        screens = [shown.at_rest()]
        for typed, then in STEPS:
            shown.type(typed)
            shown.shows(then)
            screens.append(shown.at_rest())
        shown.type("\r")
        assert shown.ends() == 0
    return screens


def test_a_session_is_kept_as_it_was_typed_and_shown_and_played_again(tmp_path: Path) -> None:
    double = make_double(tmp_path, DoubleSettings(clock="2026-09-01T12:00:00Z"))
    cassette = tmp_path / "session.agy.yaml"
    record = (*TOOL, "record", cassette, "--real", double.agy, "--home", "temp", "--", "agy")
    first = _talk(OnTerminal(record, cwd=double.cwd))

    (kept,) = Cassette.open(cassette).interactions()
    assert (kept.request.prompt, kept.request.stdin) == (None, "\rHello there\r/exit\r")
    assert kept.request.stdio == Stdio(stdin="tty", stdout="tty", stderr="same")
    assert kept.request.tty == Tty(rows=24, cols=80)

    played = _talk(OnTerminal((*TOOL, "replay", cassette, "--", "agy"), cwd=double.cwd))
    assert played == first
