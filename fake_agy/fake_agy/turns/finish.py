"""How a run with ``--json-schema`` ends: a second round that calls ``finish`` (contract.md 3.2, 3.3)."""

from __future__ import annotations

from fake_agy.go.json import go_json
from fake_agy.output.events import StepUpdate
from fake_agy.stores.rows import tool_result
from fake_agy.stores.step import ToolCall
from fake_agy.turns.schema import structured

TYPE_CHECKING = False
if TYPE_CHECKING:
    from fake_agy.turns.turn import Turn

FINISHING = 5e-06
"""Seconds that the step which asks for the result takes, as captured."""

_FINISHED = "The task is finished."
_ASK = "Call the finish tool with the result of this task."


def finish_by_schema(turn: Turn) -> None:
    """Ask for the result as the schema wants it, and give it."""
    stage, conversation = turn.stage, turn.conversation
    assert stage.request.schema is not None
    value = structured(stage.request.schema, stage.settings.seed, turn.prompt)
    if turn.denied:  # no structured output after a soft denial (contract.md 3.3)
        return
    ask = conversation.add(
        lambda index: [turn.step(index, "SYSTEM", "USER_INPUT", content=_ASK)._replace(plain=_ASK)]
    )[0]
    conversation.turns_here += 1
    turn.show(StepUpdate(conversation.id, ask.idx, "DONE", "user_input", duration=FINISHING))
    words = {"toolAction": "Completing task", "toolSummary": "Task completion"}
    fields = value if isinstance(value, dict) else {"result": value}
    turn.say(go_json({**fields, **words}) + "\n", (), None)
    call = ToolCall("finish", {**fields, **words})
    now = stage.world.clock.now()
    content = tool_result(
        call, stage.profile, created=now, finished=now, output=_FINISHED, exit_code=0, error=None
    )
    done = conversation.add(
        lambda index: [
            turn.step(index, "MODEL", "GENERIC", content=content)._replace(plain=_FINISHED, answers=call)
        ]
    )[0]
    turn.structured = value
    turn.show(StepUpdate(conversation.id, done.idx, "DONE", "finish"))
