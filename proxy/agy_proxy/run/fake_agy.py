"""A double for one test: where it is, what finds it, and the calls it got."""

import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from agy_cassettes.errors import UserError
from agy_proxy.run.client import client_environment
from agy_proxy.run.noted_calls import NotedCall, noted_calls
from agy_proxy.run.shims import LOCAL_BIN
from fake_agy.double import write_double
from fake_agy.profile.row import Value
from fake_agy.settings import DoubleSettings
from fake_agy.turns.moves import PlainMove

Turns = Sequence[Sequence[PlainMove]]


@dataclass(slots=True)
class FakeAgy:
    """A double named ``agy`` at `path`, whose store lies below `home`.

    `env` is the environment for a client that is to find it: HOME, PATH and the variables that known clients
    read. `turns_allowed` is None where it may be asked as often as one likes.
    """

    path: Path
    home: Path
    env: dict[str, str]
    calls_file: Path
    turns_allowed: int | None = None
    forbidden_from: int | None = None

    @property
    def calls(self) -> tuple[NotedCall, ...]:
        """The calls so far, in the order in which they began."""
        return noted_calls(self.calls_file)

    def must_not_be_called(self) -> None:
        """From now on any call makes the test fail at its end; calls up to here are no fault."""
        self.forbidden_from = len(self.calls)

    def complaint(self) -> str | None:
        """What calls there were that should not have been; None where all is well."""
        calls, lines = self.calls, list[str]()
        if self.forbidden_from is not None and (wrong := calls[self.forbidden_from :]):
            lines.append(f"agy must not be called any more, and was, {_times(len(wrong))}:")
            lines.extend(f"  agy {shlex.join(call.argv)}" for call in wrong)
        turns = [call for call in calls if call.takes_turn]
        if self.turns_allowed is not None and (wrong := tuple(turns[self.turns_allowed :])):
            scripted = "1 turn is" if self.turns_allowed == 1 else f"{self.turns_allowed} turns are"
            lines.append(f"{scripted} scripted, and {len(turns)} were asked for; not expected:")
            lines.extend(f"  agy {shlex.join(call.argv)}" for call in wrong)
        return "\n".join(lines) or None


def make_fake_agy(
    folder: Path,
    env: Mapping[str, str],
    *,
    scenario: str | None = None,
    version: str | None = None,
    seed: int = 1,
    turns: Turns = (),
    switches: Mapping[str, Value] | None = None,
    strict: bool = False,
) -> FakeAgy:
    """Writes a double with a HOME of its own below `folder`, which is made.

    Raises `UserError` for a version, switch or move that there isn't, and for any scenario.
    """
    if scenario is not None:
        raise UserError(
            f"there is no scenario {scenario!r}, none come with this version; turns= scripts turns"
        )
    if isinstance(turns, str) or any(turn and isinstance(turn[0], str) for turn in turns):
        raise UserError("turns= is a list of turns, each a list of moves: [[('say', {'text': 'x'})]]")
    home, calls = folder / "home", folder / "calls"
    home.mkdir(parents=True)
    settings = DoubleSettings(
        agy_version=version or DoubleSettings().agy_version,
        seed=seed,
        home=str(home),
        calls=str(calls),
        switches=tuple((switches or {}).items()),
        turns=tuple(tuple(turn) for turn in turns),
    )
    path = write_double(folder / "bin", settings)
    write_double(home / LOCAL_BIN, settings)
    given = client_environment(env, shim=path, home=home, cassette=None)
    return FakeAgy(path, home, given, calls, turns_allowed=len(settings.turns) if strict else None)


def _times(number: int) -> str:
    return "once" if number == 1 else f"{number} times"
