"""The JSON objects of json and stream-json, their keys in agy's order (contract.md 3.1, 3.2)."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from fake_agy.output.events import Command, Init, Result, StepUpdate
    from fake_agy.stores.step import Usage


def usage_object(usage: Usage) -> dict[str, Any]:
    """Give tokens under agy's names."""
    return {
        "input_tokens": usage.input,
        "output_tokens": usage.output,
        "thinking_tokens": usage.thinking,
        "cache_read_tokens": usage.cache_read,
        "total_tokens": usage.total,
    }


def command_object(command: Command) -> dict[str, Any]:
    """Give a local answer's name and data."""
    return {"name": command.name, "data": command.data}


def result_object(result: Result) -> dict[str, Any]:
    """Give the one object of json, which is also the payload of a stream's result."""
    shown: dict[str, Any] = {
        "conversation_id": result.conversation,
        "status": result.status,
        "response": result.response,
    }
    if result.error is not None:
        shown["error"] = result.error
    shown["duration_seconds"] = _whole(result.duration)
    shown["num_turns"] = result.turns
    if result.structured is not None:
        shown["structured_output"] = result.structured
    if result.json_schema is not None:
        shown["json_schema"] = result.json_schema
    shown["usage"] = usage_object(result.usage)
    if result.denied:
        shown["denied_actions"] = list(result.denied)
    if result.command is not None:
        shown["command"] = command_object(result.command)
    return shown


def init_object(init: Init, *, tools_first: bool) -> dict[str, Any]:
    """Give the first line of a stream; captures differ in the order of two of its keys."""
    payload: dict[str, Any] = {} if init.model is None else {"model": init.model}
    payload["cwd"] = init.cwd
    pair = {"tools": list(init.tools), "permission_mode": init.permission_mode}
    payload.update(pair if tools_first else dict(reversed(pair.items())))
    if init.agent is not None:
        payload["agent"] = init.agent
    if init.json_schema is not None:
        payload["json_schema"] = init.json_schema
    if init.expanded_commands:
        payload["expanded_commands"] = list(init.expanded_commands)
    return {"event": "init", "conversation_id": init.conversation, "init": payload}


def step_object(step: StepUpdate) -> dict[str, Any]:
    """Give one ``step_update`` line."""
    payload: dict[str, Any] = {
        "conversation_id": step.conversation,
        "step_index": step.idx,
        "state": step.state,
        "step_type": step.type,
    }
    if step.text:
        payload["text_delta"] = step.text
    if step.tool is not None:
        payload["tool_name"] = step.tool
    if step.tool_info is not None:
        payload["tool_info"] = step.tool_info
    if step.subagents:
        payload["subagent_info"] = {"subagents": list(step.subagents)}
    if step.duration:
        payload["duration_seconds"] = step.duration
    if step.usage is not None:
        payload["usage"] = usage_object(step.usage)
    return {"event": "step_update", "step_update": payload}


def _whole(seconds: float) -> float | int:
    return 0 if seconds == 0 else seconds
