import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fake_agy.profile.resolve import profile_of
from fake_agy.screen.cards import permission_card, survey_card, trust_card
from fake_agy.screen.cells import width_of
from fake_agy.screen.render import model_shown, render
from fake_agy.screen.state import Block, Screen
from fake_agy.turns.outcome import Denied

MODEL = "Gemini 3.6 Flash (High)"


def shown(screen: Screen, width: int = 40) -> list[str]:
    """The lines without their colours."""
    return [re.sub(r"\x1b\[[0-9]+m", "", line) for line in render(screen, width)]


def body(*blocks: Block, grouped: bool = False, expanded: bool = False) -> list[str]:
    """The lines of blocks alone."""
    screen = Screen(blocks=blocks, grouped=grouped, expanded=expanded)
    return shown(screen)[1:-5]


def test_an_idle_screen_has_its_composer_between_rules_and_a_footer() -> None:
    assert shown(Screen(banner=("Antigravity CLI 1.1.18",), model=MODEL)) == [
        "Antigravity CLI 1.1.18",
        "",
        "─" * 40,
        ">",
        "─" * 40,
        "? for shortcuts  Gemini 3.6 Flash · high",
    ]


def test_a_footer_that_is_too_long_is_cut() -> None:
    assert shown(Screen(model=MODEL), 39)[-1] == "? for shortcuts  Gemini 3.6 Flash · hig"


@pytest.mark.parametrize(
    ("screen", "footer"),
    [
        (Screen(busy=True), "esc to cancel"),
        (Screen(again="ctrl+c"), "press ctrl+c again to exit"),
        (Screen(busy=True, again="ctrl+d"), "press ctrl+d again to exit"),
    ],
)
def test_the_footer_says_what_a_key_does_now(screen: Screen, footer: str) -> None:
    assert shown(screen)[-1].rstrip() == footer


def test_a_busy_screen_turns_and_shows_what_waits() -> None:
    lines = shown(Screen(busy=True, ticks=9, waiting=("next",), typed="more"))

    assert lines[1:4] == ["⣟  Running...", "", "> next"]
    assert lines[5] == "> more"


def test_what_is_typed_on_several_lines_is_indented() -> None:
    assert shown(Screen(typed="one\ntwo"))[2:4] == ["> one", "  two"]


@pytest.mark.parametrize(
    ("block", "lines"),
    [
        (Block("prompt", "do it"), ["> do it"]),
        (Block("answer", "Done.\nAll of it.\n"), ["Done.", "All of it."]),
        (Block("thought", "Thought for 3s, 740 tokens"), ["▸ Thought for 3s, 740 tokens"]),
        (Block("tool", "ListDir(/path)"), ["● ListDir(/path)"]),
        (Block("tool", "Schedule(x)", running=True), ["○ Schedule(x)"]),
        (Block("tool", "Run(x)", result="one\ntwo\n"), ["● Run(x)", "  ⎿  one (ctrl+o to expand)"]),
        (Block("note", "Interrupted"), ["⎿  Interrupted"]),
        (Block("warning", "careful"), ["⚠ careful"]),
    ],
)
def test_a_block_has_the_mark_of_its_kind(block: Block, lines: list[str]) -> None:
    assert body(block) == lines


def test_an_expanded_result_is_shown_whole() -> None:
    assert body(Block("tool", "Run(x)", result="one\ntwo\n"), expanded=True)[1:] == ["  ⎿  one", "     two"]


def test_tools_in_a_row_are_one_line_where_they_are_grouped() -> None:
    tools = [Block("tool", "A(x)"), Block("tool", "B(y)"), Block("tool", "C(z)", running=True)]

    assert body(*tools, grouped=True) == ["● 2 tool calls (ctrl+o to expand)", "", "○ C(z)"]
    assert body(*tools, grouped=True, expanded=True) == body(*tools)


def test_the_list_behind_a_slash_stands_below_the_composer() -> None:
    lines = shown(Screen(typed="/h", commands=("/exit", "/help", "/hooks")))

    assert lines[-3:-1] == ["  /help", "  /hooks"]


def test_a_card_takes_the_place_of_the_composer() -> None:
    lines = shown(Screen(card=trust_card("/work")))

    assert "> Yes, I trust this folder" in lines
    assert "  No, exit" in lines
    assert "─" * 40 not in lines


@pytest.mark.parametrize(
    ("version", "action", "question"),
    [
        ((1, 1, 27), "command", "Do you want to proceed?"),
        ((1, 1, 28), "command", "Run this command?"),
        ((1, 1, 28), "read_url", "Allow access to this URL?"),
        ((1, 1, 28), "mcp", "Allow calling this tool?"),
    ],
)
def test_a_permission_is_asked_for_in_the_words_of_the_version(
    version: tuple[int, int, int], action: str, question: str
) -> None:
    denied = Denied(action, "Name", "message", "make")
    lines = shown(Screen(card=permission_card(denied, profile_of(version), sandboxed=False)), 80)

    assert lines[1:6] == ["Requesting permission for:", "  make", "", question, "> 1. Yes"]
    assert "  4. No" in lines
    assert lines[-2:] == ["↑/↓ Navigate · tab Amend · ctrl+g edit/expand command", "esc to cancel"]


def test_in_a_sandbox_a_command_may_be_let_out_of_it() -> None:
    card = permission_card(Denied("command", "X", "m", "make"), profile_of((1, 3, 3)), sandboxed=True)

    assert shown(Screen(card=card), 80)[4:8] == [
        "Do you want to proceed?",
        "> 1. Yes",
        "  2. Yes, and run without sandbox restrictions",
        "  3. No",
    ]


def test_the_survey_is_one_row() -> None:
    lines = shown(Screen(card=survey_card()), 80)

    assert lines[1:] == [
        "How's the CLI experience so far? Help us improve:",
        "[1] Good  [2] Fine  [3] Bad  [0] Skip",
    ]


@pytest.mark.parametrize(
    ("label", "name"),
    [(MODEL, "Gemini 3.6 Flash · high"), ("Claude Sonnet 4.6", "Claude Sonnet 4.6"), ("", "")],
)
def test_a_model_is_named_with_its_effort(label: str, name: str) -> None:
    assert model_shown(label) == name


WILD = st.text(alphabet=st.sampled_from("ab \n\t\x1b\x07\r漢🙂é\u0301─"), max_size=60)
BLOCKS = st.builds(
    Block,
    st.sampled_from(["prompt", "answer", "thought", "tool", "note", "warning", "plain"]),
    WILD,
    st.booleans(),
    WILD,
)


@given(st.lists(BLOCKS, max_size=4), WILD, st.integers(12, 60), st.booleans())
def test_no_line_is_wider_than_the_screen_or_moves_the_cursor(
    blocks: list[Block],
    typed: str,
    width: int,
    busy: bool,
) -> None:
    screen = Screen(
        banner=("Antigravity CLI 1.1.18",), model=MODEL, blocks=tuple(blocks), typed=typed, busy=busy
    )
    for line in shown(screen, width):
        assert width_of(line) <= width
        assert not re.search("[\x00-\x1f\x7f]", line)
