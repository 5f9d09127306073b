"""The small JSON files, which have a blank behind each colon and comma (stores.md 1.4)."""

from __future__ import annotations

from fake_agy.go.json import compact_json

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping


def spaced(fields: Mapping[str, str | bool | int]) -> bytes:
    """Write one flat object."""
    return (
        "{"
        + ", ".join([f"{compact_json(key)}: {compact_json(value)}" for key, value in fields.items()])
        + "}"
    ).encode()
