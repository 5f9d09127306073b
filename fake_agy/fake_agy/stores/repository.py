"""The git repository that a workspace lies in, read from its files (stores.md 4.2)."""

from __future__ import annotations

import os

from fake_agy.stores.files import read_bytes

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import NamedTuple
else:
    from fake_agy.record import NamedTuple

_BRANCH = "ref: refs/heads/"


class Repository(NamedTuple):
    """A repository's top folder, its ``origin`` and the branch that is checked out, where it has them."""

    root: str
    remote: str | None = None
    branch: str | None = None


def repository_of(folder: str) -> Repository | None:
    """Find the repository that a folder lies in, None where it lies in none or that can't be read."""
    root = folder
    while not os.path.lexists(f"{root}/.git"):
        above = os.path.dirname(root)
        if above == root:
            return None
        root = above
    head = _lines(f"{root}/.git/HEAD")
    branch = head[0].removeprefix(_BRANCH) if head and head[0].startswith(_BRANCH) else None
    return Repository(root, _origin(_lines(f"{root}/.git/config")), branch)


def _origin(config: list[str]) -> str | None:
    section = ""
    for line in config:
        text = line.strip()
        if text.startswith("["):
            section = text
        key, sign, value = text.partition("=")
        if section == '[remote "origin"]' and sign and key.strip() == "url":
            return value.strip()
    return None


def _lines(path: str) -> list[str]:
    try:
        return (read_bytes(path) or b"").decode(errors="replace").splitlines()
    except OSError:  # a worktree's .git is a file that names another folder
        return []
