"""Rows of the two transcripts: how they are written, byte for byte, and read back (stores.md 2)."""

import json
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

ELIDED_ABOVE = 4096
"""Bytes of UTF-8 that a field of transcript.jsonl may have (stores.md 2.4)."""

_OPEN, _CLOSE = "<USER_REQUEST>\n", "\n</USER_REQUEST>\n<ADDITIONAL_METADATA>\n"


class ToolCall(NamedTuple):
    """One tool call of a planner row."""

    name: str
    args: Mapping[str, Any]


class Row(NamedTuple):
    """One step as the transcripts show it; keys without a value are left out of the line."""

    step_index: int
    source: str
    type: str
    created_at: str
    content: str | None = None
    thinking: str | None = None
    tool_calls: Sequence[ToolCall] = ()
    status: str = "DONE"
    error: str | None = None


class Told(NamedTuple):
    """One turn of a conversation: what the user said, and the answer where there is one."""

    prompt: str
    answer: str | None


def full_line(row: Row) -> bytes:
    """Write a row for transcript_full.jsonl: native arguments, nothing elided."""
    calls = [{"name": call.name, "args": dict(sorted(call.args.items()))} for call in row.tool_calls]
    return _line(_head(row) | {"content": row.content, "thinking": row.thinking, "tool_calls": calls})


def short_line(row: Row) -> bytes:
    """Write a row for transcript.jsonl: each argument as JSON text, long fields cut in the middle."""
    calls = [
        {
            "name": call.name,
            "args": {key: _elided(_compact(value)) for key, value in sorted(call.args.items())},
        }
        for call in row.tool_calls
    ]
    texts = {"content": row.content, "thinking": row.thinking}
    cut = [name for name, text in texts.items() if text is not None and _elided(text) != text]
    shown = {name: text if text is None else _elided(text) for name, text in texts.items()}
    return _line(_head(row) | shown | {"tool_calls": calls, "truncated_fields": cut})


def read_rows(data: bytes) -> tuple[Mapping[str, Any], ...]:
    """Read the rows of a transcript; lines that aren't JSON objects (a torn last one) are passed over."""
    rows = []
    for line in data.splitlines():
        try:
            row = json.loads(line)
        except ValueError:
            continue
        if isinstance(row, dict):
            rows.append(row)
    return tuple(rows)


def next_index(rows: Sequence[Mapping[str, Any]]) -> int:
    """Give the index of the step that comes next; it goes on over resumes (stores.md 2.5)."""
    return max((row["step_index"] for row in rows if isinstance(row.get("step_index"), int)), default=-1) + 1


def told(rows: Sequence[Mapping[str, Any]]) -> tuple[Told, ...]:
    """Read what was said turn by turn; a turn that was killed has no answer."""
    turns: list[Told] = []
    for row in rows:
        content = str(row.get("content", "")).encode(errors="replace").decode()  # no lone surrogates
        if row.get("type") == "USER_INPUT":
            turns.append(Told(prompt_in(content), None))
        elif row.get("type") == "PLANNER_RESPONSE" and content and turns:
            turns[-1] = turns[-1]._replace(answer=content)
    return tuple(turns)


def user_content(prompt: str, *, local_time: str, first_model: str | None) -> str:
    """Wrap a prompt as agy stores it; `first_model` adds the settings block of a first turn."""
    content = f"{_OPEN}{prompt}{_CLOSE}The current local time is: {local_time}.\n</ADDITIONAL_METADATA>"
    if first_model is None:
        return content
    return (
        f"{content}\n<USER_SETTINGS_CHANGE>\nThe user changed setting `Model Selection` from None to "
        f"{first_model}. No need to comment on this change if the user doesn't ask about it. If reporting "
        "what model you are, please use a human readable name instead of the exact string.\n"
        "</USER_SETTINGS_CHANGE>"
    )


def prompt_in(content: str) -> str:
    """Take the prompt out of a USER_INPUT's content; content that isn't wrapped is all prompt."""
    end = content.rfind(_CLOSE)
    if not content.startswith(_OPEN) or end < 0:
        return content
    return content[len(_OPEN) : end]


def restart_notice(created_at: str) -> str:
    """Write the SYSTEM_MESSAGE that follows the first prompt after a restart (stores.md 2.3)."""
    return (
        "The following is a <SYSTEM_MESSAGE> not actually sent by the user.\n\n<SYSTEM_MESSAGE>\n"
        f"[Message] timestamp={created_at} sender=system priority=MESSAGE_PRIORITY_LOW content=[Notice] "
        "All your subagents and background tasks have been stopped due to server restart.\n</SYSTEM_MESSAGE>"
    )


def _head(row: Row) -> dict[str, Any]:
    """Give the keys both forms begin with, in agy's order."""
    return {
        "step_index": row.step_index,
        "source": row.source,
        "type": row.type,
        "status": row.status,
        "error": row.error,
        "created_at": row.created_at,
    }


def _line(fields: Mapping[str, Any]) -> bytes:
    present = {key: value for key, value in fields.items() if value is not None and value != []}
    return _compact(present).encode() + b"\n"


def _compact(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def _elided(text: str) -> str:
    data = text.encode()
    if len(data) <= ELIDED_ABOVE:
        return text
    half = ELIDED_ABOVE // 2
    head, tail = data[:half].decode(errors="replace"), data[-half:].decode(errors="replace")
    return f"{head}\n<truncated {len(data) - ELIDED_ABOVE} bytes>\n{tail}"
