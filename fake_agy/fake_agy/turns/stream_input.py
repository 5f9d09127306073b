"""One line of ``--input-format stream-json``: a message, a warning, or the end (contract.md 3.4)."""

from __future__ import annotations

from fake_agy.go.decode import decode_error, kind_of
from fake_agy.go.json import read_json
from fake_agy.turns.ending import Ending

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import NamedTuple

    from fake_agy.profile.resolve import Profile
else:
    from fake_agy.record import NamedTuple


class Message(NamedTuple):
    """The text of a user's message."""

    text: str


class Warned(NamedTuple):
    """A line that is passed over, with what stderr says of it; nothing of an empty one."""

    err: str


class Wrong(NamedTuple):
    """A line that ends the process."""

    ending: Ending


def read_message(line: bytes, profile: Profile) -> Message | Warned | Wrong:
    """Read a line without its newline."""
    if not line.strip():
        return Warned("")
    wrong = decode_error(line)
    if wrong is not None:
        return _wrong(f"failed to decode stream input: {wrong}")
    try:
        value = read_json(line.decode(errors="replace"))
    except ValueError as trouble:  # nested deeper than this interpreter goes
        return _wrong(f"failed to decode stream input: {trouble}")
    if not isinstance(value, dict):
        return _mistyped(value, "", "main.streamInputMessage")
    event = value.get("event")
    if event is None or event == "":
        return _wrong('stream input message is missing the "event" field')
    if not isinstance(event, str):
        return _mistyped(event, "event", "string")
    if event != "user":
        return Warned(f'warning: ignoring unsupported stream input message event "{event}"\n')
    message = value.get("message")
    if message is None:
        return _wrong('stream input "user" message is missing the "message" field')
    if not isinstance(message, dict):
        return _mistyped(message, "message", "main.streamInputUserMessage")
    return _content(message.get("content"), profile)


def _content(content: object, profile: Profile) -> Message | Wrong:
    if content is None or content in ("", []):
        return _wrong('stream input "user" message has no content')
    if isinstance(content, str):
        return _text(content, profile)
    if not isinstance(content, list):
        return _mistyped(content, "message.content", "string")
    texts = []
    for block in content:
        if not isinstance(block, dict):
            return _mistyped(block, "message.content", "main.streamInputBlock")
        kind = block.get("type")
        if kind != "text":
            return _wrong(f'stream input content block type "{kind or ""}" is not supported (only "text")')
        text = block.get("text")
        if not isinstance(text, str):
            return _mistyped(text, "message.content.text", "string")
        texts.append(text)
    return _text("".join(texts), profile) if "".join(texts) else _content(None, profile)


def _text(text: str, profile: Profile) -> Message | Wrong:
    """Take a text; a slash command that agy answers itself has no place in a stream."""
    text = text.encode(errors="replace").decode()
    word = text.split(maxsplit=1)[0] if text.strip() else ""
    if word.startswith("/"):
        from fake_agy.command.slash import answered_locally  # few messages begin with a slash

        if answered_locally(word, profile):
            return _wrong(
                f"{word} is answered by the CLI itself and is unavailable with --input-format stream-json; "
                "run it as its own --print invocation"
            )
    return Message(text)


def _mistyped(value: object, field: str, wanted: str) -> Wrong:
    where = f"Go struct field streamInputMessage.{field}" if field else "Go value"
    what = f"cannot unmarshal {kind_of(value)} into {where} of type {wanted}"
    return _wrong(f"failed to decode stream input: json: {what}")


def _wrong(text: str) -> Wrong:
    return Wrong(Ending(1, "ERROR", text, err=f"error: {text}\n"))
