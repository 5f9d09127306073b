"""What a conversation's database tells, read back into steps and facts (stores.md 4.2).

It reads what agy wrote as well as what the double did; a field that isn't known is left out.
"""

from __future__ import annotations

import _sqlite3

from fake_agy.go.json import read_json
from fake_agy.stores.database import Broken, Facts
from fake_agy.stores.payload import RESULTS, SOURCES, STATUSES, STEP_TYPES
from fake_agy.stores.protobuf import decode, number_at, text_at
from fake_agy.stores.step import Step, ToolCall, Usage

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

_TYPES = {code: name for name, code in STEP_TYPES.items()}
_NAMED_STATUSES = {code: name for name, code in STATUSES.items()}
_NAMED_SOURCES = {code: name for name, code in SOURCES.items()}
_TEXTS = {
    "USER_INPUT": ((19, 2), (19, 3, 1), (19, 1)),
    "PLANNER_RESPONSE": ((20, 1), (20, 8)),
    "ERROR_MESSAGE": ((24, 3, 1),),
    "EPHEMERAL_MESSAGE": ((103, 1),),
    "SYSTEM_MESSAGE": ((114, 1),),
}
"""Where each kind of step holds its text; results have theirs in a field of their own kind."""

MOST = 1 << 20
"""Bytes of one payload that are read at most; a larger one is passed over."""


def read_steps(connection: Any, *, since: int = 0) -> Iterator[tuple[Step, bytes]]:
    """Yield the steps from an index on, each with its payload; `Broken` where the table can't be read.

    `connection` is one of ``_sqlite3``. A payload that is no message, or too large, is passed over.
    """
    query = "SELECT idx, step_payload FROM steps WHERE idx >= ? AND length(step_payload) <= ? ORDER BY idx"
    for idx, payload in _rows(connection, query, (since, MOST)):
        try:
            yield step_of(idx, payload), payload
        except (ValueError, TypeError):
            continue


def step_of(idx: int, payload: bytes) -> Step:
    """Read one step; `ValueError` where the payload is no message."""
    kind = _TYPES.get(number_at(payload, 1), "GENERIC")
    created, finished = _seconds(payload, 5, 1), _seconds(payload, 5, 8)
    text = next((found for path in _texts(kind) if (found := text_at(payload, *path)) is not None), None)
    planner = _message(payload, 20)
    return Step(
        idx=idx,
        source=_NAMED_SOURCES.get(number_at(payload, 5, 3), "SYSTEM"),
        type=kind,
        created=created,
        finished=max(created, finished),
        status=_NAMED_STATUSES.get(number_at(payload, 4), "DONE"),
        error=text_at(payload, 31, 1),
        plain=text,
        thinking=text_at(planner, 3),
        tool_calls=tuple(_calls(planner, 7)),
        usage=_usage(_message(payload, 5)),
        model=text_at(payload, 5, 13, 1) or "",
        execution=text_at(payload, 5, 12) or "",
        answers=next(_calls(_message(payload, 5), 4), None),
        title=text_at(payload, 30, 4) if kind == "CHECKPOINT" else None,
    )


def read_facts(connection: Any) -> Facts | None:
    """Read what the conversation was born with; None where that isn't written yet."""
    ids = _rows(connection, "SELECT trajectory_id, cascade_id FROM trajectory_meta", ())
    blobs = _rows(connection, "SELECT data FROM trajectory_metadata_blob WHERE id = 'main'", ())
    if not ids or not blobs:
        return None
    blob = blobs[0][0]
    try:
        uris = [
            value.decode(errors="replace") for value in decode(blob).get(7, []) if isinstance(value, bytes)
        ]
        return Facts(
            conversation=str(ids[0][1]),
            trajectory=str(ids[0][0]),
            created=_seconds(blob, 2),
            workspaces=tuple(uri.removeprefix("file://") for uri in uris),
            project=text_at(blob, 18) or "",
            parent=text_at(blob, 5),
            depth=number_at(blob, 17),
        )
    except (ValueError, TypeError):
        return None


def _texts(kind: str) -> tuple[tuple[int, ...], ...]:
    return _TEXTS.get(kind) or ((RESULTS.get(kind, 140), 1),)


def _calls(message: bytes, field: int) -> Iterator[ToolCall]:
    for value in decode(message).get(field, []):
        if isinstance(value, bytes):
            try:
                args = read_json(text_at(value, 3) or "{}")
            except ValueError:
                args = {}
            yield ToolCall(
                text_at(value, 2) or "", args if isinstance(args, dict) else {}, text_at(value, 1) or ""
            )


def _usage(metadata: bytes) -> Usage | None:
    used = _message(metadata, 9)
    if not used:
        return None
    return Usage(number_at(used, 2), number_at(used, 3), number_at(used, 9), number_at(used, 5))


def _message(payload: bytes, field: int) -> bytes:
    values = decode(payload).get(field, [b""])
    return values[-1] if isinstance(values[-1], bytes) else b""


def _seconds(payload: bytes, *path: int) -> float:
    return number_at(payload, *path, 1) + number_at(payload, *path, 2) / 1e9


def _rows(connection: Any, query: str, values: tuple[object, ...]) -> list[Any]:
    try:
        rows: list[Any] = connection.execute(query, values).fetchall()
    except (_sqlite3.Error, ValueError) as wrong:
        raise Broken(str(wrong)) from None
    return rows
