"""How command lines are read (contract.md 1)."""

from __future__ import annotations

from fake_agy.profile.row import Behaviour, Row

BEHAVIOURS = (
    Behaviour(
        "swallowed-flag",
        "a prompt flag that took another flag as its prompt",
        (
            Row((1, 0, 0), "prompt", "reported by 3 or more", "contract.md 1.5"),
            Row((1, 1, 18), "refused", "reported by 3 or more", "contract.md 1.5; changelog, gobby"),
        ),
    ),
    Behaviour(
        "stray-argument",
        "a word left over beside a prompt flag",
        (
            Row((1, 0, 0), "ignored", "reported by 2", "contract.md 1.5; changelog"),
            Row((1, 1, 18), "refused", "reported by 2", "contract.md 1.5; changelog"),
        ),
    ),
    Behaviour(
        "positional-prompt",
        "a word that is no subcommand, without a prompt flag",
        (
            Row((1, 0, 0), "screen", "reported by 2", "contract.md 1.5"),
            Row((1, 1, 27), "refused", "reported by 1", "failures.md 3, 4"),
        ),
    ),
    Behaviour(
        "unknown-model",
        "a --model that there isn't",
        (
            Row((1, 0, 0), "falls-back", "reported by 1", "contract.md 1.6; multica"),
            Row((1, 1, 2), "refused", "reported by 3 or more", "contract.md 1.6; changelog"),
        ),
    ),
    Behaviour(
        "models-form",
        "what a line of agy models holds",
        (
            Row((1, 0, 0), "labels", "reported by 3 or more", "contract.md 1.3"),
            Row((1, 1, 5), "slugs", "reported by 3 or more", "contract.md 1.3"),
            Row((1, 1, 11), "slugs-and-labels", "captured", "contract.md 1.3; intern, marshal"),
        ),
    ),
    Behaviour(
        "models-progress",
        "where agy models says that it fetches",
        (
            Row((1, 0, 0), "stdout", "reported by 2", "contract.md 1.3; changelog"),
            Row((1, 1, 12), "stderr", "reported by 2", "contract.md 1.3; changelog"),
        ),
    ),
    Behaviour(
        "slash-commands",
        "which slash commands print mode answers by itself",
        (
            Row((1, 0, 0), "none", "reported by 3 or more", "contract.md 1.7; changelog"),
            Row((1, 1, 11), "read-only", "captured", "contract.md 1.7; gobby"),
            Row((1, 1, 12), "more", "reported by 3 or more", "contract.md 1.7; changelog"),
        ),
    ),
)
