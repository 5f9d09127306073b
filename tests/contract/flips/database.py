"""The calls that show how conversations are kept."""

from tests.contract.flips.flip import Call, Flip, says
from tests.support.double import Double

AGAIN = ("--conversation", "{id}", "-p", "again")


def lost(double: Double) -> None:
    """Take the database of the conversation away between two calls."""
    for path in (double.root / "conversations").iterdir():
        path.unlink()


FLIPS = {
    "conversation-store": says("-p", "hello"),
    "database-missing": Flip((Call(("-p", "hello")), Call(AGAIN, before=lost))),
    "summaries": Flip((Call(("-p", "hello")), Call(("-p", "another")))),
    "wal-checkpoint": Flip((Call(("-p", "hello")),), switches=(("conversation-store", "database"),)),
}
