"""What one call of the double does: decided from its command line, then done in the world given."""

from __future__ import annotations

from fake_agy.command.line import Refused, parse_command_line
from fake_agy.interrupts import Interrupted
from fake_agy.printing import print_call
from fake_agy.profile.resolve import profile_of
from fake_agy.version import parse_version

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import NamedTuple

    from fake_agy.command.line import CommandLine
    from fake_agy.profile.resolve import Profile
    from fake_agy.settings import DoubleSettings
    from fake_agy.turns.ending import Ending
    from fake_agy.world import World
else:
    from fake_agy.record import NamedTuple

NOT_PLAYED = 125
"""Exit status where the double itself, and not agy, says no."""

_NO_SCREEN = "CLI error: bubbletea: could not open TTY: open /dev/tty: no such device or address\n"


class Done(NamedTuple):
    """What a call came to, as the file of calls tells it."""

    exit: int
    prompt: str | None = None
    conversation: str | None = None
    resumed: bool = False


def main(argv: Sequence[str], world: World, settings: DoubleSettings) -> Done:
    """Play one call of agy; `argv` is without the program's name.

    `OSError` where the store or the log can't be written.
    """
    profile = profile_of(parse_version(settings.agy_version), settings.switches)
    try:
        return _play(argv, world, settings, profile)
    except Interrupted:
        return Done(1)


def _play(argv: Sequence[str], world: World, settings: DoubleSettings, profile: Profile) -> Done:
    try:
        line = parse_command_line(argv, profile)
    except Refused as refused:
        return Done(_shown(refused.ending, world))
    kind = kind_of(line, world, profile)
    if kind == "help":
        from fake_agy.command.help import help_text

        world.out(help_text(profile))
        return Done(0)
    if kind == "version":
        world.out(f"{settings.agy_version}\n")
        return Done(0)
    if kind == "print":
        taken = print_call(line, world, settings, profile)
        return Done(taken.exit, taken.prompt, taken.conversation, taken.resumed)
    if kind == "no-screen":
        world.err(_NO_SCREEN)
        return Done(1)
    if kind == "subcommand":
        from fake_agy.local_answers import subcommand_call

        return Done(subcommand_call(line, world, profile, settings.seed))
    from fake_agy.screen.opening import hold_screen  # few callers have a terminal

    taken = hold_screen(line, world, settings, profile)
    return Done(taken.exit, taken.prompt, taken.conversation, taken.resumed)


def kind_of(line: CommandLine, world: World, profile: Profile) -> str:
    """Decide what a command line is: help, version, subcommand, print, screen or no-screen."""
    if line.help_asked:
        return "help"
    if line.on("version"):
        return "version"
    printed = line.last("print") is not None or line.last("input-format") == "stream-json"
    if printed:
        return "print"
    if line.rest:
        from fake_agy.command.subcommand_table import is_subcommand

        if is_subcommand(line.rest[0], profile):
            return "subcommand"
    elif world.stdin.kind != "terminal" and profile["auto-print"]:
        return "print"
    return "screen" if world.stdin.kind == "terminal" else "no-screen"


def _shown(ending: Ending, world: World) -> int:
    world.out(ending.out)
    world.err(ending.err)
    return ending.exit
