"""What a conversation keeps of the children it has sent out (stores.md 1.4, 2.3)."""

from __future__ import annotations

from fake_agy.go.json import compact_json
from fake_agy.stores.files import replace_private
from fake_agy.stores.layout import generated

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from fake_agy.go.json import Json
    from fake_agy.stores.layout import Layout


def write_child(
    layout: Layout,
    parent: str,
    child: str,
    *,
    type_name: str,
    role: str,
    spawn_step: int,
    workspace_uris: Sequence[str] = (),
) -> None:
    """Note a child beside its parent's transcripts; the caller holds the store's lock."""
    fields: dict[str, Json] = {
        "conversationId": child,
        "subagentDescriptor": {"typeName": type_name, "role": role},
        "state": "SUBAGENT_STATE_ALIVE",
        "spawnStepIndex": spawn_step,
    }
    if workspace_uris:
        fields["workspaceUris"] = list(workspace_uris)
    replace_private(
        f"{generated(layout, parent)}/subagents/{child}.json", compact_json(fields).encode(errors="replace")
    )


def created_text(child: str, log_uri: str, workspace_uris: Sequence[str]) -> str:
    """Write the result of sending a child out, with the two blanks that protojson puts behind a colon."""
    fields = [f'"conversationId":  {compact_json(child)}', f'"logAbsoluteUri":  {compact_json(log_uri)}']
    if workspace_uris:
        uris = ",\n    ".join([compact_json(uri) for uri in workspace_uris])
        fields.append(f'"workspaceUris":  [\n    {uris}\n  ]')
    inside = ",\n  ".join(fields)
    return (
        f"Created the following subagents:\n{{\n  {inside}\n}}\n"
        "The subagents will send you a message when they are done."
    )
