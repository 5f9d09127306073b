"""The agents that a session can be held with: agy's own, and those that files describe (contract.md 1.3)."""

from __future__ import annotations

import os

BUILT_IN = "default"
_ENDINGS = (".md", ".json", ".yaml")


def agents(home: str | None, cwd: str) -> tuple[str, ...]:
    """Name the agents there are: the built-in one, then those of the workspace and of HOME."""
    folders = [f"{cwd}/.agents/agents"]
    if home is not None:
        folders.append(f"{home}/.gemini/config/agents")
    found: list[str] = []
    for folder in folders:
        try:
            entries = sorted(os.listdir(folder))
        except OSError:  # most workspaces have none
            continue
        found += [_name(entry) for entry in entries if not entry.startswith(".")]
    return tuple(dict.fromkeys((BUILT_IN, *found)))


def unknown_agent(name: str) -> str:
    """Write the warning about an agent that there isn't; its words are this double's own."""
    return f'warning: agent "{name}" not found; using the default agent\n'


def _name(entry: str) -> str:
    for ending in _ENDINGS:
        entry = entry.removesuffix(ending)
    return entry
