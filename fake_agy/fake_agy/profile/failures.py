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
        # A line on stdout and 0: cokacdir's, at 1.1.1 (contract.md 2.3).
        others=("stdout",),
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
        others=("until-time-out",),
    ),
    Behaviour(
        "quota-attempts",
        "how often it is called before a quota that is used up fails the turn",
        (
            Row((1, 0, 0), 1, "captured", "contract.md 2.8; gobby"),
            # Up to the time limit: agy-plugin-cc, t988; ended by itself: orchestrator. The number is ours.
            Row((1, 2, 1), 5, "contradicted", "contract.md 2.5, 2.8, 9"),
            Row((1, 2, 13), 1, "reported by 1", "contract.md 2.8; changelog"),
        ),
        others=("until-time-out",),
    ),
    Behaviour(
        "credits-failure",
        "what a turn says for which no credits are left: at once that the balance is too low, or after a"
        " while that it was terminated",
        (
            Row((1, 0, 0), "terminated", "reported by 1", "contract.md 2.8"),
            Row((1, 2, 15), "told", "reported by 1", "contract.md 2.8; changelog"),
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
        others=("canceled",),
    ),
    Behaviour(
        "sign-in",
        "where somebody who isn't signed in is told how, and how long that is waited for",
        (
            Row((1, 0, 0), "stdout", "reported by 2", "contract.md 2.3, 2.7"),
            Row((1, 1, 12), "stderr", "captured", "contract.md 2.3, 2.7; gobby 1.1.18"),
        ),
    ),
    Behaviour(
        "pipe-sign-in",
        "what somebody who isn't signed in gets where stdin is a pipe: the same, or a refusal at once",
        (
            Row((1, 0, 0), "waits", "inferred", "contract.md 2.7"),
            Row((1, 1, 2), "refused", "reported by 2", "contract.md 2.7, 8; changelog, shipit 1.1.27"),
        ),
    ),
    Behaviour(
        "signed-out-init",
        "a stream begins with its init although nobody is signed in",
        (Row((1, 0, 0), False, "contradicted", "contract.md 2.7, 9; superagent 1.2.14, ac-010 1.2.9"),),
        others=(True,),
    ),
    Behaviour(
        "api-key",
        "GEMINI_API_KEY signs in where modelProvider is gemini in settings.json",
        (
            Row((1, 0, 0), False, "inferred", "contract.md 5.4"),
            Row((1, 1, 13), True, "reported by 1", "contract.md 5.4, 8; changelog"),
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
