"""The shape of ``show --json``; docs/reference/json.md describes it."""

from collections.abc import Mapping
from typing import Any

from agy_cassettes.call import Call, parse_call
from agy_cassettes.interaction import Body, Exit, Interaction, Mark, Sidecar, Value
from agy_proxy.report.json_text import json_text
from agy_proxy.report.timeline import duration


def interaction_shape(interaction: Interaction) -> dict[str, Any]:
    """One element of ``interactions``; bodies are bytes (no sidecars)."""
    request, response = interaction.request, interaction.response
    return {
        "id": interaction.id,
        "at": interaction.recorded.at,
        "complete": interaction.recorded.complete,
        "call": _call(call_of(interaction), request.prompt),
        "argv": [json_text(word) for word in request.argv],
        "agy": interaction.recorded.agy,
        "stdout": json_text(_bytes(response.stdout)),
        "stderr": json_text(_bytes(response.stderr)),
        "exit": _exit(response.exit),
        "duration": duration(interaction),
        "files": [
            {"op": event.op, "path": event.path, "bytes": body_size(event.text)}
            for event in interaction.files
        ],
        "findings": [],
    }


def mark_shape(mark: Mark) -> dict[str, Any]:
    """One element of ``marks``."""
    return {"id": mark.id, "at": mark.recorded.at, "mark": mark.mark, "note": mark.note}


def call_of(interaction: Interaction) -> Call:
    """What the recorded arguments ask for."""
    return parse_call([as_text(word) for word in interaction.request.argv[1:]])


def as_text(value: Value) -> str:
    """The value as text; bytes that are not UTF-8 are escaped as the operating system's names are."""
    return value if isinstance(value, str) else value.decode("utf-8", "surrogateescape")


def body_size(body: Body | None) -> int:
    """Bytes of a body; 0 where there is none."""
    if body is None:
        return 0
    return body.bytes if isinstance(body, Sidecar) else len(body)


def _call(call: Call, prompt: Value | None) -> Mapping[str, Any]:
    return {
        "kind": call.kind,
        "prompt": json_text(prompt),
        "conversation": json_text(call.conversation),
        "continue": call.continue_,
        "output_format": json_text(call.output_format),
        "input_format": json_text(call.input_format),
        "model": json_text(call.model),
        "add_dirs": [json_text(folder) for folder in call.add_dirs],
    }


def _exit(end: Exit) -> dict[str, Any]:
    if end.unknown:
        return {"unknown": True}
    return {"code": end.code} if end.signal is None else {"signal": end.signal}


def _bytes(body: Body) -> bytes:
    assert not isinstance(body, Sidecar), "read sidecars before asking for the shape"
    return body
