"""A failing call of the model's API: its attempts as steps, then the turn's end (contract.md 2.8)."""

from __future__ import annotations

from fake_agy.clock import TimeUp
from fake_agy.output.events import StepUpdate
from fake_agy.turns.failure import (
    CUT,
    HIGHEST,
    attempts_of,
    error_step_text,
    failing,
    failing_late,
    seconds_before,
)
from fake_agy.turns.turn import Failed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import NoReturn

    from fake_agy.stores.step import Step
    from fake_agy.turns.moves import Fail
    from fake_agy.turns.turn import Turn

LONGEST = 30.0
"""Seconds that a wait between two attempts is capped at."""


def fail(turn: Turn, move: Fail) -> None:
    """Raise `Failed` with how the turn ends, after as many attempts as the version makes."""
    profile, clock = turn.stage.profile, turn.stage.world.clock
    attempts = attempts_of(move.kind, profile)
    left = clock.left()
    if attempts is None and left is not None:
        _try_until(turn, move, left)
    attempts = attempts or HIGHEST
    ending = failing(move.kind, move.text, profile, attempts=attempts, partial=bool(turn.said))
    clock.wait(seconds_before(move.kind, profile))
    if move.kind not in CUT:
        for attempt in range(1, attempts + 1):
            _wait(turn, attempt)
            said = error_step_text(move.kind, move.text, attempts - attempt)
            _note(turn, said, ending.error)
    raise Failed(ending)


def _try_until(turn: Turn, move: Fail, left: float) -> NoReturn:
    """Call the API until the time is up, which the versions that give what there is tell as an error."""
    attempt = 0
    try:
        while True:
            attempt += 1
            _wait(turn, attempt)
            _note(turn, error_step_text(move.kind, move.text, max(0, HIGHEST - attempt)), None)
            if turn.stage.profile["api-failure"] == "silent":
                said = "PlannerResponse without ModifiedResponse encountered"
                turn.stage.log.write("printmode_manager.go:90", said)
    except TimeUp:
        if turn.stage.profile["timeout-contract"] != "partial":
            raise
        raise Failed(failing_late(move.kind, move.text, left, attempt - 1)) from None


def _wait(turn: Turn, attempt: int) -> None:
    turn.stage.world.clock.wait(min(2.0**attempt, LONGEST) if attempt > 1 else 0.0)


def _note(turn: Turn, text: str, error: str | None) -> None:
    """Store one attempt; text and json say nothing of it, a stream does by version."""

    def step(index: int) -> list[Step]:
        made = turn.step(index, "SYSTEM", "ERROR_MESSAGE", content=text)
        return [made._replace(error=error)]

    noted = turn.conversation.add(step)[0]
    if turn.stage.profile["error-message-steps"]:
        turn.show(StepUpdate(turn.conversation.id, noted.idx, "DONE", "error_message"))
