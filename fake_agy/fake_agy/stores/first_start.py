"""What agy leaves at its first start in a HOME (stores.md 1.2)."""

from __future__ import annotations

import os

from fake_agy.go.digest import uuid_of
from fake_agy.stores.files import locked, replace_private

TYPE_CHECKING = False
if TYPE_CHECKING:
    from fake_agy.profile.resolve import Profile
    from fake_agy.stores.layout import Layout


def prepare(layout: Layout, seed: int, profile: Profile) -> None:
    """Write the files of a first start where they are missing."""
    if os.path.exists(f"{layout.root}/installation_id"):
        return
    with locked(layout):
        if profile["default-project"]:
            replace_private(f"{layout.root}/cache/default_project_id.txt", b"default-cli-project")
        replace_private(f"{layout.root}/cache/onboarding.json", b'{"completed":true}')
        replace_private(f"{layout.root}/knowledge/knowledge.lock", b"")
        identity = uuid_of(str(seed), "installation")
        state = f'installation_uuid: "{identity}"\npost_onboarding: true\n'
        replace_private(f"{layout.root}/jetski_state.pbtxt", state.encode())
        # Last: the others are there where this one is.
        replace_private(f"{layout.root}/installation_id", identity.encode())
