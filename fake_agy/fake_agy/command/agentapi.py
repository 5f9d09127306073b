"""``agy agentapi``, meant for agy's own children; what it prints is this double's own (contract.md 1.3)."""

from __future__ import annotations

from fake_agy.go.digest import uuid_of
from fake_agy.go.flags import BadFlag, parse_flags
from fake_agy.go.json import go_json
from fake_agy.stores.conversations import is_known, open_conversation
from fake_agy.stores.database import Facts
from fake_agy.stores.files import locked
from fake_agy.stores.ids import new_conversation_id
from fake_agy.stores.layout import layout_of
from fake_agy.turns.ending import Ending

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from fake_agy.command.place import Place
    from fake_agy.go.flags import Kind
    from fake_agy.go.json import Json
    from fake_agy.profile.resolve import Profile
    from fake_agy.stores.layout import Layout

_FLAGS: dict[str, dict[str, Kind]] = {
    "get-conversation-metadata": {},
    "new-conversation": {"model": "text", "title": "text"},
    "send-message": {"title": "text"},
}
_MODELS = ("flash_lite", "flash", "pro")


def agentapi(words: Sequence[str], profile: Profile, place: Place) -> Ending:
    """Run one call; `OSError` where the store can't be written."""
    verb, *rest = words or ("",)
    if verb not in _FLAGS:
        return _failed(f'unknown agentapi command "{verb}" (valid: {", ".join(_FLAGS)})')
    if place.home is None:
        return _failed("$HOME is not defined")
    try:
        parsed = parse_flags(rest, _FLAGS[verb])
    except BadFlag as bad:
        return _failed(str(bad))
    given = {each.name: each.value for each in parsed.given}
    if len(parsed.rest) != (2 if verb == "send-message" else 1):
        return _failed(f"wrong number of arguments for {verb}")
    layout = layout_of(place.home)
    if verb == "new-conversation":
        if given.get("model", "pro") not in _MODELS:
            return _failed(f'unknown model "{given["model"]}" (valid: {", ".join(_MODELS)})')
        return _new_conversation(layout, profile, place)
    conversation = parsed.rest[0]
    if not is_known(layout, conversation, profile):
        return _failed(f'conversation "{conversation}" not found')
    if verb == "send-message":
        message = uuid_of(str(place.seed), conversation, parsed.rest[1], str(place.now))
        return _said({"messageId": message, "recipient": conversation})
    return _said({"conversationId": conversation, "workspaceUris": [f"file://{place.cwd}"]})


def _new_conversation(layout: Layout, profile: Profile, place: Place) -> Ending:
    """Begin a conversation that can be resumed by its id; nobody answers its prompt."""
    parent = place.env.get("ANTIGRAVITY_CONVERSATION_ID")
    with locked(layout):
        conversation = new_conversation_id(layout, place.seed)
        trajectory = uuid_of(str(place.seed), conversation, "trajectory")
        facts = Facts(
            conversation, trajectory, place.now, (place.cwd,), parent=parent, depth=int(bool(parent))
        )
        database = open_conversation(layout, conversation, facts, profile, seed=place.seed, now=place.now)
        database.finish(checkpoint=True)
    return _said({"conversationId": conversation})


def _said(fields: dict[str, Json]) -> Ending:
    return Ending(out=go_json(fields) + "\n")


def _failed(text: str) -> Ending:
    return Ending(1, err=f"Error: {text}\n")
