"""Commands that go on in the background, and what becomes of them when the turn is over (contract.md 2.6)."""

from __future__ import annotations

import os

from fake_agy.stores.files import private_folder
from fake_agy.stores.layout import brain
from fake_agy.turns.child import is_over
from fake_agy.turns.child import start as start_command
from fake_agy.turns.surroundings import command_directory, environment
from fake_agy.turns.tools import Used

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import NamedTuple

    from fake_agy.stores.step import Step
    from fake_agy.turns.moves import UseTool
    from fake_agy.turns.turn import Turn
else:
    from fake_agy.record import NamedTuple

GRACE = 5.0
"""Seconds at speed 1 that a command has before the versions that kill it do so (contract.md 2.6)."""

WAIT_MAX = 1800.0
"""Seconds that the versions that wait for a command do so at most."""


class Background(NamedTuple):
    """A command that was left running, by the pid that leads its session, and its step."""

    pid: int
    step: Step | None = None


def start(turn: Turn, move: UseTool, index: int) -> Used:
    """Start a command and leave it; its output goes to a log beside the transcripts."""
    conversation = turn.conversation.id
    folder = f"{brain(turn.stage.layout, conversation)}/.system_generated/tasks"
    private_folder(folder)
    path = f"{folder}/task-{index}.log"
    command = str(move.args.get("CommandLine", ""))
    log = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC, 0o600)
    directory = str(move.args.get("Cwd") or command_directory(turn.stage))
    pid = start_command(command, directory, environment(turn.stage, turn.conversation), log)
    os.close(log)
    turn.background.append(Background(pid))
    text = (
        f"Tool is running as a background task with task id: {conversation}/task-{index}\n"
        f"Task Description: {command}\nTask logs are available at: file://{path}\n"
    )
    return Used(text, text, running=True)


def at_the_end(turn: Turn) -> None:
    """Wait for what still runs, end it, or leave it, as the version does."""
    rule = str(turn.stage.profile["background-at-exit"])
    if rule.startswith("waited"):
        _wait(turn)
        if turn.stage.profile["running-rows"] == "again-when-done":
            _settle_again(turn)
    running = [each for each in turn.background if not is_over(each.pid)]
    if not running or rule in {"left", "waited-then-left"}:
        return
    if rule == "killed":
        turn.stage.world.clock.wait(GRACE)
    turn.stage.output.err(f"terminating {len(running)} background task(s) on exit\n")
    for each in running:
        try:
            os.killpg(each.pid, 15)
        except ProcessLookupError:  # it ended meanwhile
            continue


def _settle_again(turn: Turn) -> None:
    """Give the commands that have ended a second row at the same index."""
    now = turn.stage.world.clock.now()
    for each in turn.background:
        if each.step is not None and is_over(each.pid):
            turn.conversation.settle(each.step._replace(status="DONE", finished=now))


def _wait(turn: Turn) -> None:
    """Wait in real time, since a real command takes its time whatever the double's speed is."""
    from time import monotonic  # commands in the background are rare

    from fake_agy.turns.timeouts import limit

    count = len(turn.background)
    turn.stage.log.write("printmode.go:310", f"Print mode: waiting for {count} background task(s)")
    asked = limit(turn.stage.request.timeout, turn.stage.profile)
    deadline = monotonic() + min(WAIT_MAX, WAIT_MAX if asked is None else asked)
    while monotonic() < deadline and not all(is_over(each.pid) for each in turn.background):
        turn.stage.world.interrupts.until_woken((), min(0.25, max(0.0, deadline - monotonic())))
