"""How conversations are found again, what of them is repeated, and how their figures are counted."""

from __future__ import annotations

from fake_agy.profile.row import Behaviour, Row

BEHAVIOURS: tuple[Behaviour, ...] = (
    Behaviour(
        "not-found-warning",
        "where the warning about an unknown conversation goes; with a capital and a full stop on stdout",
        (
            Row((1, 0, 0), "stdout", "contradicted", "contract.md 4.2"),
            Row((1, 1, 12), "stderr", "reported by 3 or more", "contract.md 4.2"),
        ),
        others=("log",),
    ),
    Behaviour(
        "replay-on-resume",
        "a resumed text turn prints all earlier answers before the new one",
        (
            Row((1, 0, 0), True, "reported by 2", "contract.md 4.4"),
            Row((1, 0, 9), False, "contradicted", "contract.md 4.4"),
        ),
    ),
    Behaviour(
        "continue-fallback",
        "--continue takes the newest conversation of the folders above and below where its own entry is void",
        (
            Row((1, 0, 0), False, "inferred", "contract.md 4.3"),
            Row((1, 2, 1), True, "reported by 1", "contract.md 4.3"),
        ),
    ),
    Behaviour(
        "last-conversations",
        "when cache/last_conversations.json gets its entry",
        (Row((1, 0, 0), "at-turn-end", "contradicted", "stores.md 4.4"),),
        others=("at-create",),
    ),
    Behaviour(
        "first-turn-rows",
        "the steps around the first prompt: a history step, a checkpoint that names the conversation, which"
        " may be in the database alone and leave a gap in the transcripts",
        (
            Row((1, 0, 0), "history-and-gap", "captured", "stores.md 2.6; probity"),
            Row((1, 0, 7), "history-and-late-title", "captured", "stores.md 2.6; irrlicht"),
            Row((1, 1, 5), "history-and-gap", "reported by 1", "stores.md 2.6; specstory"),
            Row((1, 1, 15), "title-first", "captured", "contract.md 3.2"),
            Row((1, 1, 22), "history", "inferred", "contract.md 9"),
            Row((1, 2, 0), "plain", "captured", "stores.md 2.6"),
        ),
    ),
    Behaviour(
        "ephemeral-rows",
        "a reminder step before each answer of a Pro model",
        (
            Row((1, 0, 0), True, "captured", "stores.md 2.6"),
            Row((1, 1, 0), False, "inferred", "stores.md 2.6"),
        ),
    ),
    Behaviour(
        "usage-scope",
        "what usage, num_turns and duration_seconds are summed over",
        (Row((1, 0, 0), "conversation", "contradicted", "contract.md 3.1"),),
        others=("process",),
    ),
    Behaviour(
        "cache-tokens",
        "what of a prompt counts as read from the cache",
        (Row((1, 0, 0), "none", "inferred", "contract.md 3.1"),),
        others=("shared-prefix",),
    ),
    Behaviour(
        "historical-error",
        "the error of a failed turn ends every later turn of its conversation, complete answer or not",
        (
            Row((1, 0, 0), False, "inferred", "contract.md 3.5"),
            Row((1, 1, 27), True, "reported by 3 or more", "contract.md 3.5"),
            Row((1, 2, 7), False, "inferred", "contract.md 3.5"),
        ),
    ),
)
