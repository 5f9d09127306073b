"""What the files of a store hold (stores.md 1, 2)."""

from __future__ import annotations

from fake_agy.profile.row import Behaviour, Row

BEHAVIOURS = (
    Behaviour(
        "chunks",
        "which turns of the transcripts are kept in chunks as well",
        (
            Row((1, 0, 0), "none", "captured", "stores.md 7; irrlicht"),
            Row((1, 1, 13), "every-turn", "contradicted", "stores.md 1.3, 8; pond"),
        ),
        others=("first-turn",),
    ),
    Behaviour(
        "chunk-cut",
        "where a chunk ends: behind a row, or in the middle of one",
        (Row((1, 0, 0), "whole-rows", "contradicted", "stores.md 1.3, 8; interlatch"),),
        others=("mid-line",),
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
            Row((1, 1, 14), "exited", "captured", "contract.md 4.9; gobby"),
            Row((1, 2, 0), "exited-terminal", "captured", "stores.md 2.3; pond"),
        ),
    ),
    Behaviour(
        "result-times",
        "the times above a tool's result: in UTC or local",
        (Row((1, 0, 0), "utc", "contradicted", "stores.md 2.3, contract.md 4.9"),),
        others=("local",),
    ),
    Behaviour(
        "exit-code-key",
        "the row of a command has its exit code as a key",
        (
            Row((1, 0, 0), False, "captured", "stores.md 2.2, 8; irrlicht"),
            Row((1, 1, 11), True, "reported by 2", "contract.md 4.9"),
        ),
    ),
    Behaviour(
        "token-keys",
        "the row of a model's response has its tokens as keys",
        (Row((1, 0, 0), False, "contradicted", "stores.md 2.1, 8; agy-token-stats, sessionfs"),),
        others=(True,),
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
        "running-rows",
        "a command in the background has one row that says it runs, or another one once it is done",
        (Row((1, 0, 0), "once", "contradicted", "stores.md 2.5, 8; specstory, pond, uniflo"),),
        others=("again-when-done",),
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
        "presence-at-exit",
        "the lock file of a conversation stays when nobody has it open any more",
        (Row((1, 0, 0), "kept", "contradicted", "contract.md 4.7, stores.md 5.2"),),
        others=("removed",),
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
            Row((1, 0, 0), "message", "inferred", "stores.md 5.1"),
            Row((1, 2, 0), "message-and-cursor", "reported by 1", "stores.md 1.4; pond"),
        ),
        others=("none",),
    ),
    Behaviour(
        "subagent-files",
        "a conversation keeps a file for each child it has sent out",
        (
            Row((1, 0, 0), False, "inferred", "stores.md 1.3"),
            Row((1, 1, 0), True, "reported by 1", "stores.md 1.3, 1.4; pond"),
        ),
    ),
    Behaviour(
        "step-outputs",
        "a tool's result is kept in a file of its own as well",
        (
            Row((1, 0, 0), False, "inferred", "stores.md 7"),
            Row((1, 2, 0), True, "reported by 1", "stores.md 1.3, 7; pond"),
        ),
    ),
    Behaviour(
        "annotations",
        "a new conversation's title is kept in a file of its own",
        (
            Row((1, 0, 0), False, "reported by 2", "stores.md 1.2"),
            Row((1, 1, 21), True, "reported by 2", "stores.md 1.2, contract.md 8; changelog"),
        ),
    ),
    Behaviour(
        "conversation-metadata",
        "cache/conversation_metadata.json lists conversations",
        (
            Row((1, 0, 0), False, "inferred", "stores.md 1.2"),
            Row((1, 1, 0), True, "reported by 1", "stores.md 1.2, 4.4"),
        ),
    ),
    Behaviour(
        "projects-cache",
        "cache/projects.json notes a directory's project",
        (Row((1, 0, 0), False, "contradicted", "stores.md 1.2, contract.md 4.6"),),
        others=(True,),
    ),
    Behaviour(
        "early-log-line",
        "the log's first line says that logging was not set up yet, in the log alone or on stderr too",
        (
            Row((1, 0, 0), "marked", "reported by 1", "stores.md 1.5"),
            Row((1, 2, 0), "plain", "reported by 1", "contract.md 2.4; changelog"),
        ),
        others=("on-stderr",),
    ),
)
