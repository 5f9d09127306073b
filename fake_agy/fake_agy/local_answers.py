"""Calls that the command line answers by itself: slash commands in print mode, and subcommands."""

from __future__ import annotations

from fake_agy.command import slash, subcommands
from fake_agy.command.place import Place
from fake_agy.output.events import Command, Result
from fake_agy.output.output import output_for
from fake_agy.stores.step import Usage
from fake_agy.turns.print_mode import Taken

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

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


def slash_expansions(
    prompt: str, line: CommandLine, world: World, profile: Profile
) -> tuple[Mapping[str, str], ...]:
    """Name the commands and skills that a prompt is expanded by."""
    return slash.expansions(prompt, line, profile, _place(world, profile))


def subcommand_call(line: CommandLine, world: World, profile: Profile, seed: int) -> int:
    """Run a subcommand and show what it says, in the format asked for where it has one."""
    if profile["subcommand-stdin"] == "read" and world.stdin.kind == "pipe":
        world.stdin.to_the_end()
    answered = subcommands.run(line, profile, _place(world, profile)._replace(seed=seed))
    asked = line.last("output-format") if answered.data is not None else None
    output = output_for(asked, world.out, world.err, tools_first=True)
    world.out(answered.progress)
    if answered.data is not None:
        command = Command(answered.name, answered.data)
        output.result(Result("", "SUCCESS", answered.response, Usage(), command=command))
    output.end(answered.ending)
    return answered.ending.exit


def _place(world: World, profile: Profile) -> Place:
    account, now = str(profile["account"]), world.clock.now()
    return Place(world.home, world.cwd, account, world.env, now, world.stdout_is_tty)
