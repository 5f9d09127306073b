"""What a flip is: calls of the double that come out otherwise when one behaviour is another."""

from collections.abc import Callable, Sequence
from typing import NamedTuple

from fake_agy.profile.row import Value
from fake_agy.turns.moves import PlainMove
from tests.support.double import Double


class Call(NamedTuple):
    """One call; in `argv`, `{id}` is the conversation made last and `{cwd}` the working directory."""

    argv: tuple[str, ...]
    stdin: bytes | None = None
    """What a pipe at stdin holds; None: the null device."""

    open_stdin: bool = False
    """Stdin is a pipe that stays open and silent; a call that still waits for it after 3 s is killed."""

    terminal: bool = False
    """All three streams are a terminal."""

    typed_after: tuple[tuple[bytes, bytes], ...] = ()
    """On a terminal, in order: once the first of a pair was shown, after what was shown for the pair before,
    the second is typed."""

    signal: int | None = None
    """Sent once the call has printed something or has its prompt in a transcript."""

    after: bytes = b""
    """The signal waits until this was printed."""

    env: tuple[tuple[str, str], ...] = ()
    before: Callable[[Double], None] | None = None
    """What happens to the store before the call."""

    home: bool = True
    """False: HOME is not set."""


class Flip(NamedTuple):
    """Calls in order, in one HOME; `switches` hold in both runs, beside the behaviour that is flipped.

    `prepare` may put files into the double's HOME or working directory before the first call.
    """

    calls: tuple[Call, ...]
    turns: Sequence[tuple[PlainMove, ...]] = ()
    switches: tuple[tuple[str, Value], ...] = ()
    prepare: Callable[[Double], None] | None = None


def says(*argv: str) -> Flip:
    """One call with the default answer."""
    return Flip((Call(argv),))
