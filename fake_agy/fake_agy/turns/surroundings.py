"""Where a turn's tools work, and what the commands they start are given (contract.md 5.4, 5.5)."""

from __future__ import annotations

import os

from fake_agy.go.digest import uuid_of
from fake_agy.go.json import go_json
from fake_agy.stores.files import private_folder
from fake_agy.stores.workspace import trusted

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from fake_agy.turns.conversation import Conversation
    from fake_agy.turns.stage import Stage


def command_directory(stage: Stage) -> str:
    """Give the folder that commands run in: an added one, a trusted one, else agy's scratch folder."""
    rule = stage.profile["command-directory"]
    added = [folder for folder in stage.request.add_dirs if os.path.isdir(folder)]
    if added and rule != "trusted":
        return added[0]
    if rule != "added" and is_inside(stage.world.cwd, trusted(stage.layout)):
        return stage.world.cwd
    scratch = f"{stage.layout.root}/scratch"
    private_folder(scratch)
    return scratch


def workspaces(stage: Stage) -> tuple[str, ...]:
    """Give the folders whose files belong to the turn."""
    return (command_directory(stage), *stage.request.add_dirs)


def is_inside(path: str, folders: tuple[str, ...]) -> bool:
    """Say whether a path is one of the folders or lies in one."""
    real = os.path.realpath(path)
    return any(real == folder or real.startswith(folder.rstrip("/") + "/") for folder in folders)


def environment(stage: Stage, conversation: Conversation) -> Mapping[str, str]:
    """Give a command's environment: the caller's whole, and what agy adds."""
    seed = str(stage.settings.seed)
    root = stage.layout.root
    added = {
        "ANTIGRAVITY_AGENT": "1",
        "ANTIGRAVITY_AGENTAPI_EXE": f"{root}/bin/agentapi",
        "ANTIGRAVITY_APP_DATA_DIR": root,
        "ANTIGRAVITY_CONVERSATION_ID": conversation.id,
        "ANTIGRAVITY_CSRF_TOKEN": uuid_of(seed, conversation.id, "csrf"),
        "ANTIGRAVITY_LS_ADDRESS": f"localhost:{stage.port}",
        "ANTIGRAVITY_LS_VERSION": f"cli-{stage.settings.agy_version}",
        "ANTIGRAVITY_PROJECT_ID": stage.request.project,
        "ANTIGRAVITY_SOURCE_METADATA": go_json({"source": "cli"}),
        "ANTIGRAVITY_TRAJECTORY_ID": conversation.trajectory(),
        "JETSKI_APP_DATA_DIR": "antigravity-cli",
        "PAGER": "cat",
        "GIT_PAGER": "cat",
    }
    if stage.profile["jj-pager"]:
        added["JJ_PAGER"] = "cat"
    return {**stage.world.env, **added}
