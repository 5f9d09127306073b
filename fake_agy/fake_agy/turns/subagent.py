"""A child that a turn sends out: a conversation and an answer of its own (contract.md 3.2)."""

from __future__ import annotations

from fake_agy.clock import local_second, utc_second
from fake_agy.go.digest import uuid_of
from fake_agy.output.events import StepUpdate
from fake_agy.stores import subagents
from fake_agy.stores.conversations import open_conversation
from fake_agy.stores.database import Facts
from fake_agy.stores.files import locked
from fake_agy.stores.ids import new_conversation_id
from fake_agy.stores.layout import logs
from fake_agy.stores.messages import Message
from fake_agy.stores.rows import HIGH, message_content, result_type, tool_result, user_content
from fake_agy.stores.step import ToolCall
from fake_agy.stores.transcript import append_steps
from fake_agy.turns.answer import usage_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import NamedTuple

    from fake_agy.stores.database import Database
    from fake_agy.stores.step import Step
    from fake_agy.turns.moves import Subagent
    from fake_agy.turns.turn import Turn
else:
    from fake_agy.record import NamedTuple


class Child(NamedTuple):
    """A child at work: its id, its open database, and the UUID that its steps share."""

    id: str
    database: Database
    execution: str


WORKING = 2.0
"""Seconds at speed 1 that a child takes for its answer."""

_TOOL = "invoke_subagent"


def send_out(turn: Turn, move: Subagent) -> None:
    """Call the tool, let the child answer in a conversation of its own, and take its report."""
    stage, conversation = turn.stage, turn.conversation
    clock = stage.world.clock
    wanted = {"Prompt": move.prompt, "Role": move.role, "TypeName": move.type_name}
    words = {"toolAction": "Starting a subagent", "toolSummary": "Subagent"}
    call = ToolCall(_TOOL, {"Subagents": [wanted], **words}, uuid_of(turn.execution, move.prompt, "call"))
    usage = turn.count("")
    turn.remind()
    turn.place_title()
    began = clock.elapsed()
    planner = conversation.add(
        lambda index: [
            turn.step(index, "MODEL", "PLANNER_RESPONSE", usage=usage)._replace(tool_calls=(call,))
        ]
    )[0]
    turn.usages.append(usage)
    turn.show(StepUpdate(conversation.id, planner.idx, "DONE", "agent_response", usage=usage))
    created = clock.now()
    spawned = conversation.begin(
        lambda index: turn.step(index, "MODEL", result_type(_TOOL, stage.profile))._replace(
            status="RUNNING", answers=call
        )
    )
    child = _born(turn, move)
    log = f"file://{logs(stage.layout, child.id)}/transcript.jsonl"
    uris = [f"file://{folder}" for folder in stage.request.add_dirs]
    text = subagents.created_text(child.id, log, uris)
    now = clock.now()
    content = tool_result(
        call, stage.profile, created=created, finished=now, output=text, exit_code=0, error=None
    )
    conversation.settle(spawned._replace(status="DONE", finished=now, content=content, plain=text))
    turn.reserve_title()
    if stage.profile["subagent-files"]:
        with locked(stage.layout):
            subagents.write_child(
                stage.layout,
                conversation.id,
                child.id,
                type_name=move.type_name,
                role=move.role,
                spawn_step=spawned.idx,
                workspace_uris=uris,
            )
    row = {
        "type_name": move.type_name,
        "role": move.role,
        "conversation_id": child.id,
        "log_uri": log,
        "workspace_uris": uris,
    }
    kind = "subagent" if stage.profile["subagent-steps"] else "tool"
    turn.show(StepUpdate(conversation.id, spawned.idx, "ACTIVE", kind, tool=_TOOL, subagents=[row]))
    _work(turn, child, move)
    turn.show(
        StepUpdate(
            conversation.id,
            spawned.idx,
            "DONE",
            kind,
            tool=_TOOL,
            subagents=[row],
            duration=round(clock.elapsed() - began, 9),
        )
    )
    _report(turn, child.id, move.answer)


def _born(turn: Turn, move: Subagent) -> Child:
    """Make the child's conversation with its prompt."""
    stage = turn.stage
    seed, now = str(stage.settings.seed), stage.world.clock.now()
    with locked(stage.layout):
        identity = new_conversation_id(stage.layout, stage.settings.seed)
        facts = Facts(
            conversation=identity,
            trajectory=uuid_of(seed, identity, "trajectory"),
            created=now,
            workspaces=stage.request.add_dirs,
            project=stage.request.project,
            parent=turn.conversation.id,
            depth=1,
        )
        database = open_conversation(
            stage.layout, identity, facts, stage.profile, seed=stage.settings.seed, now=now
        )
        child = Child(identity, database, uuid_of(seed, identity, "0", "execution"))
        asked = user_content(move.prompt, local_time=local_second(now), settings_change=None)
        prompt = turn.step(0, "USER_EXPLICIT", "USER_INPUT", content=asked)
        _add(turn, child, prompt._replace(plain=move.prompt))
    return child


def _work(turn: Turn, child: Child, move: Subagent) -> None:
    """Let the child take its time and answer; one whose parent is stopped never does."""
    stage = turn.stage
    clock = stage.world.clock
    began = clock.now()
    try:
        clock.wait(WORKING)
        used = usage_of(len(move.prompt.encode()), move.answer, cached=False)
        with locked(stage.layout):
            answer = turn.step(1, "MODEL", "PLANNER_RESPONSE", created=began, content=move.answer, usage=used)
            _add(turn, child, answer)
    finally:
        child.database.finish(checkpoint=bool(stage.profile["wal-checkpoint"]))


def _add(turn: Turn, child: Child, step: Step) -> None:
    """Append a step of the child's to both of its stores; the caller holds the lock."""
    steps = (step._replace(execution=child.execution),)
    child.database.append(steps)
    append_steps(turn.stage.layout, child.id, steps, turn.stage.profile)


def _report(turn: Turn, child: str, text: str) -> None:
    """Store and show the message that the child sends when it is done."""
    now, report = turn.stage.world.clock.now(), text.rstrip()
    content = message_content(utc_second(now), sender=child, priority=HIGH, content=report)
    step = turn.conversation.add(
        lambda index: [turn.step(index, "SYSTEM", "SYSTEM_MESSAGE", content=content)]
    )[0]
    if turn.stage.profile["restart-message"] != "none":
        identity = uuid_of(child, "report")
        turn.conversation.post(Message(identity, child, HIGH, now, report))
    turn.show(StepUpdate(turn.conversation.id, step.idx, "DONE", "system_message"))
    turn.remind()
