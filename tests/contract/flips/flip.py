"""What a flip is: calls of the double that come out otherwise when one behaviour is another."""

from collections.abc import Sequence
from typing import NamedTuple

from fake_agy.profile.row import Value
from fake_agy.turns.moves import PlainMove


class Call(NamedTuple):
    """One call; `{id}` in `argv` is the newest conversation's id of the working directory."""

    argv: tuple[str, ...]
    stdin: bytes | None = None
    """What a pipe at stdin holds; None: the null device."""

    open_stdin: bool = False
    """Stdin is a pipe that stays open and silent for the whole call."""

    terminal: bool = False
    """All three streams are a terminal; `typed` is typed on it."""

    typed: bytes = b""
    signal: int | None = None
    """Sent once the call has printed its first byte, or, where it prints none, has its prompt stored."""

    env: tuple[tuple[str, str], ...] = ()
    home: bool = True
    """False: HOME is not set."""


class Flip(NamedTuple):
    """Calls in order, in one HOME; `switches` hold in both runs, beside the behaviour that is flipped."""

    calls: tuple[Call, ...]
    turns: Sequence[tuple[PlainMove, ...]] = ()
    switches: tuple[tuple[str, Value], ...] = ()


def says(*argv: str) -> Flip:
    """One call with the default answer."""
    return Flip((Call(argv),))
