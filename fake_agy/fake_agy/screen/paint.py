"""From one drawing to the next on a real terminal, in its own screen or below what stands there."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence


def paint(before: Sequence[str], after: Sequence[str], height: int) -> str:
    """Write what turns one drawing into the next; the cursor stands at the end of the last line.

    Lines above the `height` that fits have left the screen and are not touched; they come back only where the
    drawing gets shorter.
    """
    if tuple(before) == tuple(after):
        return ""
    if not before:
        return "\r\n".join(after)
    if len(after) < len(before) and len(before) > height:
        return repaint(after, height)
    same = 0
    while same < min(len(before), len(after)) and before[same] == after[same]:
        same += 1
    last = len(before) - 1
    start = max(min(same, len(after) - 1), last - height + 1)
    if start > last:
        return "\r\n" + "\r\n".join(after[start:])
    up = f"\x1b[{last - start}A" if last > start else ""
    return f"\r{up}\x1b[J" + "\r\n".join(after[start:])


def repaint(lines: Sequence[str], height: int) -> str:
    """Write a whole drawing anew, as far as it fits: what stood there may have been broken anew."""
    return "\x1b[2J\x1b[H" + "\r\n".join(lines[-height:])
