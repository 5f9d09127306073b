"""What the files of a store hold (stores.md 1, 2)."""

from __future__ import annotations

from fake_agy.profile.row import Behaviour, Row

BEHAVIOURS = (
    Behaviour(
        "chunks",
        "the transcripts are kept in chunks as well",
        (
            Row((1, 0, 0), False, "captured", "stores.md 7; irrlicht"),
            Row((1, 1, 13), True, "reported by 2", "stores.md 1.3; pond"),
        ),
    ),
    Behaviour(
        "result-types",
        "the type of a tool's result: one for each kind of tool, or GENERIC for all",
        (
            Row((1, 0, 0), "typed", "captured", "stores.md 2.2; irrlicht"),
            Row((1, 1, 14), "generic", "reported by 2", "stores.md 2.2; pond"),
        ),
    ),
    Behaviour(
        "command-result",
        "the words of a command's result: completed or failed, or exited with a code",
        (
            Row((1, 0, 0), "completed", "captured", "stores.md 2.3; irrlicht"),
            Row((1, 1, 14), "exited", "captured", "stores.md 2.3, contract.md 4.9; gobby, pond"),
        ),
    ),
    Behaviour(
        "failed-step-rows",
        "a tool that failed has a row in the transcripts",
        (
            Row((1, 0, 0), True, "captured", "stores.md 2.3; reference"),
            Row((1, 2, 0), False, "reported by 1", "stores.md 2.5; pond"),
            Row((1, 2, 4), True, "reported by 1", "contract.md 8; changelog"),
        ),
    ),
    Behaviour(
        "presence",
        "a lock file says that a process has the conversation open",
        (
            Row((1, 0, 0), False, "captured", "stores.md 1.2; irrlicht"),
            Row((1, 1, 10), True, "inferred", "contract.md 4.7; stores.md 1.2"),
        ),
    ),
    Behaviour(
        "default-project",
        "cache/default_project_id.txt is written at the first start",
        (
            Row((1, 0, 0), False, "inferred", "contract.md 4.6"),
            Row((1, 0, 12), True, "reported by 2", "stores.md 1.2"),
        ),
    ),
    Behaviour(
        "restart-message",
        "a resumed turn keeps the notice of the restart as a message file",
        (
            Row((1, 0, 0), False, "inferred", "stores.md 5.1"),
            Row((1, 2, 0), True, "reported by 1", "stores.md 1.4; pond"),
        ),
    ),
)
