"""A failing call of the model's API: its attempts as steps, then the turn's end (contract.md 2.8)."""

from __future__ import annotations

from fake_agy.output.events import StepUpdate
from fake_agy.turns.failure import CUT, attempts_of, error_step_text, failing
from fake_agy.turns.turn import Failed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from fake_agy.stores.step import Step
    from fake_agy.turns.moves import Fail
    from fake_agy.turns.turn import Turn

LONGEST = 30.0
"""Seconds that a wait between two attempts is capped at."""


def fail(turn: Turn, move: Fail) -> None:
    """Raise `Failed` with how the turn ends, after as many attempts as the version makes."""
    profile, clock = turn.stage.profile, turn.stage.world.clock
    attempts = attempts_of(move.kind, profile)
    ending = failing(move.kind, move.text, profile, attempts=attempts, partial=bool(turn.said))
    if move.kind not in CUT:
        for attempt in range(1, attempts + 1):
            clock.wait(min(2.0**attempt, LONGEST) if attempt > 1 else 0.0)
            said = error_step_text(move.kind, move.text, attempts - attempt)
            _note(turn, said, ending.error)
    raise Failed(ending)


def _note(turn: Turn, text: str, error: str | None) -> None:
    """Store one attempt; text and json say nothing of it, a stream does by version."""

    def step(index: int) -> list[Step]:
        made = turn.step(index, "SYSTEM", "ERROR_MESSAGE", content=text)
        return [made._replace(error=error)]

    noted = turn.conversation.add(step)[0]
    if turn.stage.profile["error-message-steps"]:
        turn.show(StepUpdate(turn.conversation.id, noted.idx, "DONE", "error_message"))
