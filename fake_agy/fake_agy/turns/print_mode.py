"""A call in print mode: it signs in, settles on a conversation, takes one turn, and leaves."""

from __future__ import annotations

from fake_agy.interrupts import Interrupted
from fake_agy.output.events import Init, Result
from fake_agy.stores.step import Usage
from fake_agy.turns.conversation import settled_conversation
from fake_agy.turns.script import next_moves
from fake_agy.turns.turn import Turn

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import NamedTuple

    from fake_agy.turns.conversation import Conversation
    from fake_agy.turns.ending import Ending
    from fake_agy.turns.stage import Stage
else:
    from fake_agy.record import NamedTuple

STARTING, SETTLING, STOPPING = 0.8, 0.6, 0.1
"""Seconds at speed 1 before agy has signed in, before the conversation is there, and before it exits."""


class Taken(NamedTuple):
    """What a call came to: its exit status and the conversation it had."""

    exit: int
    prompt: str | None = None
    conversation: str | None = None
    resumed: bool = False


def print_once(stage: Stage, prompt: str) -> Taken:
    """Take one turn and leave."""
    log_start(stage, prompt)
    refused = signing_in(stage)
    if refused is not None:
        return Taken(refused, prompt)
    stage = stage.in_its_project()
    conversation = take_up(stage)
    moves = next_moves(stage.layout, stage.settings.turns)
    stage.log.write("printmode.go:130", f"Print mode: conversation={conversation.id}, sending message")
    ending = Turn(stage, conversation, prompt).play(moves)
    leave(stage, conversation)
    return Taken(ending.exit, prompt, conversation.id, conversation.resumed)


def log_start(stage: Stage, prompt: str) -> None:
    """Write the lines a log begins with (contract.md 2.9)."""
    request = stage.request
    model = request.label if request.model_asked else ""
    early = stage.profile["early-log-line"] != "plain"
    for place, text in (
        ("common.go:156", f"CLI app data directory: {stage.layout.root}"),
        ("server.go:210", f"Language server listening on random port at {stage.port} for HTTPS"),
        ("server.go:218", f"Language server listening on random port at {stage.port + 1} for HTTP"),
        (
            "printmode.go:71",
            f'Print mode: starting (promptLength={len(prompt)}, model="{model}", '
            f'conversationID="{request.conversation or ""}")',
        ),
    ):
        line = stage.log.write(place, text, early=early)
        if early and stage.profile["early-log-line"] == "on-stderr":
            stage.world.err(line)
        early = False


def signing_in(stage: Stage) -> int | None:
    """Sign in; gives the exit status where nobody is signed in."""
    if stage.profile["account"] == "signed-out":
        from fake_agy.turns.signing_in import refuse

        return refuse(stage)
    stage.world.clock.wait(STARTING)
    stage.log.write("printmode.go:225", "Print mode: silent auth succeeded")
    return None


def take_up(stage: Stage) -> Conversation:
    """Resume or begin the conversation, and say so on every channel that says it."""
    stage.world.clock.wait(SETTLING)
    conversation, missing = settled_conversation(stage)
    if missing is not None:
        _warn_not_found(missing, stage)
    if conversation.resumed:
        stage.log.write("printmode.go:125", f"Print mode: resuming conversation {conversation.id}")
    else:
        stage.log.write("conversation.go:61", "Starting new conversation (agent=true)")
        stage.log.write("server.go:747", f"Created conversation {conversation.id}")
    project = stage.request.project
    stage.log.write("project.go:96", f'project: using project "{stage.world.cwd}" (id={project})')
    stage.log.write("conversation.go:74", f"Conversation using project ID: {project}")
    stage.log.write("conversation.go:88", f"Starting conversation update stream for {conversation.id}")
    stage.output.begin(init_of(stage, conversation.id))
    return conversation


def init_of(stage: Stage, conversation: str) -> Init:
    """Say what a stream's first line holds."""
    request, profile = stage.request, stage.profile
    named = request.model_asked or profile["model-in-init"] == "always"
    return Init(
        conversation,
        stage.world.cwd,
        _tools(stage),
        _permission_mode(stage),
        model=request.label if named else None,
        agent=request.agent,
        json_schema=None if request.schema is None else request.schema.value,
        expanded_commands=request.expanded,
    )


def leave(stage: Stage, conversation: Conversation) -> None:
    """Let go of the conversation, as late as the version does."""
    try:
        _linger(stage)
    except Interrupted:  # the turn is over: a signal only ends the waiting
        stage.log.write("server.go:805", "Interrupted while stopping")
    conversation.close()


def _linger(stage: Stage) -> None:
    clock = stage.world.clock
    clock.wait(STOPPING)
    stage.log.write("server.go:801", "Stopping conversation stream")
    lag = int(stage.profile["exit-lag"])
    if lag:
        clock.wait(float(lag))
        stage.log.write("server.go:812", f"Language server stopped after {lag}s")


def nothing_taken(ending: Ending, conversation: str = "") -> Result:
    """Give the result of a call that took no turn."""
    return Result(conversation, ending.status, "", Usage(), error=ending.error)


def _tools(stage: Stage) -> tuple[str, ...]:
    if stage.output.format != "stream-json":
        return ()
    from fake_agy.turns.tool_names import tool_names  # only a stream lists them

    return tool_names(stage.profile)


def _permission_mode(stage: Stage) -> str:
    if stage.output.format != "stream-json":
        return ""
    from fake_agy.turns.permission import permission_mode

    return permission_mode(stage)


def _warn_not_found(wanted: str, stage: Stage) -> None:
    """Warn of an unknown id; the run goes on either way (contract.md 4.2)."""
    where = stage.profile["not-found-warning"]
    if where == "stdout":
        stage.world.out(f'Warning: conversation "{wanted}" not found.\n')
    elif where == "stderr":
        stage.world.err(f'warning: conversation "{wanted}" not found\n')
    stage.log.write("printmode.go:118", f'conversation "{wanted}" not found', "W")
