"""A call whose prompts come as a stream: one conversation, a turn for each message (contract.md 3.4)."""

from __future__ import annotations

from fake_agy.interrupts import Interrupted
from fake_agy.turns.ending import Ending
from fake_agy.turns.print_mode import Taken, leave, log_start, nothing_taken, signing_in, take_up
from fake_agy.turns.script import next_moves
from fake_agy.turns.stream_input import Message, Warned, read_message
from fake_agy.turns.turn import Turn

TYPE_CHECKING = False
if TYPE_CHECKING:
    from fake_agy.turns.conversation import Conversation
    from fake_agy.turns.stage import Stage
    from fake_agy.world import Stdin


class Lines:
    """The lines of a stream, read as they come; the last one counts without its newline too."""

    def __init__(self, stdin: Stdin) -> None:
        self._read = stdin.read
        self._held = b""
        self._over = False

    def next(self) -> bytes | None:
        """Give the next line, None at the end."""
        while b"\n" not in self._held and not self._over:
            piece = self._read()
            self._over = not piece
            self._held += piece
        if not self._held:
            return None
        line, _, self._held = self._held.partition(b"\n")
        return line


def hold_session(stage: Stage, prompt: str | None) -> Taken:
    """Take turns until stdin ends, a message is wrong, or a signal comes; `prompt` is a first turn's."""
    log_start(stage, prompt or "")
    refused = signing_in(stage)
    if refused is not None:
        return Taken(refused, prompt)
    stage = stage.in_its_project()
    conversation = take_up(stage)
    prompts = [prompt] if prompt else []
    ending = Ending()
    try:
        if prompt:
            ending = _turn(stage, conversation, prompt)
        if ending.exit == 0 or stage.profile["failed-stream-turn"] == "continue":
            ending = _each_message(stage, conversation, prompts)
    except Interrupted as interrupted:
        ending = stage.ending_at(interrupted.number)
        stage.output.end(ending)
    stage.log.write("printmode.go:402", f"Print mode: stream input closed after {len(prompts)} turn(s)")
    leave(stage, conversation)
    return Taken(ending.exit, prompts[0] if prompts else None, conversation.id, conversation.resumed)


def _each_message(stage: Stage, conversation: Conversation, prompts: list[str]) -> Ending:
    """Read messages and take their turns; gives how the session ends."""
    lines = Lines(stage.world.stdin)
    ending = Ending()
    while True:
        stage.on("stream-idle")
        line = lines.next()
        if line is None:
            return ending
        read = read_message(line, stage.profile)
        if isinstance(read, Warned):
            stage.output.err(read.err)
        elif isinstance(read, Message):
            prompts.append(read.text)
            ending = _turn(stage, conversation, read.text)
            if ending.exit and stage.profile["failed-stream-turn"] != "continue":
                return ending
        else:
            stage.output.result(nothing_taken(read.ending, conversation.id))
            stage.output.end(read.ending)
            return read.ending


def _turn(stage: Stage, conversation: Conversation, prompt: str) -> Ending:
    moves = next_moves(stage.layout, stage.settings.turns)
    stage.log.write("printmode.go:130", f"Print mode: conversation={conversation.id}, sending message")
    return Turn(stage, conversation, prompt).play(moves)
