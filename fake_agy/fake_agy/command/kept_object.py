"""Files of the shared configuration that hold one JSON object (contract.md 5.6)."""

from __future__ import annotations

from fake_agy.go.json import compact_json, read_json
from fake_agy.stores.files import read_bytes, replace_private

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


def read_object(path: str) -> dict[str, Any]:
    """Read the object; empty where there is no file, `ValueError` where it holds something else."""
    kept = read_bytes(path)
    if kept is None or not kept.strip():
        return {}
    value = read_json(kept.decode(errors="replace"))
    if not isinstance(value, dict):
        raise ValueError("it is not an object")  # noqa: TRY004 - the file's content is wrong, not a caller
    return value


def keep_object(path: str, value: dict[str, Any]) -> None:
    """Put the object in place of the file, legible to people."""
    replace_private(path, f"{indented(value)}\n".encode())


def indented(value: Any, level: int = 0) -> str:
    """Write JSON with two blanks a level, as Go's MarshalIndent does."""
    inner, outer = "  " * (level + 1), "  " * level
    if isinstance(value, dict) and value:
        fields = [f"{inner}{compact_json(key)}: {indented(each, level + 1)}" for key, each in value.items()]
        return "{\n" + ",\n".join(fields) + f"\n{outer}}}"
    if isinstance(value, list) and value:
        return "[\n" + ",\n".join([inner + indented(each, level + 1) for each in value]) + f"\n{outer}]"
    return compact_json(value)
