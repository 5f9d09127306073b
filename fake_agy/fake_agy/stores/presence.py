"""``presence/<id>.lock``: held by a process that has a conversation open (contract.md 4.7)."""

from __future__ import annotations

import fcntl
import os

from fake_agy.stores.files import open_private, private_folder

TYPE_CHECKING = False
if TYPE_CHECKING:
    from fake_agy.profile.resolve import Profile
    from fake_agy.stores.layout import Layout


_held: dict[str, int] = {}
"""The locks of this process, by their paths."""


def attach(layout: Layout, conversation: str, profile: Profile) -> bool:
    """Hold the lock until it is let go; False where another process holds it, which excludes nobody."""
    if not profile["presence"]:
        return True
    private_folder(f"{layout.root}/presence")
    path = _path(layout, conversation)
    descriptor = open_private(path)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(descriptor)
        return False
    _held[path] = descriptor
    return True


def detach(layout: Layout, conversation: str, profile: Profile) -> None:
    """Let the lock go; the file stays unless the version is told to take it away."""
    path = _path(layout, conversation)
    if path in _held:
        os.close(_held.pop(path))
    if profile["presence"] and profile["presence-at-exit"] == "removed":
        try:
            os.unlink(path)
        except FileNotFoundError:  # another process that had it open left earlier
            return


def _path(layout: Layout, conversation: str) -> str:
    return f"{layout.root}/presence/{conversation}.lock"
