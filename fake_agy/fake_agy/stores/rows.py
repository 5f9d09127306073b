"""Steps as rows of the two transcripts, byte for byte (stores.md 2.1 to 2.4)."""

from __future__ import annotations

from fake_agy.clock import local_second, utc_second
from fake_agy.go.json import compact_json

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from fake_agy.profile.resolve import Profile
    from fake_agy.stores.step import Step, ToolCall

ELIDED_ABOVE = 4096
"""Bytes of UTF-8 that a field of transcript.jsonl may have (stores.md 2.4)."""

RESULT_TYPES = {
    "run_command": "RUN_COMMAND",
    "view_file": "VIEW_FILE",
    "list_dir": "LIST_DIRECTORY",
    "find_by_name": "FIND",
    "grep_search": "GREP_SEARCH",
    "write_to_file": "CODE_ACTION",
    "replace_file_content": "CODE_ACTION",
    "multi_replace_file_content": "CODE_ACTION",
    "read_url_content": "READ_URL_CONTENT",
    "search_web": "SEARCH_WEB",
    "ask_question": "ASK_QUESTION",
    "generate_image": "GENERATE_IMAGE",
    "call_mcp_tool": "MCP_TOOL",
    "invoke_subagent": "INVOKE_SUBAGENT",
}
LOW, HIGH = "MESSAGE_PRIORITY_LOW", "MESSAGE_PRIORITY_HIGH"
RESTARTED = "[Notice] All your subagents and background tasks have been stopped due to server restart."

_OPEN, _CLOSE = "<USER_REQUEST>\n", "\n</USER_REQUEST>\n<ADDITIONAL_METADATA>\n"


def full_line(step: Step, *, tokens: bool = False) -> bytes:
    """Write a step for transcript_full.jsonl: native arguments, nothing elided.

    With `tokens` the row of a model's response says what it took.
    """
    calls = [{"name": call.name, "args": dict(sorted(call.args.items()))} for call in step.tool_calls]
    return _line(
        _head(step, tokens=tokens) | {"content": step.content, "thinking": step.thinking, "tool_calls": calls}
    )


def short_line(step: Step, *, tokens: bool = False) -> bytes:
    """Write a step for transcript.jsonl: each argument as JSON text, long fields cut in the middle."""
    calls = [
        {
            "name": call.name,
            "args": {key: elided(compact_json(value)) for key, value in sorted(call.args.items())},
        }
        for call in step.tool_calls
    ]
    texts = {"content": step.content, "thinking": step.thinking}
    shown = {name: text if text is None else elided(text) for name, text in texts.items()}
    cut = [name for name, text in texts.items() if shown[name] is not text and shown[name] != text]
    return _line(_head(step, tokens=tokens) | shown | {"tool_calls": calls, "truncated_fields": cut})


def elided(text: str) -> str:
    """Cut a long text in the middle, by bytes (stores.md 2.4)."""
    if len(text) <= ELIDED_ABOVE // 4:  # no character has more than four bytes
        return text
    data = text.encode(errors="replace")
    if len(data) <= ELIDED_ABOVE:
        return text
    half = ELIDED_ABOVE // 2
    head, tail = data[:half].decode(errors="replace"), data[-half:].decode(errors="replace")
    return f"{head}\n<truncated {len(data) - ELIDED_ABOVE} bytes>\n{tail}"


def user_content(
    prompt: str, *, local_time: str, settings_change: str | None, settings_before: str = "None"
) -> str:
    """Wrap a prompt as agy stores it.

    `settings_change` is the model for people, where it is new to the conversation; `settings_before` is the
    one until then.
    """
    content = f"{_OPEN}{prompt}{_CLOSE}The current local time is: {local_time}.\n</ADDITIONAL_METADATA>"
    if settings_change is None:
        return content
    return (
        f"{content}\n<USER_SETTINGS_CHANGE>\nThe user changed setting `Model Selection` from "
        f"{settings_before} to {settings_change}. No need to comment on this change if the user doesn't ask "
        "about it. If "
        "reporting what model you are, please use a human readable name instead of the exact string.\n"
        "</USER_SETTINGS_CHANGE>"
    )


