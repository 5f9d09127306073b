"""What agy itself answers to a slash command: lines of fields with tabs between (contract.md 1.7).

Known are the beginning of ``/usage``, the fields of ``/model`` and the error of ``/credits``; the rest is
this double's own.
"""

from __future__ import annotations

import os
import time

from fake_agy.command.kept_object import read_object
from fake_agy.command.models import Chosen, choose_on_screen
from fake_agy.stores.layout import layout_of
from fake_agy.stores.workspace import allow_rules, tool_permission

TYPE_CHECKING = False
if TYPE_CHECKING:
    from fake_agy.command.line import CommandLine
    from fake_agy.command.place import Place
    from fake_agy.go.json import Json
    from fake_agy.profile.resolve import Profile

    Said = tuple[Json, str]

_WEEK, _HOUR = 7 * 86400, 3600
_GROUPS = (("Gemini Models", 99), ("Claude and GPT Models", 100))
_HELP = (
    ("changelog", "Show release notes"),
    ("config", "Show settings"),
    ("credits", "Show AI credits"),
    ("effort", "Show the reasoning effort"),
    ("help", "Show commands"),
    ("hooks", "Show hooks"),
    ("model", "Show the model"),
    ("permissions", "Show permissions"),
    ("skills", "Show skills"),
    ("usage", "Show what is left of the quota"),
)


def known(name: str, line: CommandLine, profile: Profile, place: Place) -> Said | str:
    """Give an answer's data and text, or what went wrong."""
    if name in {"usage", "credits"} and place.account == "signed-out":
        return "not signed in"
    if name == "usage":
        return _usage(profile, place)
    if name == "credits":
        if profile["credits"] == "none":
            return "retrieving credits: no credits info found"
        return {"remaining": 1000}, "AI Credits\t1000\n"
    if name in {"model", "effort"}:
        return _model(name, line, profile)
    if name == "skills":
        names = skills(place)
        rows: list[Json] = [{"name": each} for each in names]
        return {"skills": rows}, _lines(names) or "No skills found.\n"
    if name == "help":
        rows = [{"name": each, "description": about} for each, about in _HELP]
        return {"commands": rows}, _lines([f"/{each}\t{about}" for each, about in _HELP])
    if name == "changelog":
        from fake_agy.command.upkeep import changelog

        return {"version": ".".join(map(str, profile.version))}, changelog(profile)
    return _configured(name, place)


def skills(place: Place) -> tuple[str, ...]:
    """Name the skills of the workspace and of HOME."""
    folders = [f"{place.cwd}/.agents/skills"]
    if place.home is not None:
        folders += [f"{place.home}/.gemini/config/skills", f"{place.home}/.gemini/antigravity-cli/skills"]
    there = [folder for folder in folders if os.path.isdir(folder)]
    return tuple(
        sorted({name for each in there for name in os.listdir(each) if os.path.isdir(f"{each}/{name}")})
    )


def _usage(profile: Profile, place: Place) -> Said:
    resets = (place.now // _HOUR + 1) * _HOUR + _WEEK
    local = place.terminal or profile["usage-times"] == "local"
    shown = time.strftime("%Y-%m-%d %H:%M %Z", time.localtime(resets) if local else time.gmtime(resets))
    shown = shown if local else shown.replace("GMT", "UTC")
    at = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(resets))
    groups: list[Json] = [
        {
            "name": name,
            "limits": [{"name": "Weekly Limit", "remaining_percent": left, "resets_at": at}],
        }
        for name, left in _GROUPS
    ]
    lines = [f"{name}\tWeekly Limit Remaining\t{left}%\tResets {shown}" for name, left in _GROUPS]
    return {"groups": groups}, _lines(lines)


def _model(name: str, line: CommandLine, profile: Profile) -> Said:
    asked = line.last("model") or ""
    chosen: Chosen = choose_on_screen(asked, line.last("effort"), profile)
    effort = chosen.slug.rpartition("-")[2] if chosen.slug.endswith(("-low", "-medium", "-high")) else ""
    data: Json = {"id": chosen.slug, "label": chosen.label, "effort": effort, "is_default": not asked}
    return data, f"{chosen.slug}\t{chosen.label}\t{effort}\n" if name == "model" else f"{effort}\n"


def _configured(name: str, place: Place) -> Said:
    """Answer permissions, hooks and config from the files of HOME."""
    if place.home is None:
        return {}, "No settings.\n"
    layout = layout_of(place.home)
    if name == "permissions":
        rules = allow_rules(layout)
        mode = tool_permission(layout)
        data: Json = {"mode": mode, "allow": list(rules)}
        return data, _lines([f"mode\t{mode}", *[f"allow\t{rule}" for rule in rules]])
    hooks = name == "hooks"
    path = f"{place.home}/.gemini/config/hooks.json" if hooks else f"{layout.root}/settings.json"
    try:
        kept = read_object(path)
    except ValueError:
        kept = {}
    if hooks:
        return {"hooks": list(kept)}, _lines(list(kept)) or "No hooks configured.\n"
    from fake_agy.go.json import compact_json

    lines = [
        f"{key}\t{value if isinstance(value, str) else compact_json(value)}" for key, value in kept.items()
    ]
    return {"settings": kept}, _lines(lines) or "No settings.\n"


def _lines(lines: tuple[str, ...] | list[str]) -> str:
    return "".join([f"{each}\n" for each in lines])
