"""A step as the database holds it: columns and protobuf payload (stores.md 4.1, 4.2)."""

from __future__ import annotations

from fake_agy.go.digest import number_of, uuid_of
from fake_agy.go.json import compact_json
from fake_agy.stores.protobuf import duration, encode, timestamp

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import NamedTuple

    from fake_agy.stores.protobuf import Message
    from fake_agy.stores.step import Step, ToolCall, Usage
else:
    from fake_agy.record import NamedTuple

STEP_TYPES = {
    "CODE_ACTION": 5,
    "GREP_SEARCH": 7,
    "VIEW_FILE": 8,
    "LIST_DIRECTORY": 9,
    "USER_INPUT": 14,
    "PLANNER_RESPONSE": 15,
    "ERROR_MESSAGE": 17,
    "RUN_COMMAND": 21,
    "CHECKPOINT": 23,
    "FIND": 25,
    "EPHEMERAL_MESSAGE": 90,
    "CONVERSATION_HISTORY": 98,
    "SYSTEM_MESSAGE": 101,
    "INVOKE_SUBAGENT": 103,
    "GENERIC": 132,
}
STATUSES = {"RUNNING": 2, "DONE": 3, "CANCELED": 6, "ERROR": 7}
SOURCES = {"MODEL": 2, "USER_EXPLICIT": 4, "SYSTEM": 5, "SYSTEM_SDK": 6}
RESULTS = {
    "CODE_ACTION": 10,
    "GREP_SEARCH": 13,
    "VIEW_FILE": 14,
    "RUN_COMMAND": 28,
    "FIND": 34,
    "INVOKE_SUBAGENT": 116,
}
"""The payload field of each kind of result; the others are held as generic ones."""

FIRST_MODEL = 1000
"""What agy's models are numbered from; their placeholders are numbered from 0."""

_SEEN_MODELS = {"gemini-3.1-pro-high": 1016}
"""Models whose numbers are known (stores.md 4.2)."""

PROVIDER = 24
STOPPED = 2
"""The stop reason of a response that is complete."""


class Columns(NamedTuple):
    """One row of ``steps``, but for the columns that are always NULL or 0."""

    idx: int
    step_type: int
    status: int
    metadata: bytes
    error_details: bytes | None
    task_details: bytes | None
    step_payload: bytes


class Trail(NamedTuple):
    """What a conversation's steps all refer to."""

    conversation: str
    trajectory: str
    transcript: str
    """The absolute path of transcript.jsonl."""

    first_prompt: str = ""


def columns(step: Step, trail: Trail, ordinal: int) -> Columns:
    """Make the row of a step; `ordinal` counts the model calls of the conversation so far."""
    code, status = STEP_TYPES.get(step.type, STEP_TYPES["GENERIC"]), STATUSES[step.status]
    metadata = encode(_metadata(step, trail, ordinal, status))
    error = encode([(1, step.error), (2, step.error)]) if step.error is not None else None
    # What runs in the background has said so; a tool that is just at work has said nothing yet.
    running = step.status == "RUNNING" and step.answers is not None and bool(step.plain)
    task = encode([(1, f"{trail.conversation}/task-{step.idx}")]) if running else None
    body: Message = [(1, code), (4, status), (5, metadata), *_body(step, trail), (31, error), (148, task)]
    return Columns(step.idx, code, status, metadata, error, task, encode(body))


def model_number(model: str) -> int:
    """Give a model's number in agy's list, where it isn't known one in the range that readers expect."""
    return _SEEN_MODELS.get(model) or FIRST_MODEL + 100 + number_of(600, "model", model)


def usage_message(usage: Usage, model: str, seed: str) -> Message:
    """Make the tokens of one model call."""
    return [
        (1, model_number(model)),
        (2, usage.input or None),
        (3, usage.output or None),
        (5, usage.cache_read or None),
        (6, PROVIDER),
        (8, [(1, "sessionID"), (2, uuid_of(seed.partition(" ")[0], "session"))]),
        (9, usage.thinking or None),
        (10, usage.output - usage.thinking or None),
        (11, uuid_of(seed, "response").replace("-", "")[:24]),
    ]


def _metadata(step: Step, trail: Trail, ordinal: int, status: int) -> Message:
    by_model = step.type == "PLANNER_RESPONSE"
    running = STATUSES["RUNNING"]
    before = (8,) if by_model else () if step.source == "USER_EXPLICIT" else (1, running)
    moves = before if before[-1:] == (status,) else (*before, status)
    transitions: Message = []
    for number, each in enumerate(moves):
        at = step.created if number < len(moves) - 1 else step.finished
        transitions.append((1, [(1, each), (2, timestamp(at))]))
    seed = f"{trail.conversation} {step.idx}"
    made: Message = [
        (1, timestamp(step.created)),
        (3, SOURCES[step.source]),
        (4, _call(step.answers) if step.answers is not None else None),
        (6, timestamp(step.created) if by_model else None),
        (7, timestamp(step.finished) if by_model else None),
        (8, timestamp(step.finished) if status != running else None),
        (9, usage_message(step.usage, step.model, seed) if step.usage is not None else None),
        (11, model_number(step.model) if step.model else None),
        (12, step.execution or None),
        (13, [(1, step.model)] if step.model else None),
        (
            20,
            [
                (1, trail.trajectory),
                (2, step.idx or None),
                (3, ordinal or None),
                (4, trail.conversation),
            ],
        ),
        (26, transitions),
        (32, timestamp(step.created)),
    ]
    return made


def _body(step: Step, trail: Trail) -> Message:
    # A text that is empty has no field.
    text = (step.plain if step.plain is not None else step.content) or None
    if step.type == "USER_INPUT":
        config: Message | None = [(15, [(1, model_number(step.model))])] if step.model else None
        return [(19, [(2, text), (3, [(1, text)]), (4, b""), (12, config)])]
    if step.type == "PLANNER_RESPONSE":
        return [(20, _planner(step, text, trail))]
    if step.type == "ERROR_MESSAGE":
        return [(24, [(3, [(1, text), (2, text), (3, step.error or text)])])]
    if step.type == "CHECKPOINT":
        where = f"file://{trail.transcript}"
        return [(30, [(4, step.title), (15, where), (19, trail.first_prompt or None)])]
    if step.type == "EPHEMERAL_MESSAGE":
        return [(103, [(1, text), (3, "bash_command_reminder")])]
    if step.type == "CONVERSATION_HISTORY":
        return [(111, b"")]
    if step.type == "SYSTEM_MESSAGE":
        return [(114, [(1, text)])]
    return [(RESULTS.get(step.type, 140), [(1, text)])]


def _planner(step: Step, text: str | None, trail: Trail) -> Message:
    calls: Message = [(7, _call(call)) for call in step.tool_calls]
    signature = uuid_of(trail.conversation, str(step.idx), "signature").encode()
    return [
        (1, text),
        (3, step.thinking or None),
        (6, "bot-" + uuid_of(trail.conversation, str(step.idx), "bot")),
        *calls,
        (8, text),
        (11, duration(step.finished - step.created)),
        (12, STOPPED),
        (14, signature if step.thinking is not None else None),
    ]


def _call(call: ToolCall) -> Message:
    return [(1, call.id or None), (2, call.name), (3, compact_json(dict(sorted(call.args.items()))))]
