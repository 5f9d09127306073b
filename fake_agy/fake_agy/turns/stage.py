"""What a turn plays on: the call's wishes, the store, the streams, the log."""

from __future__ import annotations

from fake_agy.turns.ending import Ending

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import NamedTuple

    from fake_agy.output.output import Output
    from fake_agy.profile.resolve import Profile
    from fake_agy.settings import DoubleSettings
    from fake_agy.stores.layout import Layout
    from fake_agy.stores.log import Log
    from fake_agy.turns.schema import Schema
    from fake_agy.world import World
else:
    from fake_agy.record import NamedTuple


class Request(NamedTuple):
    """What a call asks for, beside its prompt; `model` is a slug, `label` its name for people."""

    conversation: str | None = None
    continued: bool = False
    model: str = ""
    label: str = ""
    model_asked: bool = False
    agent: str | None = None
    mode: str | None = None
    """accept-edits or plan, None where there is none or where the version doesn't heed it."""

    skip_permissions: bool = False
    sandboxed: bool = False
    add_dirs: tuple[str, ...] = ()
    project: str = "default-cli-project"
    new_project: bool = False
    """The conversation belongs to a project that is made for it."""

    timeout: str | None = None
    streamed: bool = False
    """Prompts come as a stream of messages."""

    on_screen: bool = False
    """The turn is played in a terminal session, where somebody is there to be asked."""

    schema: Schema | None = None
    expanded: Sequence[Mapping[str, str]] = ()
    """The commands and skills that the prompt is expanded by (contract.md 1.7)."""


class Stage(NamedTuple):
    """Where a call's turns are played; `pid` and `port` are those that the log and children are told."""

    request: Request
    profile: Profile
    settings: DoubleSettings
    layout: Layout
    world: World
    output: Output
    log: Log
    pid: int
    port: int

    def in_its_project(self) -> Stage:
        """Make the project where the call asks for a new one, and give the stage of a turn in it."""
        if not self.request.new_project:
            return self
        from fake_agy.stores.files import locked  # few calls ask for one
        from fake_agy.stores.projects import make_project

        with locked(self.layout):
            made = make_project(self.layout, self.settings.seed, self.world.cwd)
        return self._replace(request=self.request._replace(project=made, new_project=False))

    def on(self, state: str) -> None:
        """Note what the process is doing now, which decides what a signal does."""
        turning = self.request.streamed and state in {"thinking", "tool"}
        self.world.interrupts.state = "stream-turn" if turning else state

    def passes(self, number: int) -> bool:
        """Say whether a signal is ignored in the present state."""
        return self._on_signal(number) == "ignore"

    def ending_at(self, number: int) -> Ending:
        """Say how the call ends by a signal."""
        ending = self._on_signal(number)
        return Ending(exit=1) if isinstance(ending, str) else ending

    def _on_signal(self, number: int) -> Ending | str:
        from fake_agy.turns.interrupted import on_signal  # signals are rare

        return on_signal(number, self.world.interrupts.state, self.profile, self.output.format)
