"""A screen as lines of text, at a width; the shapes are those of contract.md 7.1."""

from __future__ import annotations

from fake_agy.screen.cells import cut, plain, width_of, wrapped
from fake_agy.screen.state import suggestions

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from fake_agy.screen.state import Block, Card, Screen

SPINNER = "⡿⣟⣯⣷⣾⣽⣻⢿"
HELP = (
    "/ for commands",
    "shift+tab to cycle modes",
    "ctrl+o to expand",
    "esc to interrupt",
    "ctrl+c to exit",
)
OFFERED = 8
"""Lines of the list behind a slash."""


def render(screen: Screen, width: int) -> tuple[str, ...]:
    """Draw a screen; gives all its lines, from the banner on, of at most `width` cells."""
    lines: list[str] = []
    for text in screen.banner:
        lines += wrapped(text, width)
    for block in _shown(screen):
        lines += ["", *_block(block, width, expanded=screen.expanded)]
    lines.append("")
    if screen.card is not None:
        return (*lines, *_card(screen.card, width))
    if screen.busy:
        lines += [cut(f"{SPINNER[screen.ticks % len(SPINNER)]}  Running...", width), ""]
    for prompt in screen.waiting:
        lines += [_dim(line) for line in wrapped(prompt, width, "> ", "  ")]
    rule = _dim("─" * width)
    lines += [rule, *_composer(screen.typed, width), rule]
    lines += [cut(f"  {each}", width) for each in suggestions(screen)[:OFFERED]]
    if screen.helping:
        lines += [cut(f"  {each}", width) for each in HELP]
    return (*lines, _footer(screen, width))


def model_shown(label: str) -> str:
    """Write a model's name as the footer does: ``Gemini 3.6 Flash · high``."""
    name, bracket, effort = label.partition(" (")
    return f"{name} · {effort.rstrip(')').lower()}" if bracket else name


def _composer(typed: str, width: int) -> list[str]:
    return wrapped(typed, width, "> ", "  ") if typed else [">"]


def _footer(screen: Screen, width: int) -> str:
    if screen.again:
        left = f"press {screen.again} again to exit"
    else:
        left = "esc to cancel" if screen.busy else "? for shortcuts"
    right = " · ".join([each for each in (screen.mode, model_shown(screen.model)) if each])
    gap = max(2, width - width_of(left) - width_of(right))
    return _dim(cut(left + " " * gap + right, width))


def _card(card: Card, width: int) -> list[str]:
    lines: list[str] = []
    for text in card.lines:
        lines += wrapped(text, width)
    if card.form == "row":
        lines.append(cut("  ".join([f"[{each.key}] {each.label}" for each in card.choices]), width))
    else:
        for place, choice in enumerate(card.choices):
            mark = "> " if place == card.at else "  "
            number = f"{choice.key}. " if card.form == "numbered" else ""
            lines += wrapped(choice.label, width, mark + number, " " * (2 + len(number)))
    if card.entry is not None:
        lines += _composer(card.entry, width)
    return [*lines, *[_dim(cut(hint, width)) for hint in card.hints]]


def _shown(screen: Screen) -> Sequence[Block]:
    """Put tools that stand in a row and have ended into one line, where the screen is told to."""
    if not screen.grouped or screen.expanded:
        return screen.blocks
    shown: list[Block] = []
    counts: list[int] = []
    for block in screen.blocks:
        ended = block.kind == "tool" and not block.running
        if ended and shown and counts[-1]:
            counts[-1] += 1
            shown[-1] = block._replace(text=f"{counts[-1]} tool calls (ctrl+o to expand)", result="")
        else:
            shown.append(block)
            counts.append(1 if ended else 0)
    return shown


def _block(block: Block, width: int, *, expanded: bool) -> list[str]:
    text = block.text.strip("\n")
    if block.kind == "prompt":
        return wrapped(text, width, "> ", "  ")
    if block.kind == "thought":
        return [_dim(line) for line in wrapped(text, width, "▸ ", "  ")]
    if block.kind == "note":
        return wrapped(text, width, "⎿  ", "   ")
    if block.kind == "warning":
        return wrapped(text, width, "⚠ ", "  ")
    if block.kind == "tool":
        head = wrapped(text, width, "○ " if block.running else "● ", "  ")
        return head + _result(block.result, width, expanded=expanded)
    return wrapped(text, width)


def _result(result: str, width: int, *, expanded: bool) -> list[str]:
    """Show a tool's result, its first line alone where it isn't expanded."""
    lines = plain(result).strip("\n").split("\n")
    if not result.strip():
        return []
    if expanded or len(lines) == 1:
        return wrapped("\n".join(lines), width, "  ⎿  ", "     ")
    return wrapped(f"{lines[0]} (ctrl+o to expand)", width, "  ⎿  ", "     ")


def _dim(text: str) -> str:
    return f"\x1b[2m{text}\x1b[22m" if text else text
