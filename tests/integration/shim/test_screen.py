"""Programs that draw on a whole screen look the same behind a shim as by themselves, through two resizes."""

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from fake_agy.settings import DoubleSettings
from tests.support.direct_or_shim import Agy, direct_agy, recorded_agy, shim_before
from tests.support.double import make_double
from tests.support.shell import Shell

CURSES = """
import curses
def draw(screen):
    typed = []
    while True:
        rows, columns = screen.getmaxyx()
        screen.erase()
        screen.box()
        screen.addstr(1, 2, f'{rows} rows, {columns} columns')
        for at, key in enumerate(typed[-5:]):
            screen.addstr(3 + at, 4, curses.keyname(key).decode(), curses.A_REVERSE)
        screen.addstr(rows - 2, 2, 'end'.rjust(columns - 4))
        screen.refresh()
        key = screen.getch()
        if key == ord('q'):
            return
        if key != curses.KEY_RESIZE:
            typed.append(key)
curses.wrapper(draw)
print('after')
"""
READLINE = """
import readline
readline.set_completer(lambda text, state: (['orange', None] if 'orange'.startswith(text) else [None])[state])
readline.parse_and_bind('tab: complete')
while (line := input('what> ')) != 'quit':
    print('it is', ascii(line))
"""


class Step(NamedTuple):
    """Something is typed, or the terminal takes another size (rows, columns), and then this is shown."""

    does: str | tuple[int, int]
    shows: str


def _screens(target: Agy, steps: Iterable[Step]) -> Iterator[Shell]:
    """The screen of a shell after each step, the first of which calls agy."""
    with Shell(target, size=(20, 60)) as shell:
        for step in steps:
            if isinstance(step.does, str):
                shell.type(step.does)
            else:
                shell.resize(*step.does)
            shell.shows(step.shows)
            yield shell


PROGRAMS = {
    "curses": (
        CURSES,
        (
            Step("agy\r", "20 rows, 60 columns"),
            Step("a", "  a "),
            Step("\x1bOA", "KEY_UP"),
            Step((30, 90), "30 rows, 90 columns"),
            Step("\x01", "^A"),
            Step((15, 40), "15 rows, 40 columns"),
            Step("q", "after\nready>"),
        ),
    ),
    "readline": (
        READLINE,
        (
            Step("agy\r", "what>"),
            Step("hellp\x7fo\r", "it is 'hello'\nwhat>"),
            Step("ab\x1b[D\x1b[DX\x05Y\r", "it is 'XabY'\nwhat>"),
            Step("or\t", "what> orange"),
            Step((25, 70), "what> orange"),
            Step("\x15\x1b[A", "what> XabY"),
            Step((18, 50), "what> XabY"),
            Step("\x12he", "hello"),
            Step("\r", "it is 'hello'\nwhat>"),
            Step("quit\r", "what> quit\nready>"),
        ),
    ),
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_the_screen_is_the_same_through_two_resizes(name: str, tmp_path: Path) -> None:
    text, steps = PROGRAMS[name]
    recorded, direct = recorded_agy(tmp_path / "1", text), direct_agy(tmp_path / "2", text)
    # What is shown by itself is all there once nothing more comes.
    wanted = [shell.at_rest() for shell in _screens(direct, steps)]
    for screen, shell in zip(wanted, _screens(recorded, steps), strict=True):
        shell.looks(screen)
    typed = "".join(step.does for step in steps[1:] if isinstance(step.does, str))
    assert recorded.recorded_bytes("i") == typed.encode()
    resized = [b"%d %d" % step.does for step in steps if not isinstance(step.does, str)]
    assert [frame.payload for frame in recorded.journal().frames if frame.code == "w"] == resized


SESSION = (
    Step("cd d/work; HOME=$PWD/../home agy\r", "Yes, I trust"),
    Step("\r", "? for shortcuts"),
    Step("Hello there", "> Hello there"),
    Step("\r", 'You said: "Hello there"'),
    Step((30, 90), "? for shortcuts"),
    Step("Once more", "> Once more"),
    Step((18, 50), "> Once more"),
    Step("\r", '"Once more"\nEarlier you told me'),
    Step("/exit", "> /exit"),
    Step("\r", "ready>"),
)


def test_a_session_of_the_double_looks_the_same_through_two_resizes(tmp_path: Path) -> None:
    settings = DoubleSettings(clock="2026-09-01T12:00:00Z")
    recorded = shim_before(make_double(tmp_path / "1" / "d", settings).agy, tmp_path / "1")
    direct = Agy(make_double(tmp_path / "2" / "d", settings).agy, tmp_path / "2")
    wanted = [shell.at_rest() for shell in _screens(direct, SESSION)]
    for screen, shell in zip(wanted, _screens(recorded, SESSION), strict=True):
        shell.looks(screen.replace("2/d/work", "1/d/work"))
    assert recorded.recorded_bytes("i") == b"\rHello there\rOnce more\r/exit\r"
    start = recorded.journal().start
    assert start is not None
    assert (start.tty, start.terminal) == ((20, 60), "session")