def restart_notice(created_at: str) -> str:
    """Write the SYSTEM_MESSAGE that follows the first prompt after a restart (stores.md 2.3)."""
    return message_content(created_at, sender="system", priority=LOW, content=RESTARTED)


def message_content(created_at: str, *, sender: str, priority: str, content: str) -> str:
    """Write what a SYSTEM_MESSAGE holds; a child signs with its id."""
    return (
        "The following is a <SYSTEM_MESSAGE> not actually sent by the user.\n\n<SYSTEM_MESSAGE>\n"
        f"[Message] timestamp={created_at} sender={sender} priority={priority} content={content}\n"
        "</SYSTEM_MESSAGE>"
    )


def result_type(tool: str, profile: Profile) -> str:
    """Name the type of a tool's result: one for each kind of tool, or the same for all (stores.md 2.2)."""
    if profile["result-types"] == "generic":
        return "GENERIC"
    return RESULT_TYPES.get(tool, "GENERIC")


def tool_result(
    call: ToolCall,
    profile: Profile,
    *,
    created: float,
    finished: float,
    output: str,
    exit_code: int,
    error: str | None,
    running: bool = False,
) -> str:
    """Write what a result row holds: a header with two times, then the tool's own text (stores.md 2.3).

    What is `running` in the background came to nothing yet: `output` says so, as it is.
    """
    told = local_second if profile["result-times"] == "local" else utc_second
    header = f"Created At: {told(created)}\nCompleted At: {told(finished)}\n"
    if error is not None:
        return f"{header}Encountered error in step execution: {error}"
    if running or call.name != "run_command":
        return f"{header}{output}"
    return header + _command_result(output, exit_code, str(profile["command-result"]))


def without_times(content: str) -> str:
    """Give a result without its header."""
    return content.split("\n", 2)[2] if content.startswith("Created At: ") else content


def _command_result(output: str, exit_code: int, form: str) -> str:
    """Write what a command came to; its last newline is its own, the one behind it is agy's."""
    if form == "exited":
        return f"\nThe command exited with code {exit_code}.\nOutput:\n{output}\n"
    if form == "exited-terminal":
        shown = output.replace("\n", "\r\n")
        streams = f"Stdout:\n{shown}\nStderr:\n\n" if exit_code else f"Output:\n{shown}\n"
        return f"\nThe command exited with code {exit_code}.\n{streams}"
    if exit_code:
        return (
            f"\n\t\t\t\tThe command failed with exit code: {exit_code}\n\t\t\tStdout:\n\t\t\t{output}"
            "\n\t\t\tStderr:\n\t\t\t\n"
        )
    return f"\n\t\t\t\tThe command completed successfully.\n\t\t\t\tOutput:\n\t\t\t\t{output}\n"


def _head(step: Step, *, tokens: bool) -> dict[str, Any]:
    """Give the keys both forms begin with, in agy's order."""
    head: dict[str, Any] = {
        "step_index": step.idx,
        "source": step.source,
        "type": step.type,
        "status": step.status,
        "error": step.error,
        "created_at": utc_second(step.created),
    }
    if step.exit_code is not None:
        head["exit_code"] = step.exit_code
    if tokens and step.usage is not None and step.type == "PLANNER_RESPONSE":
        head["input_tokens"] = step.usage.input
        head["output_tokens"] = step.usage.output
        head["cache_read_tokens"] = step.usage.cache_read
    return head


def _line(fields: dict[str, Any]) -> bytes:
    present = {key: value for key, value in fields.items() if value is not None and value not in ("", [])}
    return compact_json(present).encode(errors="replace") + b"\n"
