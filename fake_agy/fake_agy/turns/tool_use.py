"""A turn's use of one tool: the call, the permission, what it does, and its result on every channel."""

from __future__ import annotations

from fake_agy.go.digest import uuid_of
from fake_agy.output.events import StepUpdate
from fake_agy.stores.rows import result_type, tool_result
from fake_agy.stores.step import Step, ToolCall, Usage
from fake_agy.turns import background, tools
from fake_agy.turns.permission import denial
from fake_agy.turns.refused_call import note, refusal
from fake_agy.turns.tools import Used

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from fake_agy.turns.moves import UseTool
    from fake_agy.turns.turn import Turn

CALLING, RETURNING = 0.3, 0.05
"""Seconds at speed 1 before a tool is called, and before its result is there."""

WIRE_MAX = 8192
"""Bytes of a tool's output that a stream shows (contract.md 3.2)."""


def use_tool(turn: Turn, move: UseTool) -> None:
    """Play the move: a planner step that calls the tool, then the tool's own step."""
    call = _called(turn, move)
    stage, conversation = turn.stage, turn.conversation
    clock = stage.world.clock
    began, created = clock.elapsed(), clock.now()
    scripted = move.error is not None or move.output is not None
    refused = None if scripted else refusal(turn, move.name, move.args)
    if refused is not None and stage.profile["refused-calls"] == "error-message":
        note(turn, refused)
        turn.tool_error = turn.tool_error or refused
        turn.remind()
        return

    def running(index: int) -> Step:
        step = turn.step(index, "MODEL", result_type(move.name, stage.profile))
        return step._replace(status="RUNNING", answers=call)

    step = conversation.begin(running)
    info: dict[str, Any] = {"name": move.name, "parameters": shown_parameters(move.name, move.args)}
    turn.show(StepUpdate(conversation.id, step.idx, "ACTIVE", "tool", tool=move.name, tool_info=info))
    stage.on("tool")
    denied = denial(stage, move.name, move.args) if refused is None else None
    if denied is not None and stage.output.permits(denied):
        denied = None
    stalls = stage.profile["headless-permission"] == "stall" and not stage.request.on_screen
    if denied is not None and stalls:
        clock.hang()
    if refused is not None:
        used = Used(error=refused)
    else:
        used = Used(error=denied.message) if denied is not None else _used(turn, move, step.idx)
    stage.on("thinking")
    clock.wait(RETURNING)
    if denied is not None:
        turn.denied.append(denied)
    if used.error is not None and turn.tool_error is None:
        turn.tool_error = used.error
    settled = _settled(turn, step, used, created)
    conversation.settle(settled)
    if used.running:
        turn.background[-1] = turn.background[-1]._replace(step=settled)
    turn.reserve_title()
    turn.remind()
    state = "DONE"
    if used.error is not None and not (denied is not None and stage.profile["denied-step"] == "done"):
        state = "ERROR"
        info["error"] = {"type": "TOOL_ERROR", "message": used.error}
    elif used.shown is not None and denied is None:
        info["output"] = _cut(used.shown)
    turn.show(
        StepUpdate(
            conversation.id,
            step.idx,
            state,
            "tool",
            tool=move.name,
            tool_info=info,
            duration=round(clock.elapsed() - began, 9),
        )
    )


def shown_parameters(name: str, args: Mapping[str, Any]) -> dict[str, Any]:
    """Give the arguments as a stream shows them: never a file's content, nor what is only for people."""
    if name in {"write_to_file", "replace_file_content"}:
        return {"TargetFile": args.get("TargetFile", "")}
    return {key: value for key, value in args.items() if key not in {"toolAction", "toolSummary"}}


def _called(turn: Turn, move: UseTool) -> ToolCall:
    """Store and show the planner step that calls the tool."""
    conversation, clock = turn.conversation, turn.stage.world.clock
    turn.remind()
    created, began = clock.now(), clock.elapsed()
    clock.wait(CALLING)
    turn.place_title()
    usage: Usage = turn.count(move.say)
    made: list[ToolCall] = []

    def planner(index: int) -> list[Step]:
        words = {"toolAction": f"Using {move.name}", "toolSummary": "Tool use"}
        made.append(ToolCall(move.name, words | dict(move.args), uuid_of(turn.execution, str(index), "call")))
        step = turn.step(
            index,
            "MODEL",
            "PLANNER_RESPONSE",
            created=created,
            content=move.say or None,
            usage=usage,
        )
        return [step._replace(tool_calls=tuple(made))]

    step = conversation.add(planner)[0]
    turn.usages.append(usage)
    if move.say:
        turn.said.append(move.say)
    turn.show(
        StepUpdate(
            conversation.id,
            step.idx,
            "DONE",
            "agent_response",
            text=move.say or None,
            duration=round(clock.elapsed() - began, 9),
            usage=usage,
        )
    )
    return made[0]


def _used(turn: Turn, move: UseTool, index: int) -> Used:
    """Let the tool do what it does, or give what it was told to have done."""
    if move.error is not None:
        return Used(error=move.error)
    if move.output is not None:
        return Used(move.output, move.output, move.exit_code)
    if move.background:
        return background.start(turn, move, index)
    return tools.run(turn, move.name, move.args)


def _settled(turn: Turn, step: Step, used: Used, created: float) -> Step:
    """Give the tool's step as it ends."""
    stage = turn.stage
    finished = stage.world.clock.now()
    status = "ERROR" if used.error is not None else "RUNNING" if used.running else "DONE"
    assert step.answers is not None
    content = tool_result(
        step.answers,
        stage.profile,
        created=created,
        finished=finished,
        output=used.output,
        exit_code=used.exit_code,
        error=used.error,
        running=used.running,
    )
    return step._replace(
        status=status,
        finished=finished,
        content=content,
        plain=used.output,
        error=used.error,
        exit_code=used.exit_code if step.type == "RUN_COMMAND" else None,
    )


def _cut(text: str) -> str:
    data = text.encode()
    if len(data) <= WIRE_MAX:
        return text
    kept = data[-WIRE_MAX:].decode(errors="replace")
    return f"<truncated {len(data) - WIRE_MAX} bytes>\n{kept}"
