"""``presence/<id>.lock``: held by a process that has a conversation open (contract.md 4.7)."""

from __future__ import annotations

import fcntl
import os

from fake_agy.stores.files import open_private, private_folder

TYPE_CHECKING = False
if TYPE_CHECKING:
    from fake_agy.profile.resolve import Profile
    from fake_agy.stores.layout import Layout


def attach(layout: Layout, conversation: str, profile: Profile) -> bool:
    """Hold the lock until the process ends; False where another process holds it, which excludes nobody."""
    if not profile["presence"]:
        return True
    private_folder(f"{layout.root}/presence")
    descriptor = open_private(_path(layout, conversation))
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(descriptor)
        return False
    return True


def detach(layout: Layout, conversation: str, profile: Profile) -> None:
    """Take the file away where the version is told to; else it stays, and only the lock goes."""
    if profile["presence"] and profile["presence-at-exit"] == "removed":
        try:
            os.unlink(_path(layout, conversation))
        except FileNotFoundError:  # another process that had it open left earlier
            return


def _path(layout: Layout, conversation: str) -> str:
    return f"{layout.root}/presence/{conversation}.lock"
