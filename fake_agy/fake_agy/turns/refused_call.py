"""Calls of a tool that make no sense, so that it is neither asked for nor run (contract.md 3.2)."""

from __future__ import annotations

import os

from fake_agy.output.events import StepUpdate
from fake_agy.turns.surroundings import command_directory

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from fake_agy.stores.step import Step
    from fake_agy.turns.turn import Turn

_NEEDED = {
    "run_command": ("CommandLine",),
    "view_file": ("AbsolutePath",),
    "list_dir": ("DirectoryPath",),
    "write_to_file": ("TargetFile", "CodeContent"),
    "replace_file_content": ("TargetFile", "TargetContent", "ReplacementContent"),
}
"""The arguments that each tool which the double runs itself can't do without."""

RETRIES = 4
"""How often the model may try again, as the first such message says (stores.md 2.3)."""


def refusal(turn: Turn, name: str, args: Mapping[str, Any]) -> str | None:
    """Say what is wrong with a call, None where nothing is."""
    wrong = _wrong(turn, name, args)
    if wrong is None:
        return None
    return (
        f"declaring permissions: cortex tool {name}: convert tool call for permissions: model output error: "
        f"invalid tool call error (invalid_args) {wrong}"
    )


def note(turn: Turn, refused: str) -> None:
    """Store the refusal in a row of its own, in place of the tool's (stores.md 1.3, 2.3)."""

    def step(index: int) -> list[Step]:
        text = f"Error: {refused}\n\nGuidance: correct the arguments.\nRetries remaining: {RETRIES}."
        made = turn.step(index, "SYSTEM", "ERROR_MESSAGE", content=text)
        return [made._replace(error=f"There was a problem parsing the tool call. {refused}")]

    noted = turn.conversation.add(step)[0]
    if turn.stage.profile["error-message-steps"]:
        turn.show(StepUpdate(turn.conversation.id, noted.idx, "DONE", "error_message"))


def _wrong(turn: Turn, name: str, args: Mapping[str, Any]) -> str | None:
    for needed in _NEEDED.get(name, ()):
        if needed not in args:
            return f"{needed} is missing"
    if name == "view_file":
        for line in ("StartLine", "EndLine"):
            if not str(args.get(line) or 0).isdecimal():
                return f"{line} is no line number"
    if name == "write_to_file" and isinstance(args.get("ArtifactMetadata"), dict):
        from fake_agy.stores.artifacts import misplaced  # few files are artifacts

        path = os.path.join(command_directory(turn.stage), str(args["TargetFile"]))
        return misplaced(turn.stage.layout, turn.conversation.id, path)
    return None
