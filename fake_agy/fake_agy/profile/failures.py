"""How calls fail: the model's API, the account, time, signals (contract.md 2.4 to 2.8, 6.2)."""

from __future__ import annotations

from fake_agy.profile.row import Behaviour, Row

BEHAVIOURS = (
    Behaviour(
        "account",
        "what agy's account is in for; no version's own, a switch",
        (Row((1, 0, 0), "signed-in", "inferred", "contract.md 2.7"),),
        others=("signed-out", "quota", "capacity", "server", "location", "credits", "network"),
    ),
    Behaviour(
        "api-failure",
        "how a failure of the model's API ends a call: silent and 0, a line and 1, AGY_ERROR and 3",
        (
            Row((1, 0, 0), "silent", "reported by 3 or more", "contract.md 2.2, 2.8; changelog"),
            Row((1, 1, 1), "error", "captured", "contract.md 2.5; changelog, gobby"),
            Row((1, 2, 6), "agy-error", "reported by 3 or more", "contract.md 2.4; changelog"),
        ),
    ),
    Behaviour(
        "partial-failure-exit",
        "the exit status of a failure after a partial answer, where AGY_ERROR is printed",
        (
            Row((1, 0, 0), 1, "inferred", "contract.md 2.5"),
            Row((1, 2, 10), 3, "reported by 1", "contract.md 2.5; changelog"),
        ),
    ),
    Behaviour(
        "error-marker",
        "the word that lines about errors begin with",
        (
            Row((1, 0, 0), "Error", "reported by 3 or more", "contract.md 2.4; gobby"),
            Row((1, 1, 28), "error", "reported by 1", "contract.md 2.4; changelog"),
        ),
    ),
    Behaviour(
        "api-attempts",
        "how often the model's API is called before the turn fails",
        (
            Row((1, 0, 0), 1, "inferred", "contract.md 2.8"),
            # That they go on is reported; the number is the highest that a message was seen to name.
            Row((1, 2, 1), 5, "inferred", "contract.md 2.8; changelog"),
        ),
    ),
    Behaviour(
        "quota-attempts",
        "how often it is called before a quota that is used up fails the turn",
        (
            Row((1, 0, 0), 1, "captured", "contract.md 2.8; gobby"),
            Row((1, 2, 1), 5, "inferred", "contract.md 2.8"),
            Row((1, 2, 13), 1, "reported by 1", "contract.md 2.8; changelog"),
        ),
    ),
    Behaviour(
        "content-filter",
        "whether an answer that the content filter stopped is told of",
        (
            Row((1, 0, 0), "silent", "reported by 1", "contract.md 2.8; changelog"),
            Row((1, 2, 0), "told", "reported by 1", "contract.md 2.8; changelog"),
        ),
    ),
    Behaviour(
        "dropped-stream",
        "how a turn ends whose stream of states was dropped",
        (
            Row((1, 0, 0), "silent", "reported by 2", "contract.md 2.2"),
            Row((1, 1, 18), "error", "contradicted", "contract.md 2.2, 8; changelog, issue 902"),
        ),
    ),
    Behaviour(
        "sign-in",
        "where somebody who isn't signed in is told how: on stdout, on stderr, or not at all on a pipe",
        (
            Row((1, 0, 0), "stdout", "reported by 2", "contract.md 2.7"),
            # Captured at 1.1.18; that it began with the other diagnostics of the start is inferred.
            Row((1, 1, 12), "stderr", "captured", "contract.md 2.7, 8; gobby"),
            Row((1, 1, 27), "by-stdin", "reported by 1", "contract.md 2.7"),
        ),
    ),
    Behaviour(
        "print-timeout",
        "seconds that a turn may take unless --print-timeout says it; 0 is no limit",
        (
            Row((1, 0, 0), 300, "reported by 3 or more", "contract.md 2.6"),
            Row((1, 2, 6), 0, "reported by 3 or more", "contract.md 2.6; changelog"),
        ),
    ),
    Behaviour(
        "zero-timeout",
        "what --print-timeout 0 means",
        (
            Row((1, 0, 0), "at-once", "captured", "contract.md 2.6; gobby"),
            Row((1, 2, 6), "unlimited", "reported by 1", "contract.md 2.6; changelog"),
        ),
    ),
    Behaviour(
        "timeout-contract",
        "what a caller gets when the time is up: a line on stdout and 0, an error and 1, what there is and 0",
        (
            Row((1, 0, 0), "stdout", "reported by 1", "contract.md 2.6; multica"),
            Row((1, 1, 0), "error", "captured", "contract.md 2.6; gobby"),
            Row((1, 1, 28), "partial", "reported by 3 or more", "contract.md 2.6; changelog"),
        ),
    ),
    Behaviour(
        "interrupted-turn",
        "the error of a turn in print mode that a signal ended",
        (Row((1, 0, 0), "timeout waiting for response", "captured", "contract.md 6.2, 9; gobby"),),
        others=("interrupted",),
    ),
    Behaviour(
        "interrupted-stream",
        "the error of a turn of a stream of messages that a signal ended",
        (
            Row((1, 0, 0), "context canceled", "captured", "contract.md 6.2; gobby"),
            Row((1, 1, 27), "interrupted", "reported by 1", "contract.md 6.2; phoenix"),
        ),
    ),
    Behaviour(
        "failed-stream-turn",
        "what a stream of messages does after a failed turn",
        (Row((1, 0, 0), "continue", "contradicted", "contract.md 3.4, 9; changelog"),),
        others=("exit",),
    ),
    Behaviour(
        "schema-root",
        "what --json-schema takes: any text, or only a schema of an object",
        (
            Row((1, 0, 0), "any", "reported by 1", "contract.md 3.3; changelog"),
            Row((1, 2, 14), "object", "reported by 1", "contract.md 3.3; changelog"),
        ),
    ),
)
