"""What a call says where nobody is signed in (contract.md 2.7)."""

from __future__ import annotations

from fake_agy.turns.ending import Ending

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import NamedTuple

    from fake_agy.profile.resolve import Profile
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
    """Say how to sign in as the version does; a pipe at stdin is refused at once since 1.1.27.

    `stdin_kind` is terminal, device, pipe or file.
    """
    flow = profile["sign-in"]
    log = (("E", "printmode.go:231", "Print mode: auth timed out"),)
    if flow == "stdout":
        shown = (
            f"Authentication required. Please visit the URL to log in:\n  {URL}\n"
            "Waiting for authentication (timeout 30s)...\n"
            "Or, paste the authorization code here and press Enter:\n"
        )
        ending = Ending(1, "ERROR", REFUSED, out="authentication timed out\n", log=log)
        return SignInPlan("", shown, 30.0, ending)
    if flow == "by-stdin" and stdin_kind == "pipe":
        text = "Print mode: not logged in and no controlling terminal; cannot complete interactive login"
        said = f"Error: authentication required. Run '{argv0}' to log in, then retry.\n"
        return SignInPlan(
            "", "", 0.0, Ending(1, "ERROR", REFUSED, err=said, log=(("E", "printmode.go:219", text),))
        )
    shown = f"  {URL}\nWaiting for authentication (timeout 60s)...\n"
    ended = "Error: authentication timed out.\n"
    return SignInPlan(shown, "", 60.0, Ending(1, "ERROR", REFUSED, err=ended, log=log))
