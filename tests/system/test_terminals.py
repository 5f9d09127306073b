"""A session behind a shim in tmux and below `script`: the size follows, and it ends as it did."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.support.direct_or_shim import Agy, direct_agy, none_left, recorded_agy
from tests.support.shell import Shell

# It reads whole lines: the end of one that is left over would be read by the shell behind it.
SIZES = """
import os, signal
def told(*_):
    os.write(1, b'%d rows, %d columns\\n' % tuple(os.get_terminal_size(0))[::-1])
signal.signal(signal.SIGWINCH, told)
told()
while b'q' not in os.read(0, 100):
    pass
os._exit(7)
"""


@pytest.fixture(autouse=True)
def nothing_left(tmp_path: Path) -> Iterator[None]:
    yield from none_left(tmp_path)


@pytest.fixture(params=[direct_agy, recorded_agy], ids=["direct", "shim"])
def shell(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Shell]:
    make: Callable[..., Agy] = request.param
    with Shell(make(tmp_path, SIZES), size=(30, 90)) as opened:
        yield opened


def test_a_session_below_script(shell: Shell) -> None:
    shell.run("script", "-qec", "agy; echo ended $?", "/dev/null")
    shell.shows("30 rows, 90 columns")
    for rows, columns in ((25, 70), (28, 60)):
        shell.resize(rows, columns)
        shell.shows(f"{rows} rows, {columns} columns")
    shell.type("q\r")
    shell.shows("ended 7")
    shell.prompts()


def test_a_session_in_tmux(shell: Shell) -> None:
    shell.run("tmux", "-S", "socket", "-f", "/dev/null", "new", 'PATH="$PATH" agy; echo ended $?; read end')
    shell.shows("29 rows, 90 columns")
    for rows, columns in ((25, 70), (28, 60)):
        shell.resize(rows, columns)
        # The last line is tmux's own.
        shell.shows(f"{rows - 1} rows, {columns} columns")
    shell.type("q\r")
    shell.shows("ended 7")
    shell.type("\r")
    shell.shows("[exited]")
    shell.prompts()
