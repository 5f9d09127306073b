"""One turn in print mode, in agy's order: log, USER_INPUT, planner row, stdout, last_conversations."""

from collections.abc import Callable, Sequence
from typing import NamedTuple

from fake_agy import answer
from fake_agy.clock import Clock, local_second, parse_time, utc_second
from fake_agy.go_json import Json, go_json
from fake_agy.log import Log
from fake_agy.store import (
    Rows,
    Store,
    append_rows,
    is_known,
    last_conversation,
    locked,
    new_conversation_id,
    remember_last,
    rows_of,
)
from fake_agy.transcript import Row, Told, next_index, restart_notice, told, user_content
from fake_agy.version import Version

STARTING, THINKING, DRIP, ENDING = 0.1, 0.3, 0.1, 0.1
"""Seconds at speed 1 before the conversation is there, the planner row, each line, and the end."""


class Request(NamedTuple):
    """What a call in print mode asks for."""

    prompt: str
    conversation: str | None
    continued: bool
    json: bool
    model_label: str


class Room(NamedTuple):
    """Where a turn takes place; `out` and `err` write and return at once."""

    store: Store
    cwd: str
    version: Version
    seed: int
    clock: Clock
    log: Log
    out: Callable[[str], None]
    err: Callable[[str], None]


def run_turn(request: Request, room: Room) -> None:
    """Resume or begin a conversation, and answer."""
    began = room.clock.now()
    room.clock.wait(STARTING)
    conversation, resumed = _settle(request, room)
    room.log.write("printmode.go:130", f"Print mode: conversation={conversation}, sending message")

    def user_rows(before: Rows) -> list[Row]:
        return _user_rows(request, room, before)

    earlier = told(append_rows(room.store, conversation, user_rows))
    text = answer.answer(room.seed, conversation, earlier, request.prompt)
    started = utc_second(room.clock.now())
    room.clock.wait(THINKING)

    def planner_row(before: Rows) -> list[Row]:
        thought = answer.thinking(request.prompt)
        return [Row(next_index(before), "MODEL", "PLANNER_RESPONSE", started, text, thought)]

    step = next_index(append_rows(room.store, conversation, planner_row))
    if request.json:
        since = _created(room, conversation, began) if resumed else began
        room.out(
            _envelope(conversation, text, (*earlier, Told(request.prompt, text)), room.clock.now() - since)
        )
    else:
        for line in text.splitlines(keepends=True):
            room.clock.wait(DRIP)
            room.out(line)
    room.log.write(
        "text_drip.go:173", f"Drip stopped: lastStepIdx={step}, charIdx={len(text)}, length={len(text)}"
    )
    room.clock.wait(ENDING)
    remember_last(room.store, room.cwd, conversation)
    room.log.write("server.go:801", "Stopping conversation stream")


def _settle(request: Request, room: Room) -> tuple[str, bool]:
    """Find the conversation asked for, or make a new one; say which of the two it was."""
    wanted = request.conversation
    if wanted is not None and not is_known(room.store, wanted):
        _warn_not_found(wanted, room)
        wanted = None
    elif wanted is None and request.continued:
        wanted = last_conversation(room.store, room.cwd)
    if wanted is not None:
        room.log.write("printmode.go:125", f"Print mode: resuming conversation {wanted}")
        room.log.write("conversation.go:88", f"Starting conversation update stream for {wanted}")
        return wanted, True
    with locked(room.store):
        created = new_conversation_id(room.store, room.seed)
    room.log.write("conversation.go:61", "Starting new conversation (agent=true)")
    room.log.write("server.go:747", f"Created conversation {created}")
    room.log.write("conversation.go:88", f"Starting conversation update stream for {created}")
    return created, False


def _warn_not_found(wanted: str, room: Room) -> None:
    """Say so on stderr since 1.1.12, on stdout before (contract.md 4.2); the run goes on either way."""
    if room.version >= (1, 1, 12):
        room.err(f'warning: conversation "{wanted}" not found\n')
    else:
        room.out(f'Warning: conversation "{wanted}" not found.\n')


def _user_rows(request: Request, room: Room, before: Rows) -> list[Row]:
    """Make the rows that open a turn (stores.md 2.6): up to 1.1 a history step, then the restart notice."""
    now = room.clock.now()
    at, index = utc_second(now), next_index(before)
    content = user_content(
        request.prompt,
        local_time=local_second(now),
        first_model=None if before else request.model_label,
    )
    rows = [Row(index, "USER_EXPLICIT", "USER_INPUT", at, content)]
    if before:
        rows.append(Row(index + 1, "SYSTEM", "SYSTEM_MESSAGE", at, restart_notice(at)))
    elif room.version < (1, 2, 0):
        rows.append(Row(index + 1, "SYSTEM", "CONVERSATION_HISTORY", at))
    return rows


def _created(room: Room, conversation: str, otherwise: float) -> float:
    """Give the time of a conversation's first row in seconds since the epoch."""
    for row in rows_of(room.store, conversation):
        try:
            return parse_time(str(row["created_at"]))
        except (KeyError, ValueError):
            continue
    return otherwise


def _envelope(conversation: str, text: str, turns: Sequence[Told], duration: float) -> str:
    """Write the object of ``--output-format json``, figures over the whole conversation (contract.md 3.1)."""
    fields: dict[str, Json] = {
        "conversation_id": conversation,
        "status": "SUCCESS",
        "response": text,
        "duration_seconds": round(max(duration, 0.0), 9),
        "num_turns": len(turns),
        "usage": answer.usage(turns),
    }
    return go_json(fields) + "\n"
