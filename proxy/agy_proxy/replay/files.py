"""The files of an interaction as the player needs them: below which root they lie, and what is put anew."""

from collections.abc import Iterator, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any

from agy_cassettes.errors import CassetteError
from agy_cassettes.interaction import FileEvent, Interaction
from agy_proxy.replay.marks import (
    Mark,
    in_order,
    log_marks,
    log_name_marks,
    number_marks,
    path_marks,
    row_marks,
    second_marks,
)

_ROOTS = {"${AGY_HOME}": "store", "${LOG_FILE}": "log", "${CWD}": "workspace"}
_FACTS = b'{"facts":'
_TRANSCRIPTS = ("transcript.jsonl", "transcript_full.jsonl")


def file_facts(
    cassette: Path,
    interaction: Interaction,
    event: FileEvent,
    stored: tuple[int, bytes],
    recorded: datetime | None,
) -> dict[str, Any]:
    """What the player needs of a file event.

    `stored` is its text with the offset among the interaction's texts; `recorded` is when the call began.
    Raises `CassetteError` for an event that leads out of the replay's own places.
    """
    offset, text = stored
    root, parts = _place(cassette, interaction, event.path)
    target = None
    if event.op == "rename":
        if event.target is None:
            raise _fault(cassette, interaction, f"files: the rename of {event.path!r} has no target")
        target_root, target = _place(cassette, interaction, event.target)
        if target_root != root:
            raise _fault(cassette, interaction, f"files: {event.target!r} leads out of the store")
    elif event.op == "symlink":
        if not event.target or "/" in event.target or event.target in (".", ".."):
            raise _fault(cassette, interaction, f"files: the symlink {event.path!r} leads elsewhere")
        target = (*parts[:-1], event.target.encode())
    transcript = root == "log" or (root == "store" and _is_transcript(parts))
    how = _rebuilding(cassette, interaction, event, root, parts)
    marks = [path_marks(text)]
    names: tuple[Mark, ...] = ()
    target_names: tuple[Mark, ...] = ()
    if root == "store":
        marks += _time_marks(parts, text, decoded=how == "decoded")
    if recorded is not None and (root == "log" or parts[:1] == (b"log",)):
        marks.append(log_marks(text, recorded))
        names = log_name_marks(parts[-1], recorded) if parts else ()
        target_names = log_name_marks(target[-1], recorded) if target else ()
    return {
        "op": "stand" if event.extra.get("stood") else event.op,
        "path": event.path,
        "root": root,
        "parts": parts,
        "target": target,
        "transcript": transcript,
        "how": how,
        "names": (names, target_names),
        "text": (offset, len(text), in_order(*marks)),
    }


def born_with_facts(events: Sequence[FileEvent], texts: Sequence[bytes]) -> Iterator[bytes]:
    """The texts of file events, those of new databases with facts, even where they were seen later.

    A database is made with them, as agy does, and the recorder may have looked before it could read them.
    """
    for at, (event, text) in enumerate(zip(events, texts, strict=True)):
        if event.extra.get("decoded") and event.op == "create" and not text.startswith(_FACTS):
            later = (
                other.partition(b"\n")[0] + b"\n"
                for same, other in zip(events[at:], texts[at:], strict=True)
                if same.path == event.path and other.startswith(_FACTS)
            )
            yield next(later, b"") + text
        else:
            yield text


def _rebuilding(
    cassette: Path, interaction: Interaction, event: FileEvent, root: str, parts: tuple[bytes, ...]
) -> str | None:
    """What the player leaves to the writer: ``merge`` and ``decoded``; None for what it writes itself."""
    if event.extra.get("merge"):
        if root != "store" or not parts[-1].endswith(b".json"):
            raise _fault(cassette, interaction, f"files: {event.path!r} can't be merged")
        return "merge"
    if event.extra.get("decoded"):
        if root != "store" or parts[:-1] != (b"conversations",) or not parts[-1].endswith(b".db"):
            raise _fault(cassette, interaction, f"files: {event.path!r} is no conversation's database")
        return "decoded"
    return None


def _time_marks(parts: tuple[bytes, ...], text: bytes, *, decoded: bool) -> tuple[tuple[Mark, ...], ...]:
    """The times in a file of the store."""
    if decoded:
        return (second_marks(text, b"created|finished"),)
    if parts == (b"history.jsonl",):
        return (number_marks(text, b"timestamp", 3),)
    if parts[0] == b"cache":
        return (row_marks(text, b"UpdatedAt|last_modified_time"),)
    if parts[0] != b"brain" or not parts[-1].endswith((b".json", b".jsonl")):
        return ()
    if parts[-2] == b"messages":
        return row_marks(text, b"timestamp"), number_marks(text, b"last_read_unix_nano", 9)
    return (row_marks(text),)


def _place(cassette: Path, interaction: Interaction, path: str) -> tuple[str, tuple[bytes, ...]]:
    """The root of a file's path and its parts below.

    Raises `CassetteError` for any but the replay's own places.
    """
    name, *rest = path.split("/")
    root = _ROOTS.get(name)
    parts = tuple(part.encode("utf-8", "surrogateescape") for part in rest)
    if root is None:
        what = "is not below ${AGY_HOME}, ${CWD} or ${LOG_FILE}, and replay writes nowhere else"
        raise _fault(cassette, interaction, f"files: {path!r} {what}")
    if (root == "log") != (not parts) or any(part in (b"", b".", b"..") or b"\0" in part for part in parts):
        raise _fault(cassette, interaction, f"files: {path!r} is no path below {name}")
    return root, parts


def _fault(cassette: Path, interaction: Interaction, what: str) -> CassetteError:
    return CassetteError(cassette, f"interaction {interaction.id}: {what}")


def _is_transcript(parts: tuple[bytes, ...]) -> bool:
    return len(parts) > 1 and parts[0] == b"brain" and parts[-1].decode(errors="replace") in _TRANSCRIPTS
