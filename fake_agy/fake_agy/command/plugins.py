"""``agy plugin``: the plugins in ``~/.gemini/config/import_manifest.json`` (contract.md 1.3, stores.md 1.2).

What ``list`` prints is known; the other texts are this double's own, and nothing is fetched.
"""

from __future__ import annotations

import os
import time

from fake_agy.command.kept_object import indented, keep_object, read_object
from fake_agy.turns.ending import Ending

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from fake_agy.command.place import Place

_COMPONENTS = ("agents", "commands", "hooks.json", "mcp_config.json", "rules", "skills")
_SOURCES = {"gemini": ("gemini-cli", ".gemini/extensions"), "claude": ("claude-code", ".claude/plugins")}
_VERBS = ("list", "import", "install", "uninstall", "enable", "disable", "validate", "link")


def plugins(words: Sequence[str], place: Place) -> Ending:
    """Run one verb; `OSError` where the file can't be written."""
    if place.home is None:
        return Ending(1, err="Error: $HOME is not defined\n")
    verb, *rest = words or ("",)
    if verb not in _VERBS:
        return Ending(1, err=f'Error: unknown plugin command "{verb}" (valid: {", ".join(_VERBS)})\n')
    if verb == "validate":
        return _validate(os.path.join(place.cwd, rest[0] if rest else "."))
    path = f"{place.home}/.gemini/config/import_manifest.json"
    try:
        whole = read_object(path)
    except ValueError as wrong:
        return Ending(1, err=f"Error: failed to parse {path}: {wrong}\n")
    kept = whole.get("imports")
    imports = [each for each in kept if isinstance(each, dict)] if isinstance(kept, list) else []
    if verb == "list":
        return Ending(out=indented({"imports": imports}) + "\n")
    if len(rest) != 1:
        return Ending(1, err=f"Error: plugin {verb} takes one argument\n")
    ending, changed = _changed(verb, rest[0], imports, place)
    if changed is not None:
        keep_object(path, {**whole, "imports": changed})
    return ending


def _changed(
    verb: str, word: str, imports: list[dict[str, Any]], place: Place
) -> tuple[Ending, list[dict[str, Any]] | None]:
    """Apply a verb; gives the new list where it changes."""
    if verb == "import":
        return _import(word, imports, place)
    if verb in {"install", "link"}:
        folder = os.path.join(place.cwd, word)
        if not os.path.isdir(folder):
            return Ending(1, err=f"Error: plugin {word} was not found\n"), None
        entry = _entry(os.path.normpath(folder), "antigravity", place)
        done = "Installed" if verb == "install" else "Linked"
        return Ending(out=f'{done} plugin "{entry["name"]}"\n'), _with(imports, [entry])
    if word not in [each.get("name") for each in imports]:
        return Ending(1, err=f'Error: plugin "{word}" is not installed\n'), None
    if verb == "uninstall":
        left = [each for each in imports if each.get("name") != word]
        return Ending(out=f'Uninstalled plugin "{word}"\n'), left
    changed = []
    for each in imports:
        fields = {key: value for key, value in each.items() if key != "disabled" or each.get("name") != word}
        changed.append(
            {**fields, "disabled": True} if (verb, each.get("name")) == ("disable", word) else fields
        )
    return Ending(out=f'{verb.capitalize()}d plugin "{word}"\n'), changed


def _import(
    word: str, imports: list[dict[str, Any]], place: Place
) -> tuple[Ending, list[dict[str, Any]] | None]:
    if word not in _SOURCES:
        return Ending(1, err=f'Error: unknown source "{word}" (valid: gemini, claude)\n'), None
    source, below = _SOURCES[word]
    folder = f"{place.home}/{below}"
    names = sorted(os.listdir(folder)) if os.path.isdir(folder) else []
    found = [_entry(f"{folder}/{name}", source, place) for name in names if os.path.isdir(f"{folder}/{name}")]
    return Ending(out=f"Imported {len(found)} plugin(s) from {source}\n"), _with(imports, found)


def _entry(folder: str, source: str, place: Place) -> dict[str, Any]:
    there = [name.partition(".")[0] for name in _COMPONENTS if os.path.exists(f"{folder}/{name}")]
    at = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(place.now))
    return {"name": os.path.basename(folder), "source": source, "importedAt": at, "components": there}


def _with(imports: list[dict[str, Any]], new: list[dict[str, Any]]) -> list[dict[str, Any]]:
    names = [each["name"] for each in new]
    return [*(each for each in imports if each.get("name") not in names), *new]


def _validate(folder: str) -> Ending:
    if not os.path.isfile(f"{folder}/plugin.json"):
        return Ending(1, err=f"Error: {os.path.normpath(folder)} has no plugin.json\n")
    try:
        read_object(f"{folder}/plugin.json")
    except ValueError as wrong:
        return Ending(1, err=f"Error: plugin.json can't be read: {wrong}\n")
    return Ending(out="Plugin is valid.\n")
