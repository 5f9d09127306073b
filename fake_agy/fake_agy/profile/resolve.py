"""From a version and the switches asked for to one full set of behaviours."""

from __future__ import annotations

from fake_agy.profile.table import BEHAVIOURS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from fake_agy.profile.row import Value
    from fake_agy.version import Version

NEWEST_KNOWN: Version = (1, 3, 3)
"""The newest version whose changelog is known; later ones are assumed to behave as it does."""

REFERENCE: Version = (1, 1, 18)
"""The version whose behaviour was captured most fully."""


class Profile:
    """How one version behaves, switches applied; `values` holds every behaviour of the table."""

    __slots__ = ("assumed", "values", "version")

    def __init__(self, version: Version, values: Mapping[str, Value], *, assumed: bool = False) -> None:
        self.version = version
        self.values = values
        self.assumed = assumed

    def __getitem__(self, name: str) -> Value:
        return self.values[name]


def profile_of(version: Version, switches: Iterable[tuple[str, Value]] = ()) -> Profile:
    """Resolve a version; a version after `NEWEST_KNOWN` has that one's behaviours and is `assumed`.

    `ValueError`, with the choices there are, for a switch or a value that the table doesn't have.
    """
    asked = dict(switches)
    counted = min(version, NEWEST_KNOWN)
    values = {}
    for behaviour in BEHAVIOURS:
        if behaviour.name in asked:
            values[behaviour.name] = _choice(behaviour.name, asked.pop(behaviour.name), behaviour.values)
        else:
            values[behaviour.name] = behaviour.at(counted).value
    if asked:
        unknown = ", ".join(sorted(asked))
        raise ValueError(f"no behaviour is named {unknown}; `fake-agy profile` lists them all")
    return Profile(version, values, assumed=version > NEWEST_KNOWN)


def read_switch(text: str) -> tuple[str, Value]:
    """Read ``NAME=VALUE`` as it is typed; `ValueError` as `profile_of`, or where there is no ``=``."""
    name, equals, typed = text.partition("=")
    if not equals:
        raise ValueError(f"{text!r} is not NAME=VALUE")
    for behaviour in BEHAVIOURS:
        if behaviour.name == name:
            by_text = {as_text(value): value for value in behaviour.values}
            return name, _choice(name, by_text.get(typed, typed), behaviour.values)
    raise ValueError(f"no behaviour is named {name}; `fake-agy profile` lists them all")


def as_text(value: Value) -> str:
    """Write a value as it is typed in a switch."""
    return str(value).lower() if isinstance(value, bool) else str(value)


def _choice(name: str, value: Value, values: tuple[Value, ...]) -> Value:
    for known in values:
        if known == value and type(known) is type(value):
            return known
    choices = ", ".join(map(as_text, values))
    raise ValueError(f"{name} can't be {as_text(value)!r}; it is one of {choices}")
