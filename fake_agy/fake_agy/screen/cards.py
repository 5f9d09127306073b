"""The cards a screen asks by: trust, signing in, permissions, lists to choose from, the survey."""

from __future__ import annotations

from fake_agy.screen.state import Card, Choice
from fake_agy.turns.account import URL

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from fake_agy.profile.resolve import Profile
    from fake_agy.turns.outcome import Denied

_QUESTIONS = {
    "command": "Run this command?",
    "read_url": "Allow access to this URL?",
    "execute_url": "Allow access to this URL?",
}
_NAVIGATE = "↑/↓ Navigate · enter Select · esc to cancel"


def trust_card(folder: str) -> Card:
    """Ask whether a folder is trusted, at the first start in it; the words around the choices are ours."""
    return Card(
        "trust",
        ("Do you trust the contents of this folder?", "", folder, ""),
        (Choice("yes", "Yes, I trust this folder", "1"), Choice("no", "No, exit", "2")),
        cancel="no",
        hints=("", "↑/↓ Navigate · enter Confirm"),
        form="bare",
    )


def sign_in_card() -> Card:
    """Ask how somebody signs in (contract.md 2.7)."""
    return Card(
        "sign-in",
        (
            "Welcome to the Antigravity CLI. You are currently not signed in.",
            "",
            "Select login method:",
        ),
        (Choice("google", "Google OAuth", "1"), Choice("project", "Use a Google Cloud project", "2")),
        cancel="",
    )


def code_card() -> Card:
    """Ask for the code that the page to sign in on would give."""
    lines = (
        "Authentication required. Please visit the URL to log in:",
        f"  {URL}",
        "",
        "Or, paste the authorization code here and press Enter:",
    )
    return Card("code", lines, cancel="", entry="")


def permission_card(denied: Denied, profile: Profile, *, sandboxed: bool) -> Card:
    """Ask for a permission; the words of the second and third choice are inferred."""
    by_tool = profile["permission-question"] == "by-tool"
    question = (
        _QUESTIONS.get(denied.action, "Allow calling this tool?") if by_tool else "Do you want to proceed?"
    )
    what = denied.target or denied.display_name
    lines = ["Requesting permission for:", f"  {what}", ""]
    if sandboxed and denied.action == "command":
        return Card(
            "permission",
            (*lines, "Do you want to proceed?"),
            (
                Choice("yes", "Yes", "1"),
                Choice("unsandboxed", "Yes, and run without sandbox restrictions", "2"),
                Choice("no", "No", "3"),
            ),
            cancel="no",
            hints=("", "↑/↓ Navigate · esc to cancel"),
        )
    return Card(
        "permission",
        (*lines, question),
        (
            Choice("yes", "Yes", "1"),
            Choice("here", f"Yes, and don't ask again for {what} in this conversation", "2"),
            Choice("always", f"Yes, and always allow {what}", "3"),
            Choice("no", "No", "4"),
        ),
        cancel="no",
        hints=("", "↑/↓ Navigate · tab Amend · ctrl+g edit/expand command", "esc to cancel"),
    )


def list_card(kind: str, question: str, rows: Sequence[tuple[str, str]]) -> Card:
    """Let somebody choose from rows, each its value and its label; the first nine have digits."""
    choices = tuple(
        Choice(value, label, str(number) if number < 10 else "")
        for number, (value, label) in enumerate(rows, 1)
    )
    return Card(kind, (question, ""), choices, cancel="", hints=("", _NAVIGATE), form="bare")


def survey_card() -> Card:
    """Ask how it is; it waits for a key (contract.md 7.1)."""
    return Card(
        "survey",
        ("How's the CLI experience so far? Help us improve:",),
        (
            Choice("good", "Good", "1"),
            Choice("fine", "Fine", "2"),
            Choice("bad", "Bad", "3"),
            Choice("skip", "Skip", "0"),
        ),
        at=3,
        cancel="skip",
        form="row",
    )
