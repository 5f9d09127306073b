"""Both transcripts of a conversation, and their chunks (stores.md 1.3, 2)."""

from __future__ import annotations

from fake_agy.stores.files import append_private, size_of
from fake_agy.stores.layout import logs
from fake_agy.stores.rows import full_line, short_line

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from fake_agy.profile.resolve import Profile
    from fake_agy.stores.layout import Layout
    from fake_agy.stores.step import Step


def append_steps(layout: Layout, conversation: str, steps: Sequence[Step], profile: Profile) -> None:
    """Append the rows of steps that are logged, each file in one write; the caller holds the lock."""
    shown = [step for step in steps if is_logged(step, profile)]
    if not shown:
        return
    if not profile["exit-code-key"]:
        shown = [step._replace(exit_code=None) for step in shown]
    tokens = bool(profile["token-keys"])
    folder = logs(layout, conversation)
    for name, line in (("transcript_full", full_line), ("transcript", short_line)):
        rows = b"".join([line(step, tokens=tokens) for step in shown])
        flat, chunks = f"{folder}/{name}.jsonl", f"{folder}/chunks/{name}"
        chunked = profile["chunks"] != "none" and _goes_on(flat, chunks, shown, profile)
        append_private(flat, rows)
        if chunked:
            from fake_agy.stores.chunks import append_rows  # older versions have none

            append_rows(chunks, rows, mid_line=profile["chunk-cut"] == "mid-line")


def is_logged(step: Step, profile: Profile) -> bool:
    """Say whether a step has a row; failed tools have none in some versions (stores.md 2.5)."""
    if not step.logged:
        return False
    return step.status != "ERROR" or step.answers is None or bool(profile["failed-step-rows"])


def _goes_on(flat: str, chunks: str, steps: Sequence[Step], profile: Profile) -> bool:
    """Say whether the chunks take these rows; some say that only the first turn has any (stores.md 8)."""
    if profile["chunks"] == "every-turn":
        return True
    from fake_agy.stores.chunks import kept_bytes

    size = size_of(flat)
    return kept_bytes(chunks) == size and not (size and any(step.type == "USER_INPUT" for step in steps))
