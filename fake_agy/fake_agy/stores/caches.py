"""``cache/``: each directory's newest conversation, its project, and what is known of conversations."""

from __future__ import annotations

from fake_agy.go.json import go_table, read_json
from fake_agy.go.text_map import with_entry
from fake_agy.stores.files import read_bytes, replace_private, size_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from fake_agy.stores.layout import Layout
    from fake_agy.stores.summaries import Summary

METADATA_MAX = 1 << 18
"""Bytes of conversation_metadata.json from which it is left as it is: agy's own is often stale, too."""


def last_conversations(layout: Layout) -> dict[str, str]:
    """Read every directory's entry; none where the file is missing or damaged (stores.md 4.4)."""
    entries = _read(f"{layout.root}/cache/last_conversations.json")
    return {cwd: identity for cwd, identity in entries.items() if isinstance(identity, str)}


def last_conversation(layout: Layout, cwd: str) -> str | None:
    """Give the id that ``--continue`` resumes in a directory."""
    return last_conversations(layout).get(cwd)


def remember_last(layout: Layout, cwd: str, conversation: str) -> None:
    """Note a directory's newest conversation; the caller holds the lock."""
    path = f"{layout.root}/cache/last_conversations.json"
    changed = with_entry(read_bytes(path) or b"{}", cwd, conversation)
    if changed is None:
        _write_sorted(path, {**last_conversations(layout), cwd: conversation})
    else:
        replace_private(path, changed)


def remember_project(layout: Layout, cwd: str, project: str) -> None:
    """Note a directory's project in ``cache/projects.json`` (contract.md 4.6); the caller holds the lock."""
    path = f"{layout.root}/cache/projects.json"
    _write_sorted(path, {**_read(path), cwd: project})


def remember_metadata(layout: Layout, summary: Summary, updated_at: str) -> None:
    """Note a conversation in ``cache/conversation_metadata.json`` (stores.md 4.4); the caller holds the lock.

    `updated_at` is RFC 3339.
    """
    path = f"{layout.root}/cache/conversation_metadata.json"
    if size_of(path) >= METADATA_MAX:
        return
    known = _read(path).get("conversations")
    shown = {
        "ID": summary.conversation,
        "Title": summary.title,
        "Preview": summary.preview,
        "NumSteps": summary.step_count,
        "UpdatedAt": updated_at,
        "WorkspaceURIs": [f"file://{folder}" for folder in summary.workspaces],
        "ProjectID": summary.project,
        "AgentName": "",
    }
    entry = {"summary": shown, "is_internal": False, "last_modified_time": updated_at}
    others = known if isinstance(known, dict) else {}
    _write(path, {"conversations": {**others, summary.conversation: entry}})


def _read(path: str) -> dict[str, Any]:
    try:
        kept = read_json((read_bytes(path) or b"{}").decode(errors="replace"))
    except ValueError:
        return {}
    return kept if isinstance(kept, dict) else {}


def _write_sorted(path: str, kept: dict[str, Any]) -> None:
    _write(path, {key: kept[key] for key in sorted(kept)})


def _write(path: str, kept: dict[str, Any]) -> None:
    replace_private(path, go_table(kept).encode(errors="replace"))
