"""Calls of a double of a chosen version, one after the other, and what came of them."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from fake_agy.profile.row import Value
from fake_agy.settings import DoubleSettings
from fake_agy.turns.moves import PlainMove
from tests.support.double import Answered, Double, make_double

CLOCK = "2026-09-01T12:00:00Z"


class Played(NamedTuple):
    """The answers to the calls, in order, and the double with what it kept."""

    answers: tuple[Answered, ...]
    double: Double

    @property
    def last(self) -> Answered:
        return self.answers[-1]

    def json(self) -> Mapping[str, Any]:
        """The one object that the last call printed."""
        value = json.loads(self.last.out)
        assert isinstance(value, dict)
        return value

    def events(self) -> list[Mapping[str, Any]]:
        """The events that the last call printed, one a line."""
        return [json.loads(line) for line in self.last.out.splitlines()]

    def rows(self, name: str = "transcript.jsonl") -> list[Mapping[str, Any]]:
        """The rows of the conversation made last."""
        return self.double.rows(self.double.newest_conversation(), name)


class Asked(NamedTuple):
    """One call; in `argv`, `{id}` is the conversation made last. `stdin` is what a pipe there holds."""

    argv: Sequence[str]
    stdin: bytes | None = None


def ask(*argv: str, stdin: bytes | None = None) -> Asked:
    """Write one call down."""
    return Asked(argv, stdin)


def play(
    folder: Path,
    version: str,
    *calls: Asked,
    turns: Sequence[tuple[PlainMove, ...]] = (),
    switches: Mapping[str, Value] | None = None,
) -> Played:
    """Play calls with a double of one version, clock frozen, in a HOME of its own below `folder`."""
    settings = DoubleSettings(
        agy_version=version, clock=CLOCK, turns=tuple(turns), switches=tuple((switches or {}).items())
    )
    double = make_double(folder / version, settings)
    answers: list[Answered] = []
    for each in calls:
        known = double.newest_conversation()
        argv = [word.replace("{id}", known).replace("{cwd}", str(double.cwd)) for word in each.argv]
        answers.append(double.call(*argv, stdin=each.stdin))
    return Played(tuple(answers), double)
