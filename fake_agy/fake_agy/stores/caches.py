"""``cache/last_conversations.json``: each directory's newest conversation (stores.md 4.4)."""

from __future__ import annotations

from fake_agy.go.json import go_json, read_json
from fake_agy.stores.files import read_bytes, replace_private

TYPE_CHECKING = False
if TYPE_CHECKING:
    from fake_agy.stores.layout import Layout


def last_conversations(layout: Layout) -> dict[str, str]:
    """Read every directory's entry; none where the file is missing or damaged."""
    try:
        entries = read_json((read_bytes(_path(layout)) or b"{}").decode(errors="replace"))
    except ValueError:
        return {}
    if not isinstance(entries, dict):
        return {}
    return {cwd: identity for cwd, identity in entries.items() if isinstance(identity, str)}


def last_conversation(layout: Layout, cwd: str) -> str | None:
    """Give the id that ``--continue`` resumes in a directory."""
    return last_conversations(layout).get(cwd)


def remember_last(layout: Layout, cwd: str, conversation: str) -> None:
    """Note a directory's newest conversation; the caller holds the lock."""
    entries = {**last_conversations(layout), cwd: conversation}
    replace_private(_path(layout), go_json(dict(sorted(entries.items()))).encode())


def _path(layout: Layout) -> str:
    return f"{layout.root}/cache/last_conversations.json"
