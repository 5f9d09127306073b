"""``subagents/<child>.json``: the children a conversation has sent out (stores.md 1.4)."""

from __future__ import annotations

from fake_agy.go.json import compact_json
from fake_agy.stores.files import replace_private
from fake_agy.stores.layout import brain

TYPE_CHECKING = False
if TYPE_CHECKING:
    from fake_agy.go.json import Json
    from fake_agy.stores.layout import Layout


def write_child(
    layout: Layout, parent: str, child: str, *, type_name: str, role: str, spawn_step: int
) -> None:
    """Note a child beside its parent's transcripts."""
    fields: dict[str, Json] = {
        "conversationId": child,
        "subagentDescriptor": {"typeName": type_name, "role": role},
        "state": "SUBAGENT_STATE_ALIVE",
        "spawnStepIndex": spawn_step,
    }
    folder = f"{brain(layout, parent)}/.system_generated/subagents"
    replace_private(f"{folder}/{child}.json", compact_json(fields).encode())
