"""What one call of the double touches: its streams, its clock, its environment."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import NamedTuple

    from fake_agy.clock import Clock
    from fake_agy.interrupts import Interrupts
else:
    from fake_agy.record import NamedTuple


class Stdin(NamedTuple):
    """Where input comes from; `read` waits for some of it, and gives nothing at the end."""

    kind: str
    """terminal, device, pipe or file: agy decides on signing in by it (contract.md 2.7)."""

    read: Callable[[], bytes]

    def to_the_end(self) -> bytes:
        """Read all there is."""
        pieces = []
        while piece := self.read():
            pieces.append(piece)
        return b"".join(pieces)


class World(NamedTuple):
    """Everything outside; `home` is None where HOME is empty, and `pid` only shows in the log.

    `out` and `err` write all of a text at once, and go on where nobody takes it.
    """

    stdin: Stdin
    out: Callable[[str], None]
    err: Callable[[str], None]
    stdout_is_tty: bool
    clock: Clock
    interrupts: Interrupts
    home: str | None
    cwd: str
    env: Mapping[str, str]
    pid: int
    program: str = "agy"
    """The name it was called by, as it stands in some of agy's messages."""
