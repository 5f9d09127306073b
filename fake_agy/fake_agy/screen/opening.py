"""A call that opens an interactive session: its wishes, its store, its terminal (contract.md 1.2, 7)."""

from __future__ import annotations

import os

from fake_agy.command.models import choose_on_screen
from fake_agy.printing import NO_HOME, plain, staged
from fake_agy.screen.commands import offered
from fake_agy.screen.output import ScreenOutput
from fake_agy.screen.session import Session
from fake_agy.screen.state import Block, Screen
from fake_agy.screen.terminal import Terminal
from fake_agy.screen.update import MODES
from fake_agy.screen.view import SIGHUP, View
from fake_agy.stores import workspace
from fake_agy.stores.layout import layout_of
from fake_agy.turns.print_mode import Taken
from fake_agy.turns.stage import Request

TYPE_CHECKING = False
if TYPE_CHECKING:
    import signal as _signal

    from fake_agy.command.line import CommandLine
    from fake_agy.command.models import Chosen
    from fake_agy.profile.resolve import Profile
    from fake_agy.settings import DoubleSettings
    from fake_agy.world import World
else:
    import _signal  # as in fake_agy.interrupts


def hold_screen(line: CommandLine, world: World, settings: DoubleSettings, profile: Profile) -> Taken:
    """Hold an interactive session to its end; stdin is a terminal."""
    if world.home is None:
        world.err(NO_HOME)
        return Taken(1)
    chosen = choose_on_screen(plain(line.last("model") or ""), line.last("effort"), profile)
    request = _request(line, chosen, world)
    _heed(world)
    terminal = Terminal(0, world.out)
    view = View(
        terminal,
        world.interrupts,
        _first_screen(request, chosen, settings, world, profile),
        still=world.clock.frozen,
        bursts=profile["unbracketed-paste"] == "one-text",
    )
    layout = layout_of(world.home)
    output = ScreenOutput(
        view, profile, lambda rule: workspace.allow(layout, rule), sandboxed=request.sandboxed
    )
    stage = staged(request, line.last("log-file") or None, world, settings, profile, output)
    session = Session(stage, view, line)
    first = line.last("prompt-interactive") or " ".join(line.rest)
    terminal.raw()
    try:
        session.hold(plain(first))
    finally:
        session.leave(terminal)
    conversation = session.conversation
    if conversation is None:
        return Taken(0, session.first_prompt)
    return Taken(0, session.first_prompt, conversation.id, conversation.resumed)


def _heed(world: World) -> None:
    """Take the signals that only a terminal brings: the end of the line, and another size."""
    interrupts = world.interrupts
    interrupts.ignores = lambda _number: False
    interrupts.heed(SIGHUP)
    interrupts.wake_at(_signal.SIGWINCH)


def _request(line: CommandLine, chosen: Chosen, world: World) -> Request:
    mode = line.last("mode")
    return Request(
        conversation=plain(line.last("conversation") or "") or None,
        continued=line.on("continue"),
        model=chosen.slug,
        label=chosen.label,
        model_asked=line.last("model") is not None,
        agent=line.last("agent"),
        mode=mode if mode in MODES else None,
        skip_permissions=line.on("dangerously-skip-permissions"),
        sandboxed=line.on("sandbox"),
        add_dirs=(world.cwd, *[folder for folder in line.all("add-dir") if folder.startswith("/")]),
        project=line.last("project") or "default-cli-project",
        new_project=line.on("new-project"),
        on_screen=True,
    )


def _first_screen(
    request: Request, chosen: Chosen, settings: DoubleSettings, world: World, profile: Profile
) -> Screen:
    """Make the screen that stands there before anything is typed."""
    blocks: list[Block] = []
    if profile["announcement-card"]:
        blocks.append(Block("plain", f"What's new in {settings.agy_version}: /changelog tells"))
    if chosen.warning:
        blocks.append(Block("warning", chosen.warning))
    return Screen(
        banner=(f"Antigravity CLI {settings.agy_version}", chosen.label, _short(world)),
        model=chosen.label,
        mode=request.mode,
        blocks=tuple(blocks),
        commands=offered(),
        grouped=profile["tool-lines"] == "grouped",
        exits_at_once=profile["ctrl-c"] == "exits",
    )


def _short(world: World) -> str:
    """Write the working directory with ~ for HOME."""
    home = os.path.realpath(str(world.home))
    inside = world.cwd == home or world.cwd.startswith(f"{home}/")
    return "~" + world.cwd[len(home) :] if inside else world.cwd
