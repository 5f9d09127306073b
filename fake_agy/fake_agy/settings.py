"""What a double is told when it is written; nothing of it can come from the environment of a call."""

from typing import NamedTuple


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
    """A file to which every call adds a line: its arguments, as `ascii` writes a list. None: no such file."""
