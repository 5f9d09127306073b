"""``agy mcp``: the servers in ``~/.gemini/config/mcp_config.json`` (contract.md 1.3, 5.6).

Of its output two lines are known, ``Added MCP server "x" (stdio)`` and ``No MCP servers configured.``; the
rest, and the flags of ``add``, are this double's own.
"""

from __future__ import annotations

from fake_agy.command.kept_object import keep_object, read_object
from fake_agy.go.flags import BadFlag, parse_flags
from fake_agy.turns.ending import Ending

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from fake_agy.go.flags import Kind

_FLAGS: dict[str, Kind] = {"transport": "text", "env": "text", "header": "text"}
_TRANSPORTS = ("stdio", "http", "sse")
_HELP = "Error: mcp takes add NAME COMMAND|URL [ARGS], remove NAME, list, enable NAME or disable NAME\n"


def mcp(words: Sequence[str], home: str | None) -> Ending:
    """Add, remove, list, enable or disable a server; `OSError` where the file can't be written."""
    if home is None:
        return Ending(1, err="Error: $HOME is not defined\n")
    path = f"{home}/.gemini/config/mcp_config.json"
    try:
        whole = read_object(path)
    except ValueError as wrong:
        return Ending(1, err=f"Error: failed to parse {path}: {wrong}\n")
    servers = whole.get("mcpServers")
    servers = dict(servers) if isinstance(servers, dict) else {}
    verb, *rest = words or ("",)
    if verb == "list" and not rest:
        return Ending(out=_listing(servers))
    if verb == "add":
        ending = _add(rest, servers)
    elif verb in {"remove", "enable", "disable"} and len(rest) == 1:
        ending = _change(verb, rest[0], servers)
    else:
        return Ending(1, err=_HELP)
    if ending.exit == 0:
        keep_object(path, {**whole, "mcpServers": servers})
    return ending


def _listing(servers: dict[str, Any]) -> str:
    if not servers:
        return "No MCP servers configured.\n"
    lines = []
    for name in sorted(servers):
        server = servers[name] if isinstance(servers[name], dict) else {}
        state = "disabled" if server.get("disabled") else "enabled"
        command = [str(server.get("command", "")), *map(str, server.get("args") or ())]
        target = server.get("serverUrl") or " ".join(command)
        lines.append(f"{name}\t{_transport(server)}\t{target}\t{state}\n")
    return "".join(lines)


def _add(words: Sequence[str], servers: dict[str, Any]) -> Ending:
    try:
        parsed = parse_flags(words, _FLAGS)
    except BadFlag as bad:
        return Ending(1, err=f"Error: {bad}\n")
    if len(parsed.rest) < 2:
        return Ending(1, err=_HELP)
    name, target, *arguments = [word for at, word in enumerate(parsed.rest) if at != 1 or word != "--"]
    kept = {each.name: each.value for each in parsed.given}
    pairs = {
        flag: _pairs(flag, [each.value for each in parsed.given if each.name == flag]) for flag in _FLAGS
    }
    looks_remote = target.startswith(("http://", "https://"))
    transport = kept.get("transport", "http" if looks_remote else "stdio")
    if transport not in _TRANSPORTS:
        return Ending(1, err=f'Error: unknown transport "{transport}" (valid: {", ".join(_TRANSPORTS)})\n')
    if name in servers:
        return Ending(1, err=f'Error: MCP server "{name}" already exists\n')
    if transport == "stdio":
        server: dict[str, Any] = {"command": target, "args": arguments}
        server |= {"env": pairs["env"]} if pairs["env"] else {}
    else:
        server = {"serverUrl": target} | ({"headers": pairs["header"]} if pairs["header"] else {})
        server |= {"type": "sse"} if transport == "sse" else {}
    servers[name] = server
    return Ending(out=f'Added MCP server "{name}" ({transport})\n')


def _change(verb: str, name: str, servers: dict[str, Any]) -> Ending:
    if name not in servers:
        return Ending(1, err=f'Error: MCP server "{name}" not found\n')
    if verb == "remove":
        del servers[name]
    else:
        server = dict(servers[name]) if isinstance(servers[name], dict) else {}
        server.pop("disabled", None)
        servers[name] = {**server, "disabled": True} if verb == "disable" else server
    done = {"remove": "Removed", "enable": "Enabled", "disable": "Disabled"}[verb]
    return Ending(out=f'{done} MCP server "{name}"\n')


def _pairs(flag: str, given: Sequence[str]) -> dict[str, str]:
    sign = ":" if flag == "header" else "="
    return {key.strip(): value.strip() for key, _, value in [each.partition(sign) for each in given]}


def _transport(server: dict[str, Any]) -> str:
    if "serverUrl" in server:
        return "sse" if server.get("type") == "sse" else "http"
    return "stdio"
