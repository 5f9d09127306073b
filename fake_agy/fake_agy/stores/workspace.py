"""``settings.json``: what the double heeds of it, what a session adds (stores.md 1.2, contract.md 5.2)."""

from __future__ import annotations

from fake_agy.go.json import compact_json, read_json
from fake_agy.stores.files import locked, read_bytes, replace_private

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from fake_agy.stores.layout import Layout


def trusted(layout: Layout) -> tuple[str, ...]:
    """Give the folders that the user trusts."""
    return _texts(_settings(layout).get("trustedWorkspaces"))


def allow_rules(layout: Layout) -> tuple[str, ...]:
    """Give the rules that allow tools, such as ``command(echo)``."""
    permissions = _settings(layout).get("permissions")
    return _texts(permissions.get("allow")) if isinstance(permissions, dict) else ()


def tool_permission(layout: Layout) -> str:
    """Give the permission mode that the settings ask for."""
    mode = _settings(layout).get("toolPermission")
    return mode if isinstance(mode, str) else "request-review"


def screen_mode(layout: Layout) -> str:
    """Give ``altScreenMode``: default, always or never (contract.md 7.1)."""
    mode = _settings(layout).get("altScreenMode")
    return mode if isinstance(mode, str) else "default"


def trust(layout: Layout, folder: str) -> None:
    """Add a folder to those that the user trusts."""
    _change(layout, lambda kept: kept | {"trustedWorkspaces": [*trusted(layout), folder]})


def allow(layout: Layout, rule: str) -> None:
    """Add a rule that allows a tool."""

    def added(kept: dict[str, Any]) -> dict[str, Any]:
        permissions = kept.get("permissions")
        others = permissions if isinstance(permissions, dict) else {}
        return kept | {"permissions": others | {"allow": [*allow_rules(layout), rule]}}

    _change(layout, added)


def _change(layout: Layout, change: Callable[[dict[str, Any]], dict[str, Any]]) -> None:
    """Write the settings anew; those that can't be read stay as they are (contract.md 5.6)."""
    path = f"{layout.root}/settings.json"
    with locked(layout):
        kept = read_bytes(path)
        try:
            known = {} if kept is None else read_json(kept.decode(errors="replace"))
        except ValueError:
            return
        if isinstance(known, dict):
            replace_private(path, f"{_indented(change(known), '')}\n".encode(errors="replace"))


def _indented(value: Any, margin: str) -> str:
    """Write one value as Go's indenting encoder does, with two blanks a level."""
    inside = margin + "  "
    if isinstance(value, dict) and value:
        lines = [f"{inside}{compact_json(key)}: {_indented(each, inside)}" for key, each in value.items()]
        return "{\n" + ",\n".join(lines) + f"\n{margin}}}"
    if isinstance(value, list) and value:
        return "[\n" + ",\n".join([inside + _indented(each, inside) for each in value]) + f"\n{margin}]"
    return compact_json(value)


def _settings(layout: Layout) -> dict[str, Any]:
    kept = read_bytes(f"{layout.root}/settings.json")
    if kept is None:
        return {}
    try:
        settings = read_json(kept.decode(errors="replace"))
    except ValueError:
        return {}
    return settings if isinstance(settings, dict) else {}


def _texts(value: object) -> tuple[str, ...]:
    return tuple(each for each in value if isinstance(each, str)) if isinstance(value, list) else ()
