"""``presence/<id>.lock``: held by every process that has a conversation open (contract.md 4.7)."""

from __future__ import annotations

import fcntl

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
    descriptor = open_private(f"{layout.root}/presence/{conversation}.lock")
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True
