"""``agy mcp``: the servers in ``~/.gemini/config/mcp_config.json`` (contract.md 1.3)."""

from __future__ import annotations

import os

from fake_agy.go.json import go_json, read_json
from fake_agy.stores.files import private_folder, replace_private
from fake_agy.turns.ending import Ending

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


def manage(words: list[str], home: str | None) -> Ending:
    """List, add, remove, enable or disable a server."""
    if home is None:
        return Ending(1, err="Error: $HOME is not defined\n")
    path = f"{home}/.gemini/config/mcp_config.json"
    servers = _servers(path)
    verb, *rest = words or ["list"]
    if verb == "list":
        if not servers:
            return Ending(out="No MCP servers configured.\n")
        return Ending(out="".join([_line(name, servers[name]) for name in sorted(servers)]))
    if verb == "add" and len(rest) >= 2:
        name, command, *arguments = [word for word in rest if word != "--"]
        _keep(path, {**servers, name: {"command": command, "args": arguments}})
        return Ending(out=f'Added MCP server "{name}" (stdio)\n')
    if verb not in {"remove", "enable", "disable"} or len(rest) != 1:
        return Ending(1, err="Error: mcp takes list, add NAME COMMAND, remove, enable or disable NAME\n")
    name = rest[0]
    if name not in servers:
        return Ending(1, err=f'Error: no MCP server named "{name}"\n')
    if verb == "remove":
        _keep(path, {each: server for each, server in servers.items() if each != name})
        return Ending(out=f'Removed MCP server "{name}"\n')
    _keep(path, {**servers, name: {**servers[name], "disabled": verb == "disable"}})
    return Ending(out=f'{verb.capitalize()}d MCP server "{name}"\n')


def _servers(path: str) -> dict[str, Any]:
    if not os.path.exists(path):
        return {}
    with open(path, encoding="utf-8", errors="replace") as file:
        text = file.read()
    try:
        servers = read_json(text).get("mcpServers")
    except (ValueError, AttributeError):
        return {}
    named = servers if isinstance(servers, dict) else {}
    return {name: server for name, server in named.items() if isinstance(server, dict)}


def _keep(path: str, servers: dict[str, Any]) -> None:
    private_folder(os.path.dirname(path))
    replace_private(path, go_json({"mcpServers": servers}).encode())


def _line(name: str, server: dict[str, Any]) -> str:
    state = "disabled" if server.get("disabled") else "enabled"
    return f"{name}  {server.get('command', '')}  ({state})\n"
