"""What is kept of one model call: a row of ``gen_metadata`` (stores.md 4.2)."""

from __future__ import annotations

from fake_agy.stores.payload import FIRST_MODEL, model_number, usage_message
from fake_agy.stores.protobuf import encode

TYPE_CHECKING = False
if TYPE_CHECKING:
    from fake_agy.stores.payload import Trail
    from fake_agy.stores.protobuf import Message
    from fake_agy.stores.step import Step

_PROVIDERS = {"gemini": "gemini-pro-default", "claude": "claude-default", "gpt": "gpt-oss-default"}


def generation(step: Step, trail: Trail, *, newest: bool) -> bytes:
    """Make the blob of a planner step's model call; the newest of a conversation holds what was sent."""
    number = model_number(step.model)
    seed = f"{trail.conversation} {step.idx}"
    claude = "true" if step.model.startswith("claude") else "false"
    pairs = {
        "model_enum": f"MODEL_PLACEHOLDER_M{number - FIRST_MODEL}",
        "trajectory_id": trail.trajectory,
        "used_claude": claude,
        "used_claude_conservative": claude,
        "last_step_index": str(step.idx),
    }
    sent: Message = []
    if newest:
        sent = [(2, trail.first_prompt), (8, "run_command"), (16, "You are a coding agent.")]
    usage = usage_message(step.usage, step.model, seed) if step.usage is not None else None
    told: Message = [(20, [(1, key), (2, value)]) for key, value in pairs.items()]
    chat: Message = [
        (3, number),
        (4, usage),
        (7, "auto"),
        *sent,
        (17, 1),
        (19, _PROVIDERS.get(step.model.partition("-")[0], step.model or "gemini-pro-default")),
        *told,
        (21, step.label or step.model or None),
    ]
    return encode([(1, chat), (2, step.idx or None), (4, step.execution or None)])
