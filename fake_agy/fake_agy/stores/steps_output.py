"""``steps/<n>/output.txt``: a tool's result as it was (stores.md 1.3)."""

from __future__ import annotations

from fake_agy.stores.files import replace_private
from fake_agy.stores.layout import generated
from fake_agy.stores.rows import without_times

TYPE_CHECKING = False
if TYPE_CHECKING:
    from fake_agy.stores.layout import Layout
    from fake_agy.stores.step import Step


def keep_output(layout: Layout, conversation: str, step: Step) -> None:
    """Keep the result of a tool that is done, without the two times above it."""
    if step.status != "DONE" or step.answers is None or step.content is None:
        return
    path = f"{generated(layout, conversation)}/steps/{step.idx}/output.txt"
    replace_private(path, without_times(step.content).encode(errors="replace"))
