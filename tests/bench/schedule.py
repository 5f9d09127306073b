"""The order of one interleaved run: every measure has its rounds spread over the whole of it."""

from collections.abc import Iterator, Sequence
from typing import Protocol

from tests.bench.row import Row


class Measure(Protocol):
    """Something measured in `rounds` rounds of its own kind."""

    @property
    def rounds(self) -> int:
        """How many rounds it wants, at least one."""

    def run(self, number: int, /) -> None:
        """Measure once; rounds are numbered from 0."""

    def rows(self) -> Sequence[Row]:
        """What came out, after all rounds."""


def interleaved(measures: Sequence[Measure]) -> Iterator[tuple[Measure, int]]:
    """Every round of every measure, each measure's at even distances from the run's beginning to its end."""
    places = [
        ((number + 0.5) / measure.rounds, at, number)
        for at, measure in enumerate(measures)
        for number in range(measure.rounds)
    ]
    return ((measures[at], number) for _, at, number in sorted(places))
