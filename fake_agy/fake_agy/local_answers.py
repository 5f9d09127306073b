"""Calls that the command line answers by itself: slash commands in print mode, and subcommands."""

from __future__ import annotations

from fake_agy.command import slash, subcommands
from fake_agy.command.subcommands import Place
from fake_agy.output.events import Command, Result
from fake_agy.stores.step import Usage
from fake_agy.turns.print_mode import Taken

TYPE_CHECKING = False
if TYPE_CHECKING:
    from fake_agy.command.line import CommandLine
    from fake_agy.output.output import Output
    from fake_agy.profile.resolve import Profile
    from fake_agy.world import World


def slash_call(
    prompt: str, line: CommandLine, world: World, output: Output, profile: Profile
) -> Taken | None:
    """Answer a slash command; None where the version has the model read it (contract.md 1.7)."""
    answered = slash.answer(prompt, line, profile, _place(world, profile))
    if answered is None:
        return None
    ending = answered.ending
    command = None if answered.data is None else Command(answered.name, answered.data)
    if answered.data is not None or ending.error is not None:
        output.result(
            Result("", ending.status, answered.response, Usage(), error=ending.error, command=command)
        )
    output.end(ending)
    return Taken(ending.exit, prompt)


def subcommand_call(line: CommandLine, world: World, profile: Profile) -> int:
    """Run a subcommand and show what it says."""
    ending = subcommands.run(line, profile, _place(world, profile))
    world.out(ending.out)
    world.err(ending.err)
    return ending.exit


def _place(world: World, profile: Profile) -> Place:
    return Place(world.home, world.cwd, str(profile["account"]), world.env)
