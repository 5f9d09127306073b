"""``messages/``: what the system and children tell a conversation (stores.md 1.4)."""

from __future__ import annotations

import time

from fake_agy.stores.files import read_bytes, replace_private
from fake_agy.stores.layout import brain
from fake_agy.stores.spaced_json import spaced

TYPE_CHECKING = False
if TYPE_CHECKING:
    from fake_agy.stores.layout import Layout


def post_restart_notice(layout: Layout, conversation: str, *, identity: str, at: float) -> None:
    """Keep the notice of a restart, read already; `at` is in seconds since the epoch."""
    folder = f"{brain(layout, conversation)}/.system_generated/messages"
    whole = time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(at))
    replace_private(
        f"{folder}/{identity}.json",
        spaced(
            {
                "id": identity,
                "recipient": conversation,
                "sender": "system",
                "priority": "MESSAGE_PRIORITY_LOW",
                "timestamp": f"{whole}.{round(at % 1 * 1e9):09d}Z",
                "hideFromUser": True,
                "content": "[Notice] All your subagents and background tasks have been stopped due to server "
                "restart.",
            }
        ),
    )
    known = (read_bytes(f"{folder}/read.json") or b"{}").decode(errors="replace").strip()
    others = known.removeprefix("{").removesuffix("}")
    entry = f'"{identity}": true'
    replace_private(f"{folder}/read.json", f"{{{others + ', ' if others else ''}{entry}}}".encode())
    replace_private(f"{folder}/cursor.json", spaced({"last_read_unix_nano": round(at * 1e9)}))
