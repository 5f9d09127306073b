"""Both transcripts of a conversation, and their chunks (stores.md 1.3, 2)."""

from __future__ import annotations

import os

from fake_agy.stores.files import append_private
from fake_agy.stores.layout import logs
from fake_agy.stores.rows import full_line, short_line

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from fake_agy.profile.resolve import Profile
    from fake_agy.stores.layout import Layout
    from fake_agy.stores.step import Step

ROLLED_AT = 100_000
"""Bytes of a chunk after which the next one begins."""


def append_steps(layout: Layout, conversation: str, steps: Sequence[Step], profile: Profile) -> None:
    """Append the rows of steps that are logged, each file in one write; the caller holds the lock."""
    shown = [step for step in steps if is_logged(step, profile)]
    if not shown:
        return
    folder = logs(layout, conversation)
    for name, line in (("transcript_full", full_line), ("transcript", short_line)):
        data = b"".join([line(step) for step in shown])
        append_private(f"{folder}/{name}.jsonl", data)
        if profile["chunks"]:
            append_private(_chunk(f"{folder}/chunks/{name}"), data)


def is_logged(step: Step, profile: Profile) -> bool:
    """Say whether a step has a row; failed tools have none in some versions (stores.md 2.5)."""
    if not step.logged:
        return False
    return step.status != "ERROR" or step.answers is None or bool(profile["failed-step-rows"])


def _chunk(folder: str) -> str:
    """Name the chunk that takes the next rows: whole lines only, a new one where the newest is full."""
    number = 0
    if os.path.isdir(folder):
        number = max([int(name[:8]) for name in os.listdir(folder) if name[:8].isdigit()], default=0)
        newest = f"{folder}/{number:08d}.jsonl"
        if os.path.exists(newest) and os.stat(newest).st_size >= ROLLED_AT:
            number += 1
    return f"{folder}/{number:08d}.jsonl"
