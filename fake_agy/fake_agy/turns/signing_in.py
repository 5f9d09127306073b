"""A call of somebody who is not signed in (contract.md 2.7)."""

from __future__ import annotations

from fake_agy.turns.account import signed_out

TYPE_CHECKING = False
if TYPE_CHECKING:
    from fake_agy.turns.stage import Stage


def refuse(stage: Stage) -> int:
    """Say how to sign in, wait for it as long as the version does, and end the call; its exit status."""
    from fake_agy.turns.print_mode import nothing_taken

    world, output = stage.world, stage.output
    plan = signed_out(stage.profile, stdin_kind=world.stdin.kind, argv0=world.program)
    output.err(plan.early_err)
    if plan.early_out:
        world.out(plan.early_out)
    world.clock.wait(plan.wait)
    if plan.ending.error is not None:
        output.result(nothing_taken(plan.ending))
    output.end(plan.ending)
    for level, place, text in plan.ending.log:
        stage.log.write(place, text, level)
    return plan.ending.exit
