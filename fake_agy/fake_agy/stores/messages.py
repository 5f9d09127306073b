"""``messages/``: what the system and children tell a conversation (stores.md 1.4)."""

from __future__ import annotations

from fake_agy.clock import nanoseconds, utc_nanosecond
from fake_agy.go.json import read_json
from fake_agy.stores.files import read_bytes, replace_private
from fake_agy.stores.layout import generated
from fake_agy.stores.rows import LOW, RESTARTED
from fake_agy.stores.spaced_json import spaced

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import NamedTuple

    from fake_agy.stores.layout import Layout
else:
    from fake_agy.record import NamedTuple


class Message(NamedTuple):
    """One message; `at` is in seconds since the epoch, `sender` is system or the id of a child."""

    identity: str
    sender: str
    priority: str
    at: float
    content: str
    hidden: bool = False
    """Not to be shown to the user."""


def restart_message(identity: str, at: float) -> Message:
    """Make the notice that a resumed conversation gets."""
    return Message(identity, "system", LOW, at, RESTARTED, hidden=True)


def post(layout: Layout, conversation: str, message: Message, *, cursor: bool) -> None:
    """Keep a message, read already; `cursor` also notes when the newest one was read.

    The caller holds the store's lock.
    """
    folder = f"{generated(layout, conversation)}/messages"
    kept: dict[str, str | bool | int] = {
        "id": message.identity,
        "recipient": conversation,
        "sender": message.sender,
        "priority": message.priority,
        "timestamp": utc_nanosecond(message.at),
        "hideFromUser": message.hidden,
        "content": message.content,
    }
    replace_private(f"{folder}/{message.identity}.json", spaced(kept))
    replace_private(f"{folder}/read.json", spaced({**_read(folder), message.identity: True}))
    if cursor:
        replace_private(f"{folder}/cursor.json", spaced({"last_read_unix_nano": nanoseconds(message.at)}))


def _read(folder: str) -> dict[str, bool]:
    """Give the messages that are marked as read; none where the file is damaged."""
    try:
        marked = read_json((read_bytes(f"{folder}/read.json") or b"{}").decode(errors="replace"))
    except ValueError:
        return {}
    return {key: bool(value) for key, value in marked.items()} if isinstance(marked, dict) else {}
