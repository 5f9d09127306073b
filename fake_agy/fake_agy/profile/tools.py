"""Which tools a headless turn may use, where they run, what becomes of commands in the background."""

from __future__ import annotations

from fake_agy.profile.row import Behaviour, Row

BEHAVIOURS: tuple[Behaviour, ...] = (
    Behaviour(
        "headless-permission",
        "what happens to a tool that would ask, where nobody can be asked",
        (
            Row((1, 0, 0), "execute", "contradicted", "contract.md 5.1"),
            Row((1, 1, 3), "deny", "reported by 3 or more", "contract.md 5.1"),
        ),
        others=("stall",),
    ),
    Behaviour(
        "settings-policies",
        "the allow rules of settings.json hold in print mode",
        (
            Row((1, 0, 0), False, "inferred", "contract.md 5.1"),
            Row((1, 1, 4), True, "reported by 1", "contract.md 5.1"),
        ),
    ),
    Behaviour(
        "workspace-reads",
        "reading files of the workspace needs no permission",
        (
            Row((1, 0, 0), False, "reported by 2", "contract.md 5.1"),
            Row((1, 1, 20), True, "reported by 1", "contract.md 5.1"),
        ),
    ),
    Behaviour(
        "url-fetch-asks",
        "fetching a URL needs permission",
        (
            Row((1, 0, 0), False, "inferred", "contract.md 5.1"),
            Row((1, 1, 28), True, "reported by 1", "contract.md 5.1"),
        ),
    ),
    Behaviour(
        "mode-in-print",
        "--mode counts in print mode",
        (
            Row((1, 0, 0), False, "reported by 2", "contract.md 1.2"),
            Row((1, 1, 12), True, "reported by 2", "contract.md 1.2"),
        ),
    ),
    Behaviour(
        "plan-with-skip",
        "--mode plan still holds tools back when permissions are skipped",
        (Row((1, 0, 0), "holds", "contradicted", "contract.md 1.6"),),
        others=("ignored",),
    ),
    Behaviour(
        "command-directory",
        "when commands run in the caller's directory and not in agy's scratch folder",
        (Row((1, 0, 0), "added-or-trusted", "contradicted", "contract.md 5.5"),),
        others=("trusted", "added"),
    ),
    Behaviour(
        "jj-pager",
        "commands get JJ_PAGER as well",
        (
            Row((1, 0, 0), False, "inferred", "contract.md 5.4"),
            Row((1, 3, 3), True, "reported by 1", "contract.md 5.4"),
        ),
    ),
    Behaviour(
        "refused-calls",
        "a tool's call that makes no sense: an error message in place of the tool's row, or the tool's row",
        (
            Row((1, 0, 0), "error-message", "captured", "stores.md 1.3, 2.3; probity"),
            Row((1, 1, 8), "tool-step", "inferred", "contract.md 3.2"),
        ),
    ),
    Behaviour(
        "background-at-exit",
        "what becomes of commands that still run when the turn is over",
        (
            Row((1, 0, 0), "left", "inferred", "contract.md 2.6"),
            Row((1, 1, 28), "waited-then-left", "reported by 1", "contract.md 2.6"),
            Row((1, 2, 6), "killed", "reported by 1", "contract.md 2.6"),
            Row((1, 2, 9), "waited-then-killed", "reported by 1", "contract.md 2.6"),
        ),
    ),
)
