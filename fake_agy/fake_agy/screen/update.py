"""What a key does: from one screen to the next, and what is to be done beside."""

from __future__ import annotations

from fake_agy.screen.state import suggestions

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import NamedTuple

    from fake_agy.screen.keys import Key
    from fake_agy.screen.state import Card, Screen
else:
    from fake_agy.record import NamedTuple

MODES = (None, "accept-edits", "plan")


class Effect(NamedTuple):
    """What a key asks for beyond the screen: interrupt, exit, redraw, or a card's answer."""

    kind: str
    value: str = ""


def update(screen: Screen, key: Key) -> tuple[Screen, tuple[Effect, ...]]:
    """Take one key.

    A prompt that is sent waits in `Screen.waiting`, also where its turn can begin at once.
    """
    if screen.card is not None:
        return _on_card(screen, screen.card, key)
    if key.name == "ctrl+c":
        return _cancel(screen)
    if key.name == "ctrl+d":
        return _end(screen)
    screen = screen._replace(again="")
    if key.name == "esc":
        if screen.busy:
            return screen, (Effect("interrupt"),)
        return screen._replace(typed="", helping=False), ()
    if key.name == "ctrl+l":
        return screen, (Effect("redraw"),)
    if key.name == "ctrl+o":
        return screen._replace(expanded=not screen.expanded), ()
    if key.name == "shift+tab":
        mode = MODES[(MODES.index(screen.mode) + 1) % len(MODES)]
        return screen._replace(mode=mode), ()
    if key.name == "enter":
        return _send(screen), ()
    return _type(screen, key), ()


def _send(screen: Screen) -> Screen:
    """Send what is typed; behind a slash Enter first completes what the list offers."""
    offered = suggestions(screen)
    if offered and screen.typed not in offered:
        return screen._replace(typed=offered[0])
    if not screen.typed.strip():
        return screen
    return screen._replace(typed="", helping=False, waiting=(*screen.waiting, screen.typed))


def _type(screen: Screen, key: Key) -> Screen:
    typed = screen.typed
    if key.name == "text" and key.text == "?" and not typed:
        return screen._replace(helping=not screen.helping)
    if key.name in {"text", "paste"}:
        typed += key.text
    elif key.name == "newline":
        typed += "\n"
    elif key.name == "backspace":
        typed = typed[:-1]
    elif key.name == "ctrl+u":
        typed = ""
    elif key.name == "ctrl+w":
        typed = typed.rstrip()[: len(typed.rstrip()) - len(typed.split()[-1])] if typed.split() else ""
    elif key.name == "tab" and suggestions(screen):
        typed = suggestions(screen)[0]
    return screen._replace(typed=typed)


def _cancel(screen: Screen) -> tuple[Screen, tuple[Effect, ...]]:
    """Ctrl-C: cancel what goes on or is typed; exit the second time, in old versions at once."""
    if screen.exits_at_once or screen.again == "ctrl+c":
        return screen, (Effect("exit"),)
    again = screen._replace(again="ctrl+c", typed="" if not screen.busy else screen.typed)
    return again, (Effect("interrupt"),) if screen.busy else ()


def _end(screen: Screen) -> tuple[Screen, tuple[Effect, ...]]:
    """Ctrl-D: exit the second time, and only where nothing is typed."""
    if screen.typed:
        return screen._replace(again=""), ()
    if screen.again == "ctrl+d":
        return screen, (Effect("exit"),)
    return screen._replace(again="ctrl+d"), ()


def _on_card(screen: Screen, card: Card, key: Key) -> tuple[Screen, tuple[Effect, ...]]:
    if key.name in {"esc", "ctrl+c"}:
        interrupts = (Effect("interrupt"),) if key.name == "ctrl+c" and screen.busy else ()
        if card.cancel is None:
            return screen, interrupts
        return screen._replace(card=None), (Effect("answer", card.cancel), *interrupts)
    if card.entry is not None:
        if key.name == "enter":
            return screen._replace(card=None), (Effect("answer", card.entry),)
        entry = card.entry[:-1] if key.name == "backspace" else card.entry + key.text.strip()
        return screen._replace(card=card._replace(entry=entry)), ()
    if key.name in {"up", "down"} and card.choices:
        step = 1 if key.name == "down" else -1
        return screen._replace(card=card._replace(at=(card.at + step) % len(card.choices))), ()
    for place, choice in enumerate(card.choices):
        if (key.name == "enter" and place == card.at) or (key.name == "text" and key.text[:1] == choice.key):
            return screen._replace(card=None), (Effect("answer", choice.value),)
    return screen, ()
