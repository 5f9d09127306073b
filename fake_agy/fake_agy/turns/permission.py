"""Whether a headless turn may use a tool, by version, flags and settings (contract.md 5.1, 5.2)."""

from __future__ import annotations

import os

from fake_agy.stores.workspace import allow_rules, tool_permission
from fake_agy.turns.outcome import Denied
from fake_agy.turns.surroundings import command_directory, is_inside, workspaces

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from fake_agy.turns.stage import Stage

_ACTIONS = {
    "run_command": ("command", "RunCommand", "CommandLine"),
    "view_file": ("read_file", "ViewFile", "AbsolutePath"),
    "list_dir": ("read_file", "ListDir", "DirectoryPath"),
    "write_to_file": ("write_file", "WriteToFile", "TargetFile"),
    "replace_file_content": ("write_file", "ReplaceFileContent", "TargetFile"),
    "multi_replace_file_content": ("write_file", "MultiReplaceFileContent", "TargetFile"),
    "read_url_content": ("read_url", "ReadUrlContent", "Url"),
    "call_mcp_tool": ("mcp", "CallMcpTool", "ToolName"),
}
"""The permission a tool needs, its name for people, and the argument that says what it touches."""

_ADVICE = (
    "\nDo not attempt to circumvent this denial by rephrasing the command, using alternative tools/scripts "
    "(e.g. python, sh, curl), or accessing the same target resource. Proceed without performing this action."
)


def permission_mode(stage: Stage) -> str:
    """Name the mode as a stream's init does."""
    return "always-proceed" if stage.request.skip_permissions else tool_permission(stage.layout)


def denial(stage: Stage, tool: str, args: Mapping[str, Any]) -> Denied | None:
    """Say how a tool is denied, None where it may be used or where the version has no gate."""
    if tool not in _ACTIONS:
        return None
    action, name, argument = _ACTIONS[tool]
    target = str(args.get(argument, ""))
    if _held_by_plan(stage, action) or not _allowed(stage, action, target):
        return Denied(action, name, _message(action, target), target)
    return None


def named(tool: str, args: Mapping[str, Any]) -> str:
    """Name a tool's use as a screen does: ``ListDir(/path)`` (contract.md 7.1)."""
    if tool in _ACTIONS:
        _, name, argument = _ACTIONS[tool]
        return f"{name}({args.get(argument, '')})"
    name = "".join([word.capitalize() for word in tool.split("_")])
    return f"{name}({next((each for each in args.values() if isinstance(each, str)), '')})"


def _held_by_plan(stage: Stage, action: str) -> bool:
    """Say whether plan mode holds a tool back."""
    if stage.request.mode != "plan" or action == "read_file":
        return False
    return not (stage.request.skip_permissions and stage.profile["plan-with-skip"] == "ignored")


def _allowed(stage: Stage, action: str, target: str) -> bool:
    """Decide by the version, the skip flag, the mode, the settings and the rules, in this order."""
    profile, request = stage.profile, stage.request
    ungated = profile["headless-permission"] == "execute" and not request.on_screen
    if ungated or request.skip_permissions:
        return True
    policies = bool(profile["settings-policies"]) or request.on_screen
    mode = tool_permission(stage.layout)
    by_setting = mode == "always-proceed" or (mode == "proceed-in-sandbox" and request.sandboxed)
    return (
        (by_setting and policies)
        or (action == "write_file" and request.mode == "accept-edits")
        or (action == "read_url" and not profile["url-fetch-asks"])
        or (
            action == "read_file"
            and bool(profile["workspace-reads"])
            and is_inside(os.path.join(command_directory(stage), target), workspaces(stage))
        )
        or (policies and any(_matches(rule, action, target) for rule in allow_rules(stage.layout)))
    )


def _matches(rule: str, action: str, target: str) -> bool:
    """Match a rule such as ``command(git status)``: the target itself, or what begins with it as a word."""
    if not rule.startswith(f"{action}(") or not rule.endswith(")"):
        return False
    wanted = rule[len(action) + 1 : -1]
    if wanted.endswith("*"):
        return target.startswith(wanted[:-1])
    return target == wanted or target.startswith((f"{wanted} ", f"{wanted}/"))


def _message(action: str, target: str) -> str:
    if action == "command":
        return (
            f'permission check failed for command "{target}": user denied permission to run command{_ADVICE}'
        )
    return (
        f'permission check failed for {action} "{target}": user denied permission for '
        f"{action}({target}){_ADVICE}"
    )
