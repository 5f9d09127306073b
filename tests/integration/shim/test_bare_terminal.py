"""A terminal that a client opened and that controls no session: no key is a signal there."""

import os
import random
import signal
import time
from collections.abc import Callable
from pathlib import Path

from agy_proxy.record.journal import list_journals, read_journal
from tests.support.direct_or_shim import Agy, environment, gone, processes_of, until
from tests.support.figures import drawn_seed, scaled
from tests.support.terminal import Terminal

Make = Callable[..., Agy]

LINES = """
import os, signal, sys, termios
try:
    os.open('/dev/tty', os.O_RDWR)
    os.write(1, b'controlled\\n')
except OSError:
    os.write(1, b'free\\n')
def told(*_):
    os.write(1, b'%d columns, %d rows\\n' % tuple(os.get_terminal_size(0)))
signal.signal(signal.SIGWINCH, told)
told()
new = termios.tcgetattr(0)
new[3] &= ~termios.ICANON
termios.tcsetattr(0, termios.TCSANOW, new)
while True:
    key = os.read(0, 1)
    if key in b'q':
        break
    os.write(1, b' key %a\\n' % key)
new[3] |= termios.ICANON
termios.tcsetattr(0, termios.TCSANOW, new)
os._exit(4)
"""


def _terminal(target: Agy) -> Terminal:
    return Terminal({"args": [target.path], "env": environment()})


def test_a_client_that_only_opened_a_terminal_sees_no_difference(agy: Make) -> None:
    with _terminal(agy(LINES)) as terminal:
        terminal.shows("free")
        terminal.shows("80 columns, 24 rows")
        for size in ((60, 20), (90, 30)):
            terminal.resize(size)
            terminal.shows("{} columns, {} rows".format(*size))
        for key in "CZ\\":
            terminal.type(bytes([ord(key) & 31]))
            terminal.shows(f"^{key}")
        terminal.type("a")
        terminal.shows("key b'a'")
        terminal.type("q")
        assert terminal.ends() == 4
        assert terminal.is_as_before()
        assert terminal.seen.count(b"columns") == 3


def test_a_session_that_nobody_could_continue_is_not_stopped_by_a_terminals_stop(agy: Make) -> None:
    with _terminal(agy(LINES)) as terminal:
        terminal.shows("80 columns")
        terminal.process.send_signal(signal.SIGTSTP)
        terminal.type("a")
        terminal.shows("key b'a'")
        terminal.process.send_signal(signal.SIGSTOP)
        os.waitpid(terminal.process.pid, os.WUNTRACED)
        terminal.process.send_signal(signal.SIGCONT)
        terminal.type("q")
        assert terminal.ends() == 4
        assert terminal.is_as_before()


def test_a_session_that_was_continued_while_it_ran_still_gives_its_terminal_back(shim: Make) -> None:
    with _terminal(shim(LINES)) as terminal:
        terminal.shows("80 columns")
        for key in "abc":
            terminal.process.send_signal(signal.SIGCONT)
            terminal.type(key)
            terminal.shows(f"key b'{key}'")
        terminal.process.kill()
        assert terminal.ends() == -signal.SIGKILL
        until(terminal.is_as_before, "the terminal as it was")


def test_sigkill_on_the_shim_leaves_the_terminal_as_it_was(shim: Make) -> None:
    with _terminal(shim(LINES)) as terminal:
        terminal.shows("80 columns")
        assert not terminal.is_as_before()
        terminal.process.kill()
        assert terminal.ends() == -signal.SIGKILL
        until(terminal.is_as_before, "the terminal as it was")


def test_a_terminal_that_is_gone_ends_agy(agy: Make) -> None:
    terminal = _terminal(agy(LINES))
    with terminal:
        terminal.shows("80 columns")
    until(lambda: gone(terminal.process.pid), "agy's end")


def test_sigkill_at_any_moment_leaves_no_agy_and_the_terminal_as_it_was(shim: Make, tmp_path: Path) -> None:
    chance = random.Random(drawn_seed())
    target = shim(LINES)
    for _ in range(scaled(200)):
        with _terminal(target) as terminal:
            # Not a wait for something: the moment of death is what is drawn.
            time.sleep(chance.uniform(0.0, 0.06))
            terminal.process.kill()
            assert terminal.ends() == -signal.SIGKILL
            until(lambda: not processes_of(tmp_path), "the end of all that the shim started")
            assert terminal.is_as_before()
    for path in list_journals(target.journals):
        assert not read_journal(path).torn
