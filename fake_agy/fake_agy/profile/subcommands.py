"""What subcommands and slash commands answer (contract.md 1.3, 1.7)."""

from __future__ import annotations

from fake_agy.profile.row import Behaviour, Row

BEHAVIOURS: tuple[Behaviour, ...] = (
    Behaviour(
        "catalogue",
        "the models there are, by the newest among them",
        (
            Row((1, 0, 0), "gemini-3.6", "reported by 2", "contract.md 1.3; intern, phoenix"),
            Row((1, 1, 27), "gemini-3.8", "reported by 2", "contract.md 1.3; intern, phoenix"),
        ),
        others=("claude-5.5",),
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
        "subcommand-stdin",
        "a subcommand waits for the end of a pipe at stdin",
        (
            Row((1, 0, 0), "read", "reported by 2", "contract.md 1.3; changelog, issue 882"),
            Row((1, 1, 23), "ignored", "reported by 1", "contract.md 1.3, 8; changelog"),
        ),
    ),
    Behaviour(
        "agentapi",
        "the hidden subcommand for agy's own children",
        (Row((1, 0, 0), True, "inferred", "contract.md 1.3"),),
        others=(False,),
    ),
    Behaviour(
        "slash-commands",
        "what print mode makes of a prompt such as /usage: text, an expansion, an answer of its own",
        (
            Row((1, 0, 0), "text", "reported by 3 or more", "contract.md 1.7; changelog"),
            Row((1, 1, 9), "expanded", "reported by 3 or more", "contract.md 1.7; changelog"),
            Row((1, 1, 11), "read-only", "captured", "contract.md 1.7; gobby"),
            Row((1, 1, 12), "more", "reported by 3 or more", "contract.md 1.7; changelog"),
        ),
    ),
    Behaviour(
        "usage-times",
        "the time zone of /usage where stdout is no terminal",
        (
            Row((1, 0, 0), "local", "inferred", "contract.md 1.7"),
            Row((1, 2, 15), "utc", "reported by 1", "contract.md 1.7; changelog"),
        ),
    ),
    Behaviour(
        "credits",
        "what /credits finds; no version's own, a switch",
        (Row((1, 0, 0), "none", "captured", "contract.md 1.7; gobby"),),
        others=("some",),
    ),
)
