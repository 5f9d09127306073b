"""How conversations are kept so that they can be gone on with (stores.md 3.1, 4)."""

from __future__ import annotations

from fake_agy.profile.row import Behaviour, Row

BEHAVIOURS = (
    Behaviour(
        "conversation-store",
        "the form of conversations/<id>: a database, or one file that only agy reads",
        (
            Row((1, 0, 0), "opaque", "reported by 2", "stores.md 1.2; changelog"),
            Row((1, 0, 4), "database", "captured", "stores.md 4.1; changelog"),
        ),
    ),
    Behaviour(
        "database-missing",
        "a conversation whose transcript is there and whose database is gone",
        (
            Row((1, 0, 0), "same-id", "reported by 1", "stores.md 3.1; specstory 1.1.5"),
            Row((1, 1, 17), "not-found", "reported by 1", "stores.md 3.1; issue 567"),
        ),
    ),
    Behaviour(
        "summaries",
        "when conversation_summaries.db gets a conversation",
        (
            Row((1, 0, 0), "never", "inferred", "stores.md 4.3"),
            Row((1, 1, 0), "at-turn-end", "contradicted", "stores.md 4.3"),
        ),
        others=("lagging",),
    ),
    Behaviour(
        "wal-checkpoint",
        "whether a database's write-ahead log is written back at exit",
        (
            Row((1, 0, 0), False, "reported by 3 or more", "stores.md 4.1"),
            Row((1, 1, 26), True, "reported by 1", "contract.md 4.8; changelog"),
        ),
    ),
)
