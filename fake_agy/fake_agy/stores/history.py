"""``history.jsonl``: what people typed in a terminal session (stores.md 4.5)."""

from __future__ import annotations

from fake_agy.go.json import compact_json
from fake_agy.stores.files import append_private

TYPE_CHECKING = False
if TYPE_CHECKING:
    from fake_agy.stores.layout import Layout


def remember(
    layout: Layout,
    *,
    display: str,
    timestamp_ms: int,
    workspace: str,
    conversation: str | None,
    kind: str | None = None,
) -> None:
    """Append what was typed; the first prompt of a conversation has no id yet. The caller holds the lock.

    `kind` is ``prompt`` or ``slash_command`` where the version says which.
    """
    fields: dict[str, str | int] = {
        "display": display,
        "timestamp": timestamp_ms,
        "workspace": workspace,
    }
    if conversation is not None:
        fields["conversationId"] = conversation
    if kind is not None:
        fields["type"] = kind
    append_private(f"{layout.root}/history.jsonl", compact_json(fields).encode() + b"\n")
