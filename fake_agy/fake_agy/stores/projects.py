"""``~/.gemini/config/projects``: projects, and the folders that belong to them (stores.md 1.2)."""

from __future__ import annotations

import os

from fake_agy.go.digest import uuid_of
from fake_agy.go.json import compact_json
from fake_agy.stores.files import replace_private
from fake_agy.stores.repository import repository_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from fake_agy.go.json import Json
    from fake_agy.stores.layout import Layout


def make_project(layout: Layout, seed: int, folder: str) -> str:
    """Make a project of a folder, or of the repository it lies in, and give its id.

    The caller holds the store's lock.
    """
    number = 1
    while os.path.lexists(_path(layout, identity := uuid_of(str(seed), str(number), "project"))):
        number += 1
    found = repository_of(folder)
    root = folder if found is None else found.root
    resource: Json = {"gitFolder": {"folderUri": f"file://{root}", "allowWrite": True}}
    record: Json = {
        "id": identity,
        "name": os.path.basename(root),
        "projectResources": {"resources": [resource]},
    }
    replace_private(_path(layout, identity), compact_json(record).encode(errors="replace"))
    return identity


def _path(layout: Layout, identity: str) -> str:
    return f"{layout.home}/.gemini/config/projects/{identity}.json"
