import pytest

from fake_agy.screen.cards import code_card, list_card, survey_card, trust_card
from fake_agy.screen.keys import Key
from fake_agy.screen.state import Card, Screen
from fake_agy.screen.update import Effect, update

COMMANDS = ("/exit", "/help", "/hooks")


def after(screen: Screen, *keys: str | Key) -> tuple[Screen, list[Effect]]:
    """Take keys one after the other, each its name, or one character that is typed."""
    done: list[Effect] = []
    for each in keys:
        key = each if isinstance(each, Key) else Key("text", each) if len(each) == 1 else Key(each)
        screen, effects = update(screen, key)
        done += effects
    return screen, done


def typed(text: str) -> Screen:
    return Screen(typed=text, commands=COMMANDS)


def test_a_prompt_waits_for_its_turn_once_it_is_sent() -> None:
    screen, _ = after(Screen(), "h", "i", "enter")

    assert (screen.typed, screen.waiting) == ("", ("hi",))


def test_what_is_sent_in_a_turn_waits_in_line() -> None:
    screen, done = after(Screen(busy=True, waiting=("one",)), "t", "wo"[0], "enter")

    assert (screen.waiting, done) == (("one", "tw"), [])


def test_nothing_is_sent_where_nothing_is_typed() -> None:
    assert after(typed("  "), "enter")[0].waiting == ()


@pytest.mark.parametrize(
    ("before", "key", "text"),
    [
        ("ab", Key("backspace"), "a"),
        ("ab", Key("newline"), "ab\n"),
        ("ab", Key("paste", "c\nd"), "abc\nd"),
        ("ab cd", Key("ctrl+w"), "ab "),
        (" ", Key("ctrl+w"), ""),
        ("ab", Key("ctrl+u"), ""),
        ("ab", Key("esc"), ""),
        ("ab", Key("left"), "ab"),
        ("ab", Key("text", "?"), "ab?"),
        ("/ho", Key("tab"), "/hooks"),
        ("/ho", Key("enter"), "/hooks"),
    ],
)
def test_a_key_changes_what_is_typed(before: str, key: Key, text: str) -> None:
    screen, _ = after(typed(before), key)

    assert (screen.typed, screen.waiting) == (text, ())


@pytest.mark.parametrize("text", ["/exit", "/nothing", "/exit now", "exit"])
def test_enter_sends_what_the_list_can_not_complete(text: str) -> None:
    assert after(typed(text), "enter")[0].waiting == (text,)


@pytest.mark.parametrize(
    ("screen", "keys", "done"),
    [
        (Screen(), ["ctrl+c"], []),
        (Screen(), ["ctrl+c", "ctrl+c"], ["exit"]),
        (Screen(), ["ctrl+c", "a", "ctrl+c"], []),
        (Screen(), ["ctrl+c", "ctrl+d"], []),
        (Screen(), ["ctrl+d", "ctrl+d"], ["exit"]),
        (typed("x"), ["ctrl+d", "ctrl+d"], []),
        (typed("x"), ["ctrl+c", "ctrl+d", "ctrl+d"], ["exit"]),
        (Screen(busy=True), ["esc"], ["interrupt"]),
        (Screen(busy=True), ["ctrl+c"], ["interrupt"]),
        (Screen(busy=True), ["ctrl+c", "ctrl+c"], ["interrupt", "exit"]),
        (Screen(), ["esc"], []),
        (Screen(exits_at_once=True), ["ctrl+c"], ["exit"]),
        (Screen(), ["ctrl+l"], ["redraw"]),
    ],
)
def test_keys_interrupt_and_exit(screen: Screen, keys: list[str], done: list[str]) -> None:
    assert [effect.kind for effect in after(screen, *keys)[1]] == done


def test_ctrl_c_cancels_what_is_typed_and_says_that_it_exits_next() -> None:
    screen, _ = after(typed("abc"), "ctrl+c")

    assert (screen.typed, screen.again) == ("", "ctrl+c")


def test_shift_tab_goes_round_the_modes() -> None:
    modes = []
    screen = Screen()
    for _ in range(3):
        screen, _done = after(screen, "shift+tab")
        modes.append(screen.mode)

    assert modes == ["accept-edits", "plan", None]


TRUST = trust_card("/work")
LIST = list_card("model", "Which?", [("a", "A"), ("b", "B")])


@pytest.mark.parametrize(
    ("card", "keys", "answer"),
    [
        (TRUST, ["enter"], "yes"),
        (TRUST, ["down", "enter"], "no"),
        (TRUST, ["up", "enter"], "no"),
        (TRUST, ["2"], "no"),
        (TRUST, ["esc"], "no"),
        (TRUST, ["ctrl+c"], "no"),
        (LIST, ["2"], "b"),
        (LIST, ["esc"], ""),
        (survey_card(), ["1"], "good"),
        (survey_card(), ["0"], "skip"),
        (code_card(), ["4", "x", "backspace", "2", "enter"], "42"),
        (code_card(), ["esc"], ""),
    ],
)
def test_a_card_is_answered_by_digits_arrows_enter_and_esc(card: Card, keys: list[str], answer: str) -> None:
    screen, done = after(Screen(card=card), *keys)

    assert done == [Effect("answer", answer)]
    assert screen.card is None


@pytest.mark.parametrize("key", ["x", "9", "tab", "ctrl+d", "left"])
def test_a_card_stays_until_it_is_answered(key: str) -> None:
    screen, done = after(Screen(card=TRUST, typed="kept"), key)

    assert (screen.card, screen.typed, done) == (TRUST, "kept", [])


def test_ctrl_c_on_a_card_in_a_turn_ends_the_turn_as_well() -> None:
    _, done = after(Screen(card=TRUST, busy=True), "ctrl+c")

    assert [effect.kind for effect in done] == ["answer", "interrupt"]
