"""One behaviour of agy and how it changed: the shape of the table's rows."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Literal, NamedTuple

    from fake_agy.version import Version

    Sure = Literal[
        "captured", "reported by 1", "reported by 2", "reported by 3 or more", "inferred", "contradicted"
    ]
else:
    from fake_agy.record import NamedTuple

Value = str | bool | int


class Row(NamedTuple):
    """What a behaviour is from one version on, until the next row's version.

    `sure` is how well the value is known where it was seen; `since` may lie before the first version that
    anybody looked at, where nothing speaks for a change in between.
    """

    since: Version
    value: Value
    sure: Sure
    source: str
    """The section of docs/reference/agy, then the public sources by their short names."""


class Behaviour(NamedTuple):
    """A behaviour that some versions have otherwise than others, or that reports contradict each other on.

    `rows` are ordered by version and begin at 1.0.0, so that every version has exactly one of them. `others`
    are values that no version has by itself and that a switch may ask for.
    """

    name: str
    about: str
    rows: tuple[Row, ...]
    others: tuple[Value, ...] = ()

    @property
    def values(self) -> tuple[Value, ...]:
        """Every value a switch may ask for, each once."""
        return tuple(dict.fromkeys([*(row.value for row in self.rows), *self.others]))

    def at(self, version: Version) -> Row:
        """Give the row that holds for a version."""
        return [row for row in self.rows if row.since <= version][-1]

    def until(self, row: Row) -> Version | None:
        """Give the first version for which `row` no longer holds, None where it still does."""
        later = [other.since for other in self.rows if other.since > row.since]
        return min(later, default=None)
