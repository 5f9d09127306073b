"""A conversation as it stands, for the choice of the current turn's transcript."""

import re
from pathlib import Path

from agy_proxy.watch import store
from agy_proxy.watch.rows import created_ns, is_user_input, rows
from agy_proxy.watch.selection import Candidate

_REQUEST = re.compile(r"<USER_REQUEST>\n?(.*?)\n?</USER_REQUEST>", re.DOTALL)
LAST = 1 << 24
"""Bytes of a transcript's end in which the last prompt is looked for."""


def candidate(root: Path, conversation: str, *, parent: str | None = None) -> Candidate:
    """Read the last prompt and the time of the last growth of a conversation; what isn't there is None."""
    prompt = prompted_at = grew_at = None
    for path in store.transcripts(root, conversation).values():
        try:
            with path.open("rb") as file:
                size = file.seek(0, 2)
                file.seek(max(0, size - LAST))
                data = file.read(LAST)
            grew = path.stat().st_mtime
        except OSError:
            continue
        grew_at = grew if grew_at is None else max(grew_at, grew)
        for _, row in rows(data):
            if is_user_input(row):
                text = str(row.get("content"))
                asked = _REQUEST.search(text)
                began = created_ns(row)
                prompt = asked[1] if asked is not None else text
                prompted_at = None if began is None else began / 1e9
    return Candidate(
        conversation=conversation, prompt=prompt, prompted_at=prompted_at, grew_at=grew_at, parent=parent
    )
