"""Artifacts: plans and lists for people, each with a file that describes it (stores.md 1.3)."""

from __future__ import annotations

import os

from fake_agy.clock import utc_nanosecond
from fake_agy.go.json import compact_json
from fake_agy.stores.files import read_bytes, replace_private
from fake_agy.stores.layout import brain

TYPE_CHECKING = False
if TYPE_CHECKING:
    from fake_agy.stores.layout import Layout

_TYPES = {
    "task.md": "ARTIFACT_TYPE_TASK",
    "implementation_plan.md": "ARTIFACT_TYPE_IMPLEMENTATION_PLAN",
    "walkthrough.md": "ARTIFACT_TYPE_WALKTHROUGH",
}


def misplaced(layout: Layout, conversation: str, path: str) -> str | None:
    """Say why a file can't be an artifact of a conversation: only those in its own folder can."""
    folder = brain(layout, conversation)
    if os.path.realpath(path).startswith(os.path.realpath(folder) + "/"):
        return None
    return f"{path} is not a valid artifact path; artifacts must be in {folder}/"


def describe(path: str, summary: str, at: float) -> None:
    """Write ``<name>.metadata.json`` beside an artifact; `at` is in seconds since the epoch."""
    fields = {
        "artifactType": _TYPES.get(os.path.basename(path), "ARTIFACT_TYPE_OTHER"),
        "summary": summary,
        "updatedAt": utc_nanosecond(at),
    }
    replace_private(f"{path}.metadata.json", compact_json(fields).encode(errors="replace"))


def keep_version(path: str) -> None:
    """Keep an artifact as it is now: in ``<name>.resolved``, and as the next of ``<name>.resolved.N``."""
    text = read_bytes(path) or b""
    number = 0
    while os.path.lexists(f"{path}.resolved.{number}"):
        number += 1
    replace_private(f"{path}.resolved.{number}", text)
    replace_private(f"{path}.resolved", text)


def is_artifact(path: str) -> bool:
    """Say whether a file has been described as an artifact."""
    return os.path.exists(f"{path}.metadata.json")
