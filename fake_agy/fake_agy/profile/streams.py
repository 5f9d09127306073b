"""What is read from stdin, what json and stream-json show, how denied and failed tools count there."""

from __future__ import annotations

from fake_agy.profile.row import Behaviour, Row

BEHAVIOURS: tuple[Behaviour, ...] = (
    Behaviour(
        "auto-print",
        "without a prompt flag, what a pipe at stdin holds is the prompt",
        (
            Row((1, 0, 0), False, "inferred", "contract.md 1.5"),
            Row((1, 1, 1), True, "reported by 3 or more", "contract.md 1.5"),
        ),
    ),
    Behaviour(
        "stdin-beside-prompt",
        "stdin is read to its end although a flag gives the prompt, and is the prompt where that is empty",
        (
            Row((1, 0, 0), "read", "reported by 3 or more", "contract.md 2.1"),
            Row((1, 1, 1), "ignored", "reported by 3 or more", "contract.md 2.1"),
        ),
    ),
    Behaviour(
        "dash-prompt",
        "what the prompt - means",
        (
            Row((1, 0, 0), "stdin", "reported by 1", "contract.md 1.5"),
            Row((1, 1, 1), "literal", "reported by 2", "contract.md 1.5"),
        ),
    ),
    Behaviour(
        "prompt-beside-stream-input",
        "what a prompt flag is beside a stream of messages",
        (Row((1, 0, 0), "first-turn", "contradicted", "contract.md 1.5"),),
        others=("refused",),
    ),
    Behaviour(
        "init-order",
        "which of two keys comes first in a stream's init",
        (Row((1, 0, 0), "tools-first", "contradicted", "contract.md 3.2"),),
        others=("mode-first",),
    ),
    Behaviour(
        "model-in-init",
        "whether a stream's init names the model",
        (
            Row((1, 0, 0), "when-asked", "captured", "contract.md 3.2"),
            Row((1, 3, 2), "always", "reported by 1", "contract.md 3.2"),
        ),
    ),
    Behaviour(
        "search-tools",
        "the old search tools are among the tools of init",
        (
            Row((1, 0, 0), True, "captured", "contract.md 3.2"),
            Row((1, 2, 7), False, "reported by 1", "contract.md 3.2"),
        ),
    ),
    Behaviour(
        "error-message-steps",
        "a stream shows a step for each failed call of the model's API",
        (
            Row((1, 0, 0), False, "inferred", "contract.md 3.2"),
            Row((1, 1, 18), True, "captured", "contract.md 3.2"),
        ),
    ),
    Behaviour(
        "tool-error-status",
        "the status of a turn that answered after a tool failed or was denied",
        (
            Row((1, 0, 0), "ERROR", "captured", "contract.md 5.1"),
            Row((1, 1, 20), "SUCCESS", "reported by 2", "contract.md 5.1"),
        ),
    ),
    Behaviour(
        "tool-error-exit",
        "the exit status where a tool's error makes the turn's status ERROR",
        (
            Row((1, 0, 0), 0, "inferred", "contract.md 5.1"),
            Row((1, 1, 8), 1, "reported by 2", "contract.md 5.1"),
            Row((1, 1, 18), 0, "captured", "contract.md 5.1"),
        ),
    ),
    Behaviour(
        "denied-without-text",
        "the status of a turn that said nothing because a tool was denied",
        (
            Row((1, 0, 0), "CANCELED", "captured", "contract.md 3.1"),
            Row((1, 1, 28), "SUCCESS", "captured", "contract.md 3.1"),
        ),
    ),
    Behaviour(
        "denied-step",
        "how a stream shows a denied tool: done without output, or an error with its message",
        (Row((1, 0, 0), "done", "contradicted", "contract.md 3.2"),),
        others=("error",),
    ),
    Behaviour(
        "denied-actions",
        "json names the actions that were denied",
        (
            Row((1, 0, 0), False, "inferred", "contract.md 3.1"),
            Row((1, 1, 27), True, "captured", "contract.md 3.1"),
        ),
    ),
    Behaviour(
        "subagent-steps",
        "a stream shows a subagent as a step of its own kind, not as a tool",
        (
            Row((1, 0, 0), False, "inferred", "contract.md 3.2"),
            Row((1, 3, 0), True, "reported by 1", "contract.md 3.2"),
        ),
    ),
    Behaviour(
        "partial-response",
        "json keeps what a turn said before it failed",
        (
            Row((1, 0, 0), False, "inferred", "contract.md 3.1"),
            Row((1, 2, 10), True, "reported by 1", "contract.md 3.1"),
        ),
    ),
    Behaviour(
        "exit-lag",
        "seconds from the end of the turn to the end of the process",
        (
            Row((1, 0, 0), 5, "reported by 2", "contract.md 6.1"),
            Row((1, 2, 8), 0, "reported by 1", "contract.md 6.1"),
        ),
    ),
)
