"""Turns drawn from a seed: prompts, answers of about 4 KB that hold a secret, and the rows of transcripts."""

import json
import random
from collections.abc import Iterator
from typing import NamedTuple
from uuid import UUID

from agy_cassettes.interaction import Exit, FileEvent, Interaction, Recorded, Request, Response, Tick

AT = "2026-12-01T02:37:00Z"
WORDS = (
    *("branch", "cache", "call", "clock", "error", "field", "file", "format", "index", "list", "loop"),
    *("merge", "model", "module", "output", "parse", "path", "queue", "record", "reply", "retry", "run"),
    *("shell", "state", "store", "stream", "table", "test", "thread", "turn", "value", "watch", "write"),
)
SECRET = "ada.lovelace@example.org"
PLACEHOLDER = "REDACTED-email-1"


class Turn(NamedTuple):
    """What was asked and what was answered."""

    number: int
    conversation: str
    prompt: str
    answer: str


def turns(count: int, seed: int) -> Iterator[Turn]:
    """`count` turns, no two with the same prompt; the same for the same seed."""
    draw = random.Random(seed)
    for number in range(count):
        conversation = str(UUID(int=draw.getrandbits(128), version=4))
        answer = "".join(f"{_line(draw)}\n" for _ in range(64))
        yield Turn(number, conversation, f"Turn {number}: {_line(draw)}?", f"{answer}Ask {SECRET}.\n")


def prompt_lines(count: int, seed: int) -> str:
    """A prompt of `count` lines."""
    draw = random.Random(seed)
    return "\n".join(_line(draw) for _ in range(count))


def to_interaction(turn: Turn) -> Interaction:
    """A turn as it was recorded: the answer in four chunks, and the two rows that a transcript got of it."""
    answer = stored_answer(turn)
    quarter = len(answer) // 4
    chunks = (quarter, quarter, quarter, len(answer) - 3 * quarter)
    place = f"${{AGY_HOME}}/brain/{turn.conversation}/.system_generated/logs/transcript.jsonl"
    asked, answered = _row(0, "USER_INPUT", turn.prompt), _row(1, "PLANNER_RESPONSE", answer.decode())
    return Interaction(
        id=f"01J0{turn.number:022d}-4711",
        recorded=Recorded(at=AT, by="agy-proxy 0.1.0", agy="1.2.10"),
        request=Request(argv=("agy", "-p", "${PROMPT}"), prompt=turn.prompt, env={"TERM": "dumb"}),
        response=Response(
            exit=Exit(code=0),
            stdout=answer,
            timing=(
                Tick(200, "f", 1),
                *(Tick(400, "o", chunk) for chunk in chunks),
                Tick(10, "f", 1),
                Tick(20, "x", 1),
            ),
        ),
        files=(
            FileEvent(op="create", path=place, text=asked),
            FileEvent(op="append", path=place, before=len(asked), text=answered),
        ),
    )


def stored_answer(turn: Turn) -> bytes:
    """The answer as a cassette has it."""
    return turn.answer.replace(SECRET, PLACEHOLDER).encode()


def _line(draw: random.Random) -> str:
    return " ".join(draw.choices(WORDS, k=10))


def _row(index: int, kind: str, content: str) -> bytes:
    row = {"step_index": index, "type": kind, "status": "DONE", "created_at": AT, "content": content}
    return json.dumps(row).encode() + b"\n"
