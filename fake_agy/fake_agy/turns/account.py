"""What a call says where nobody is signed in (contract.md 2.7)."""

from __future__ import annotations

from fake_agy.profile.resolve import Profile
from fake_agy.stores.layout import layout_of
from fake_agy.stores.workspace import model_provider
from fake_agy.turns.ending import Ending

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import NamedTuple
else:
    from fake_agy.record import NamedTuple

URL = "https://accounts.google.com/o/oauth2/auth?response_type=code&client_id=double"
"""Where the sign-in page would be; there is none."""

REFUSED = "authentication failed or timed out"


class SignInPlan(NamedTuple):
    """What is printed at once, how long is waited (seconds), and how the call ends."""

    early_err: str
    early_out: str
    wait: float
    ending: Ending


def signed_out(profile: Profile, *, stdin_kind: str, argv0: str) -> SignInPlan:
    """Say how to sign in as the version does, or refuse at once who can't be asked.

    `stdin_kind` is terminal, device, pipe or file.
    """
    if stdin_kind == "pipe" and profile["pipe-sign-in"] == "refused":
        text = "Print mode: not logged in and no controlling terminal; cannot complete interactive login"
        said = f"Error: authentication required. Run '{argv0}' to log in, then retry.\n"
        return SignInPlan(
            "", "", 0.0, Ending(1, "ERROR", REFUSED, err=said, log=(("E", "printmode.go:219", text),))
        )
    log = (("E", "printmode.go:231", "Print mode: auth timed out"),)
    if profile["sign-in"] == "stdout":
        shown = (
            f"Authentication required. Please visit the URL to log in:\n  {URL}\n"
            "Waiting for authentication (timeout 30s)...\n"
            "Or, paste the authorization code here and press Enter:\n"
        )
        ending = Ending(1, "ERROR", REFUSED, out="authentication timed out\n", log=log)
        return SignInPlan("", shown, 30.0, ending)
    shown = f"  {URL}\nWaiting for authentication (timeout 60s)...\n"
    ended = "Error: authentication timed out.\n"
    return SignInPlan(shown, "", 60.0, Ending(1, "ERROR", REFUSED, err=ended, log=log))


def with_key(profile: Profile, env: Mapping[str, str], home: str | None) -> Profile:
    """Give the profile of a call that a key signs in, where there is one (contract.md 5.4)."""
    if not home or not env.get("GEMINI_API_KEY") or model_provider(layout_of(home)) != "gemini":
        return profile
    return Profile(profile.version, {**profile.values, "account": "signed-in"}, assumed=profile.assumed)
