"""What a screen tells its terminal beside the text: modes, questions that need no answer, the title."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from fake_agy.profile.resolve import Profile

ARM_AGAIN = "\x1b[=1;1u"
"""Asks for the Kitty keyboard protocol anew, where something may have switched it off."""

_ARM, _DISARM = "\x1b[>1u", "\x1b[<u"
_ASK_KEYBOARD, _ASK_COLOUR, _ASK_NAME, _ASK_DEVICE = "\x1b[?u", "\x1b]11;?\x07", "\x1b[>q", "\x1b[c"
_ASK_GRAPHICS = "\x1b_Ga=q,f=32,s=1,v=1,i=31;AAAAAA==\x1b\\"
_HIDE, _SHOW = "\x1b[?25l", "\x1b[?25h"
_BRACKET, _NO_BRACKET = "\x1b[?2004h", "\x1b[?2004l"
_OWN, _NOT_OWN = "\x1b[?1049h\x1b[H", "\x1b[?1049l"
_MOUSE, _NO_MOUSE = "\x1b[?1002h\x1b[?1006h", "\x1b[?1006l\x1b[?1002l"
_MULTIPLEXERS = ("TMUX", "STY", "ZELLIJ")
_SSH = ("SSH_TTY", "SSH_CONNECTION", "SSH_CLIENT")


def opening(profile: Profile, env: Mapping[str, str], *, own: bool) -> str:
    """Set the terminal up; with `own` the screen is one beside that which was shown."""
    said = _OWN + _MOUSE if own else "\r"
    said += _HIDE + _BRACKET + _ASK_COLOUR + _ASK_DEVICE
    if profile["terminal-name-query"]:
        said += _ASK_NAME
    said += _ARM + _ASK_KEYBOARD
    if _asks_for_graphics(str(profile["graphics-query"]), env):
        said += _ASK_GRAPHICS
    return said + title("Antigravity CLI")


def closing(*, own: bool) -> str:
    """Set everything back, and go below what was shown; the terminal is itself again by then."""
    said = _DISARM + _NO_BRACKET + title("")
    return said + (_NO_MOUSE + _NOT_OWN if own else "\n") + _SHOW


def title(text: str) -> str:
    """Name the window."""
    return f"\x1b]2;{''.join([each for each in text if each.isprintable()])}\x07"


def _asks_for_graphics(rule: str, env: Mapping[str, str]) -> bool:
    """Say whether the terminal is asked for Kitty graphics (contract.md 7.1)."""
    if rule == "always":
        return True
    if any(env.get(each) for each in _MULTIPLEXERS):
        return False
    if rule == "no-multiplexer" or not any(env.get(each) for each in _SSH):
        return True
    return "kitty" in env.get("TERM", "") or env.get("TERM_PROGRAM", "").lower() == "ghostty"
