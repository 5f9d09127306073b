"""What the double heeds of ``settings.json`` (stores.md 1.2, contract.md 5.2)."""

from __future__ import annotations

from fake_agy.go.json import read_json
from fake_agy.stores.files import read_bytes

TYPE_CHECKING = False
if TYPE_CHECKING:
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
