"""A session on a terminal: agy has one of its own, and who sits at the caller's one sees no difference."""

from collections.abc import Callable

from tests.support.direct_or_shim import Agy
from tests.support.shell import Shell

Make = Callable[..., Agy]

SIZES = """
import os, signal
def told(*_):
    os.write(1, b'%d rows, %d columns\\n' % tuple(os.get_terminal_size(0))[::-1])
signal.signal(signal.SIGWINCH, told)
told()
while os.read(0, 1) != b'q':
    pass
"""


def test_the_size_follows_the_terminals_twice(agy: Make) -> None:
    target = agy(SIZES)
    with Shell(target, size=(20, 60)) as shell:
        shell.run("agy")
        for size in ((20, 60), (25, 90), (18, 50)):
            shell.resize(*size)
            shell.shows("{} rows, {} columns".format(*size))
        shell.type("q\r")
        shell.prompts()
    if target.recorded:
        told = [frame.payload for frame in target.journal().frames if frame.code == "w"]
        assert told == [b"25 90", b"18 50"]
        start = target.journal().start
        assert start is not None
        assert (start.tty, start.terminal) == ((20, 60), "session")
        assert target.recorded_bytes("i") == b"q\r"
