"""A record as the bytes that stand for it in a cassette."""

import hashlib
from collections.abc import Mapping
from typing import Any

from agy_cassettes.interaction import Record
from agy_cassettes.mapping import to_mapping
from agy_cassettes.scalars import body, flow, is_word, key

VERSION = 1
"""The version of the format that this package writes, and the newest it reads."""

_BODIES = frozenset({"prompt", "stdin", "stdout", "stderr"})
_WORDS = frozenset({"mark", "op", "origin"})
_BLOCKS = frozenset({"request", "response"})


def header() -> bytes:
    """Give what a cassette begins with: its records follow as items of the list ``interactions``."""
    return b"version: %d\ninteractions:\n" % VERSION


def record_hash(data: bytes) -> str:
    """Hash a record's bytes from its ``- `` to the newline before its end line, that newline included."""
    return f"sha256:{hashlib.sha256(data).hexdigest()}"


def end_line(record_id: str, data: bytes) -> bytes:
    """Give the last line of the record whose other lines are `data`."""
    return f'  end: "{record_id} {record_hash(data)}"\n'.encode()


def emit_record(record: Record) -> bytes:
    """Write a record from ``- id:`` or ``- mark:`` to its end line, all bodies inline, whatever their size.

    Raises `ValueError` for what a cassette can't hold (`agy_cassettes.mapping.to_mapping`).
    """
    mapping = to_mapping(record)
    if "end" in mapping:
        raise ValueError("a record's key 'end' is its end mark, nothing else")
    lines = "".join(
        _line("- " if at == 0 else "  ", name, item, indent=2)
        for at, (name, item) in enumerate(mapping.items())
    )
    data = lines.encode()
    return data + end_line(record.id, data)


def _line(lead: str, name: str, value: Any, *, indent: int) -> str:
    start = lead + key(name, "\n" + " " * indent)
    inner = indent + 2
    if name in _BLOCKS and indent == 2:
        return f"{start}\n" + "".join(_line(" " * inner, item, value[item], indent=inner) for item in value)
    if name == "files" and value and indent == 2:
        return f"{start}\n" + "".join(f"{' ' * indent}- {_flow(event, inner + 2)}\n" for event in value)
    if isinstance(value, str | bytes) and (name in _BODIES or _has_lines(value)):
        return start + body(value, inner)
    return f"{start} {_word(name, value, inner)}\n"


def _has_lines(value: str | bytes) -> bool:
    return isinstance(value, str) and "\n" in value


def _word(name: str, value: Any, indent: int) -> str:
    if name in _WORDS and isinstance(value, str) and is_word(value):
        return value
    return _flow(value, indent) if isinstance(value, Mapping) else flow(value, indent)


def _flow(mapped: Mapping[str, Any], indent: int) -> str:
    return "{" + ", ".join(f"{key(name)} {_word(name, item, indent)}" for name, item in mapped.items()) + "}"
