import pytest

from fake_agy.profile.resolve import profile_of
from fake_agy.screen.sequences import closing, opening, title
from tests.support.screen_reader import ScreenReader

GRAPHICS = "\x1b_Ga=q,f=32,s=1,v=1,i=31;AAAAAA==\x1b\\"


@pytest.mark.parametrize("own", [False, True])
def test_every_mode_that_is_switched_on_is_switched_off(own: bool) -> None:
    reader = ScreenReader(80, 24)
    reader.feed(opening(profile_of((1, 3, 3)), {}, own=own).encode())
    assert {"?2004"} <= reader.modes
    assert ("?1049" in reader.modes) is own
    reader.feed(closing(own=own).encode())

    assert reader.modes == {"?25"}, "only the cursor is shown again"
    assert reader.title == ""


@pytest.mark.parametrize(
    ("version", "env", "asks"),
    [
        ((1, 2, 11), {"TMUX": "x"}, True),
        ((1, 2, 12), {"TMUX": "x"}, False),
        ((1, 2, 12), {"ZELLIJ": "0"}, False),
        ((1, 2, 14), {"SSH_TTY": "x"}, True),
        ((1, 2, 15), {"SSH_TTY": "x"}, False),
        ((1, 2, 15), {"SSH_TTY": "x", "TERM": "xterm-kitty"}, True),
        ((1, 2, 15), {"SSH_TTY": "x", "TERM_PROGRAM": "ghostty"}, True),
        ((1, 2, 15), {}, True),
    ],
)
def test_graphics_are_asked_for_where_the_version_asks(
    version: tuple[int, int, int],
    env: dict[str, str],
    asks: bool,
) -> None:
    assert (GRAPHICS in opening(profile_of(version), env, own=False)) is asks


def test_a_title_holds_nothing_that_ends_it() -> None:
    assert title("a\x07b\x1bc\n") == "\x1b]2;abc\x07"
