"""Which conversations there are, and how one is opened (stores.md 3.1, 4; contract.md 4.2)."""

from __future__ import annotations

import os

from fake_agy.go.digest import uuid_of
from fake_agy.stores.database import Broken, Facts, open_database, trail_of
from fake_agy.stores.layout import database_path, logs

TYPE_CHECKING = False
if TYPE_CHECKING:
    from fake_agy.profile.resolve import Profile
    from fake_agy.stores.database import Database
    from fake_agy.stores.layout import Layout
    from fake_agy.stores.payload import Trail

_DIGITS = frozenset("0123456789abcdef")


def is_known(layout: Layout, conversation: str, profile: Profile) -> bool:
    """Say whether an id can be gone on with: its store is there, or, by version, its transcript alone.

    An id that isn't shaped as agy's never is.
    """
    if not is_id(conversation):
        return False
    if os.path.exists(_path(layout, conversation, profile)):
        return True
    return profile["database-missing"] == "same-id" and _has_transcript(layout, conversation)


def open_conversation(
    layout: Layout, conversation: str, facts: Facts | None, profile: Profile, *, seed: int, now: float
) -> Database:
    """Open a conversation, made new where `facts` say with what; `Broken` where it can't be read.

    `now` is in seconds since the epoch.
    One whose database is gone is begun again under its id, without memory (stores.md 3.1).
    """
    trail = trail_of(conversation, seed, f"{logs(layout, conversation)}/transcript.jsonl")
    path = _path(layout, conversation, profile)
    if facts is None and not os.path.exists(path):
        trajectory = uuid_of(str(seed), conversation, "trajectory")
        facts = Facts(conversation, trajectory, now)
    database = _opened(path, trail, facts, profile)
    if facts is None:
        database.cancel_running()
    return database


def is_id(text: str) -> bool:
    """Say whether a text is shaped as an id: a UUID in lower case."""
    parts = text.split("-")
    return [len(part) for part in parts] == [8, 4, 4, 4, 12] and _DIGITS.issuperset("".join(parts))


def _opened(path: str, trail: Trail, facts: Facts | None, profile: Profile) -> Database:
    if profile["conversation-store"] == "database":
        return open_database(path, trail, facts)
    from fake_agy.stores.opaque import open_opaque  # only the oldest versions need it

    return open_opaque(path, trail, facts)


def _path(layout: Layout, conversation: str, profile: Profile) -> str:
    path = database_path(layout, conversation)
    return path if profile["conversation-store"] == "database" else path.removesuffix(".db") + ".pb"


def _has_transcript(layout: Layout, conversation: str) -> bool:
    return os.path.exists(f"{logs(layout, conversation)}/transcript.jsonl")


__all__ = ["Broken", "is_id", "is_known", "open_conversation"]
