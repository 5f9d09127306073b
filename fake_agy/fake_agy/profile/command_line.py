"""How command lines are read and what they may ask for (contract.md 1)."""

from __future__ import annotations

from fake_agy.profile.row import Behaviour, Row

BEHAVIOURS: tuple[Behaviour, ...] = (
    Behaviour(
        "swallowed-flag",
        "a prompt flag that took another flag as its prompt",
        (
            Row((1, 0, 0), "prompt", "reported by 3 or more", "contract.md 1.5; changelog, gobby, crt"),
            Row((1, 1, 18), "refused", "captured", "contract.md 1.5; changelog, gobby, crt"),
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
        "version-flag",
        "there is a --version",
        (Row((1, 0, 0), True, "contradicted", "contract.md 1.4, 9"),),
        others=(False,),
    ),
    Behaviour(
        "remote-control-flag",
        "whether there is a --remote-control, and whether the help tells of it",
        (
            Row((1, 0, 0), "none", "inferred", "contract.md 1.2"),
            Row((1, 1, 19), "hidden", "reported by 1", "contract.md 1.2; changelog"),
            Row((1, 2, 6), "listed", "reported by 1", "contract.md 1.2; changelog"),
        ),
    ),
    Behaviour(
        "print-and-interactive",
        "--prompt-interactive beside --print: passed over with or without a warning",
        (
            Row((1, 0, 0), "silent", "inferred", "contract.md 1.2"),
            Row((1, 1, 12), "warned", "reported by 1", "contract.md 1.2; changelog; the words inferred"),
        ),
    ),
    Behaviour(
        "unknown-agent",
        "an --agent that there isn't: the default one, with or without a warning",
        (
            Row((1, 0, 0), "silent", "reported by 1", "contract.md 1.2; reference"),
            Row((1, 1, 12), "warned", "reported by 1", "contract.md 1.2; changelog; the words inferred"),
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
        "model-by-slug",
        "a model may be named by its identifier, not only by its label",
        (
            Row((1, 0, 0), False, "reported by 1", "contract.md 1.2; changelog"),
            Row((1, 1, 5), True, "reported by 3 or more", "contract.md 1.2; changelog"),
        ),
    ),
    Behaviour(
        "model-in-print",
        "--model and --effort count in print mode",
        (
            Row((1, 0, 0), False, "reported by 2", "contract.md 1.2, 8; changelog, intern"),
            Row((1, 1, 10), True, "reported by 2", "contract.md 1.2, 8; changelog, intern"),
        ),
    ),
    Behaviour(
        "efforts",
        "the efforts there are: three, or more for some models",
        (
            Row((1, 0, 0), "three", "captured", "contract.md 1.2, 1.5; gobby"),
            Row((1, 2, 11), "by-model", "reported by 1", "contract.md 1.2; changelog"),
        ),
    ),
    Behaviour(
        "selection-error",
        "where a bad choice of model or effort is told with json and stream-json",
        (
            Row((1, 0, 0), "result-and-stderr", "inferred", "contract.md 1.6"),
            Row((1, 1, 19), "result", "reported by 1", "contract.md 1.6; bb"),
        ),
    ),
)
