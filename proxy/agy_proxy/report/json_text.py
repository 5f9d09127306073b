"""Text in our JSON: a string where it is UTF-8, else its bytes."""

import base64
import json
from collections.abc import Mapping
from typing import Any


def json_text(value: str | bytes | None) -> str | dict[str, str] | None:
    """The value as JSON has it: a string where it is UTF-8, else ``{"base64": ...}``.

    A `str` may hold bytes escaped as the operating system's names are.
    """
    if value is None:
        return None
    raw = _bytes(value) if isinstance(value, str) else value
    try:
        return raw.decode("utf-8")
    except UnicodeDecodeError:
        return {"base64": base64.b64encode(raw).decode("ascii")}


def json_line(shape: Mapping[str, Any]) -> str:
    """The shape as JSON on one line, its strings as `json_text` has them; nothing in it needs escaping."""
    return json.dumps(_told(shape), ensure_ascii=False)


def _told(value: Any) -> Any:
    if isinstance(value, str):
        return json_text(value)
    if isinstance(value, Mapping):
        return {key: _told(each) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return [_told(each) for each in value]
    return value


def _bytes(text: str) -> bytes:
    try:
        return text.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:
        # A lone surrogate that stands for no byte, as JSON of others may hold.
        return text.encode("utf-8", "surrogatepass")
