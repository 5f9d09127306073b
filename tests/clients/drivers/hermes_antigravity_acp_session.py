"""Holds turns with hermes-antigravity-acp: two of one process, one of the next; runs in its environment."""

import json
import os
from pathlib import Path

from hermes_antigravity_acp.adapter import AgySession

AGY = os.environ.get("ANTIGRAVITY_CLI_PATH") or str(Path.home() / ".local/bin/agy")
session = AgySession(
    agy_command=AGY,
    model=None,
    cwd=Path.cwd(),
    first_text_timeout=30,
    stall_timeout=30,
    total_timeout=60,
)


def turn(full: str, continued: str) -> dict[str, object]:
    text = session.prompt(full, continued)
    return {
        "text": text,
        "turns": session.turn_count,
        "processes": session.process_start_count,
        "conversation": session.conversation_id,
    }


first = turn("Remember the word heron.", "not sent: the first turn sends the full prompt")
second = turn("not sent: a later turn sends what is new", "Which word did I give you?")
session.close()
third = turn("not sent", "Which word was it?")
session.close()
print(json.dumps({"fresh": first, "continued": second, "resumed": third}))
