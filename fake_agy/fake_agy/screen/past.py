"""Conversations of before: as blocks of a screen, and as a list to choose from."""

from __future__ import annotations

import os

from fake_agy.go.json import read_json
from fake_agy.screen.state import Block
from fake_agy.stores.files import read_bytes
from fake_agy.stores.layout import generated, logs

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from fake_agy.stores.database import Told
    from fake_agy.stores.layout import Layout

LISTED = 9
_OPEN, _CLOSE = "<USER_REQUEST>\n", "\n</USER_REQUEST>"


def turns_shown(told: Sequence[Told]) -> tuple[Block, ...]:
    """Give the turns of a resumed conversation, which a terminal session paints first (contract.md 4.4)."""
    blocks: list[Block] = []
    for turn in told:
        blocks.append(Block("prompt", turn.prompt))
        if turn.answer:
            blocks.append(Block("answer", turn.answer))
    return tuple(blocks)


def conversations(layout: Layout) -> tuple[tuple[str, str], ...]:
    """List the newest conversations, each its id and its first prompt on a line; children are left out."""
    folder = f"{layout.root}/brain"
    if not os.path.isdir(folder):
        return ()
    names = os.listdir(folder)
    children = {child for name in names for child in _children(layout, name)}
    dated = [(_changed(layout, name), name) for name in names if name not in children]
    newest = sorted([each for each in dated if each[0]], reverse=True)[:LISTED]
    return tuple([(name, _titled(layout, name)) for _, name in newest])


def _children(layout: Layout, conversation: str) -> list[str]:
    folder = f"{generated(layout, conversation)}/subagents"
    return [name.removesuffix(".json") for name in os.listdir(folder)] if os.path.isdir(folder) else []


def _changed(layout: Layout, conversation: str) -> int:
    try:
        return os.stat(_transcript(layout, conversation)).st_mtime_ns
    except FileNotFoundError:
        return 0


def _titled(layout: Layout, conversation: str) -> str:
    line = (read_bytes(_transcript(layout, conversation)) or b"").partition(b"\n")[0]
    try:
        content = str(read_json(line.decode(errors="replace")).get("content", ""))
    except (ValueError, AttributeError):
        return conversation
    asked = content.partition(_OPEN)[2].partition(_CLOSE)[0]
    return " ".join(asked.split())[:60] or conversation


def _transcript(layout: Layout, conversation: str) -> str:
    return f"{logs(layout, conversation)}/transcript.jsonl"
