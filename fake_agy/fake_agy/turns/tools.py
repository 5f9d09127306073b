"""What the tools do that the double really runs: commands, and files of the workspace."""

from __future__ import annotations

import os

from fake_agy.go.json import go_json
from fake_agy.stores.files import open_private, private_folder
from fake_agy.stores.layout import brain
from fake_agy.turns.child import run_to_its_end
from fake_agy.turns.surroundings import command_directory, environment, is_inside

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any, NamedTuple

    from fake_agy.turns.turn import Turn
else:
    from fake_agy.record import NamedTuple


class Used(NamedTuple):
    """What a tool gave: `output` for the model, `shown` for a stream's caller, or an error."""

    output: str = ""
    shown: str | None = None
    exit_code: int = 0
    error: str | None = None
    running: bool = False


def run(turn: Turn, name: str, args: Mapping[str, Any]) -> Used:
    """Run a tool on arguments that make sense; one that the double doesn't have does nothing and says so."""
    tool = _TOOLS.get(name)
    if tool is None:
        return Used(f"{name} is done.", f"{name} is done.")
    try:
        return tool(turn, args)
    except OSError as failed:
        what = failed.strerror or "input/output error"
        return Used(error=f"{failed.filename or name}: {what.lower()}")


def _run_command(turn: Turn, args: Mapping[str, Any]) -> Used:
    stage = turn.stage
    directory = str(args.get("Cwd") or command_directory(stage))
    env = environment(stage, turn.conversation)
    ran = run_to_its_end(str(args["CommandLine"]), directory, env, stage.world)
    return Used(ran.output, ran.output.replace("\n", "\r\n"), ran.exit_code)


def _view_file(turn: Turn, args: Mapping[str, Any]) -> Used:
    text = _read(_path(turn, str(args["AbsolutePath"])))
    lines = text.splitlines(keepends=True)
    first, last = int(args.get("StartLine") or 1), int(args.get("EndLine") or len(lines))
    size = len(text.encode())
    return Used("".join(lines[first - 1 : last]), f"{len(lines)} lines, {size} bytes")


def _list_dir(turn: Turn, args: Mapping[str, Any]) -> Used:
    rows = []
    for entry in sorted(os.scandir(_path(turn, str(args["DirectoryPath"]))), key=lambda entry: entry.name):
        name = go_json(entry.name)
        if entry.is_dir():
            rows.append(f'{{"name":{name}, "isDir":true}}')
        else:
            rows.append(f'{{"name":{name}, "sizeBytes":"{entry.stat(follow_symlinks=False).st_size}"}}')
    return Used("".join(f"{row}\n" for row in rows), f"{len(rows)} entries")


def _write_to_file(turn: Turn, args: Mapping[str, Any]) -> Used:
    path = _path(turn, str(args["TargetFile"]))
    about = args.get("ArtifactMetadata")
    if os.path.exists(path) and not args.get("Overwrite"):
        return Used(error=f"{path} exists already; set Overwrite to replace it")
    if is_inside(path, (brain(turn.stage.layout, turn.conversation.id),)):
        private_folder(os.path.dirname(path))
        os.close(open_private(path))
    else:
        os.makedirs(os.path.dirname(path), exist_ok=True)
    _write(path, str(args["CodeContent"]))
    if isinstance(about, dict):
        from fake_agy.stores.artifacts import describe  # few files are artifacts

        describe(path, str(about.get("Summary", "")), turn.stage.world.clock.now())
    _keep_artifact(turn, path)
    return Used(f"Created file file://{path} with requested content.\n")


def _replace_file_content(turn: Turn, args: Mapping[str, Any]) -> Used:
    path = _path(turn, str(args["TargetFile"]))
    text, old, new = _read(path), str(args["TargetContent"]), str(args["ReplacementContent"])
    count = text.count(old) if old else 0
    if count == 0 or (count > 1 and not args.get("AllowMultiple")):
        return Used(error=f"target content was found {count} times in {path}")
    _write(path, text.replace(old, new))
    _keep_artifact(turn, path)
    minus = "".join(f"-{line}\n" for line in old.splitlines())
    plus = "".join(f"+{line}\n" for line in new.splitlines())
    line = text[: text.index(old)].count("\n") + 1
    head = f"@@ -{line},{len(old.splitlines())} +{line},{len(new.splitlines())} @@\n"
    return Used(
        f"The following changes were made by the replace_file_content tool to: {path}. If relevant, "
        f"proceed.\n[diff_block_start]\n{head}{minus}{plus}[diff_block_end]\n"
    )


_TOOLS: Mapping[str, Callable[[Turn, Mapping[str, Any]], Used]] = {
    "run_command": _run_command,
    "view_file": _view_file,
    "list_dir": _list_dir,
    "write_to_file": _write_to_file,
    "replace_file_content": _replace_file_content,
}


def _keep_artifact(turn: Turn, path: str) -> None:
    """Keep a file of the conversation's own folder as it is now, where it is an artifact."""
    if is_inside(path, (brain(turn.stage.layout, turn.conversation.id),)):
        from fake_agy.stores.artifacts import is_artifact, keep_version  # few files are artifacts

        if is_artifact(path):
            keep_version(path)


def _path(turn: Turn, path: str) -> str:
    return os.path.join(command_directory(turn.stage), path)


def _read(path: str) -> str:
    with open(path, encoding="utf-8", errors="replace", newline="") as file:
        return file.read()


def _write(path: str, text: str) -> None:
    with open(path, "w", encoding="utf-8", errors="replace", newline="") as file:
        file.write(text)
