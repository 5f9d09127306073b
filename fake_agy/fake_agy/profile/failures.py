"""Stand-in until the module itself is written; replace the whole file."""

from fake_agy.profile.row import Behaviour, Row

BEHAVIOURS = tuple(
    Behaviour(name, "", (Row((1, 0, 0), value, "inferred", "contract.md 9"),), others)
    for name, value, others in (
        ("account", "signed-in", ("signed-out", "quota")),
        ("error-marker", "error", ("Error",)),
        ("failed-stream-turn", "continue", ("exit",)),
    )
)
