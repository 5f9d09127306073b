"""A failing call of the model's API: its attempts as steps, then the turn's end (contract.md 2.8)."""

from __future__ import annotations

from fake_agy.turns.failure import failing
from fake_agy.turns.turn import Failed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from fake_agy.turns.moves import Fail
    from fake_agy.turns.turn import Turn


def fail(turn: Turn, move: Fail) -> None:
    """Raise `Failed` with how the turn ends."""
    ending = failing(move.kind, move.text, turn.stage.profile, attempt=1, partial=bool(turn.said))
    raise Failed(ending)
