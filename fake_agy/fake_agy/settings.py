"""What a double is told when it is written; nothing of it can come from the environment of a call."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import NamedTuple

    from fake_agy.profile.row import Value
    from fake_agy.turns.moves import PlainMove
else:
    from fake_agy.record import NamedTuple


class DoubleSettings(NamedTuple):
    """How one double behaves.

    Clients drop and replace environment variables before they start agy, so these are baked into the file
    named ``agy`` (`fake_agy.double.write_double`).
    """

    agy_version: str = "1.3.3"
    """Printed by ``--version``; decides which of agy's contracts is played."""

    seed: int = 1
    """Conversation ids and answers come from it."""

    speed: float | None = None
    """Divides every wait; None leaves the waits out."""

    clock: str | None = None
    """A time in ISO 8601 (UTC where it gives no offset) at which the clock stands still; None: it runs."""

    home: str | None = None
    """Where the store lies, in place of the caller's HOME."""

    calls: str | None = None
    """A file to which every call adds a line when it begins and when it ends. None: no such file."""

    switches: tuple[tuple[str, Value], ...] = ()
    """Behaviours that differ from those of the version, by name (`fake_agy.profile`)."""

    turns: tuple[tuple[PlainMove, ...], ...] = ()
    """What the model does in the first turns taken in a HOME (`fake_agy.turns.moves`); then it answers."""
