"""What rows, log lines and output say about which conversation a call is (stores.md 1.5, 2.3, 2.4)."""

import json
import re
from collections.abc import Iterator
from datetime import datetime
from typing import Any

_REQUEST = re.compile(r"<USER_REQUEST>\n?(.*?)\n?</USER_REQUEST>", re.DOTALL)
_OPEN_REQUEST = re.compile(r"<USER_REQUEST>\n?(.*)", re.DOTALL)
_CUT = re.compile(r"\n?<truncated [0-9]+ bytes>\n?")
_ID = rb"([0-9A-Za-z][0-9A-Za-z_-]{0,63})"
_RUNS = re.compile(rb"Print mode: (?:resuming conversation |conversation=)" + _ID)
_CREATED = re.compile(rb"Created conversation " + _ID)
_IN_OUTPUT = re.compile(rb'"conversation_id":\s*"' + _ID + rb'"')
_IN_PATH = re.compile(rb"/(?:brain|presence|conversations)/" + _ID + rb"(?:[./]|$)")
_NAME = re.compile(_ID.decode())


def is_conversation_id(text: str) -> bool:
    """Whether this can be the name of a conversation's folder: no path, nothing hidden."""
    return _NAME.fullmatch(text) is not None


def rows(data: bytes) -> Iterator[tuple[bytes, dict[str, Any]]]:
    """Yield each line with the row in it; a line that is no JSON object gives an empty row."""
    for line in data.splitlines(keepends=True):
        try:
            row = json.loads(line)
        except (ValueError, RecursionError):
            row = None
        yield line, row if isinstance(row, dict) else {}


def is_user_input(row: dict[str, Any]) -> bool:
    """Whether the row opens a turn."""
    return row.get("type") == "USER_INPUT"


def asks(row: dict[str, Any], prompt: bytes) -> bool:
    """Whether the row is the user's input and holds this prompt; one that agy elided need only begin so."""
    content = row.get("content")
    if not is_user_input(row) or not isinstance(content, str):
        return False
    wanted = prompt.decode("utf-8", "replace").strip()
    whole = _REQUEST.search(content)
    if whole is not None and "content" not in (row.get("truncated_fields") or ()):
        return whole[1].strip() == wanted
    begun = _OPEN_REQUEST.search(content)
    text = begun[1] if begun is not None else content
    cut = _CUT.search(text)
    if cut is None:
        return text.strip() == wanted
    # The cut may have fallen inside a character.
    return bool(wanted) and wanted.startswith(text[: cut.start()].rstrip("�").lstrip())


def created_ns(row: dict[str, Any]) -> int | None:
    """Return when the row's step began, in ns of the epoch cut to seconds; None where it doesn't say."""
    try:
        at = datetime.fromisoformat(str(row.get("created_at")))
    except ValueError:
        return None
    return int(at.timestamp()) * 1_000_000_000 if at.tzinfo is not None else None


def conversation_in_log(text: bytes) -> str | None:
    """Return the conversation that a log says it runs, else the first created: a later one may be a child."""
    runs = _RUNS.findall(text)
    if runs:
        return str(runs[-1].decode())
    created = _CREATED.search(text)
    return created[1].decode() if created is not None else None


def conversation_in_output(text: bytes) -> str | None:
    """Return the conversation that JSON output names first; what comes later may be a subagent's."""
    found = _IN_OUTPUT.search(text)
    return found[1].decode() if found else None


def conversation_of_path(path: bytes) -> str | None:
    """Return the conversation whose file this is: its brain, database or lock."""
    found = _IN_PATH.search(path)
    return found[1].decode() if found else None


def turn_offset(data: bytes, prompt: bytes, *, since_ns: int, first: bool) -> int | None:
    """Return where the first or last turn of this prompt begins that is no older than `since_ns` (epoch)."""
    at, found = 0, None
    for line, row in rows(data):
        if asks(row, prompt) and not_before(row, since_ns):
            found = at
            if first:
                break
        at += len(line)
    return found


def not_before(row: dict[str, Any], since_ns: int) -> bool:
    """Whether the row may have begun at `since_ns` or later: its own time is cut to whole seconds."""
    began = created_ns(row)
    return began is None or began + 1_000_000_000 > since_ns


def own_rows(data: bytes, *, several: bool, ended_ns: int | None) -> bytes:
    """Return the rows of one call out of all that were appended since it began.

    A call has one turn, so a second USER_INPUT is a later call's; with `several` (stream-json input) one that
    began after this call had ended (`ended_ns` of the epoch) is.
    """
    kept: list[bytes] = []
    turns = 0
    for line, row in rows(data):
        if is_user_input(row):
            turns += 1
            began = created_ns(row)
            later = began is not None and ended_ns is not None and began > ended_ns
            if later or (turns > 1 and not several):
                break
        kept.append(line)
    return b"".join(kept)
