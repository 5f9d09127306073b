"""One line of the table: what was measured, what came out, and what it is held to."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal, NamedTuple

Unit = Literal["x", "ms", "calls", "records", "pairs"]


class Bound(NamedTuple):
    """What a figure is held to."""

    limit: float
    at_least: bool = False

    def holds(self, figure: float) -> bool:
        """Whether the figure is within; one that is no number is not."""
        return figure >= self.limit if self.at_least else figure <= self.limit


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """A figure in `unit` (``x`` is a ratio); a row without a bound is there to be compared with."""

    what: str
    figure: float
    unit: Unit
    bound: Bound | None = None
    detail: str = ""

    @property
    def ok(self) -> bool:
        """Whether the bound holds."""
        return self.bound is None or self.bound.holds(self.figure)


def at_most(limit: float) -> Bound:
    """A bound from above, itself allowed."""
    return Bound(limit)


def at_least(limit: float) -> Bound:
    """A bound from below, itself allowed."""
    return Bound(limit, at_least=True)


def missed(rows: Iterable[Row]) -> tuple[Row, ...]:
    """The rows whose bound does not hold."""
    return tuple(row for row in rows if not row.ok)
