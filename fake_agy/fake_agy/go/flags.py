"""Command lines read as Go's flag package reads them (contract.md 1.1)."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Literal, NamedTuple

    Kind = Literal["bool", "text", "duration"]
else:
    from fake_agy.record import NamedTuple

TRUE = frozenset({"1", "t", "T", "TRUE", "true", "True"})
FALSE = frozenset({"0", "f", "F", "FALSE", "false", "False"})


class BadFlag(Exception):  # noqa: N818 - the name says what is wrong
    """A command line that can't be read; the message is Go's."""


class Given(NamedTuple):
    """One flag as it was given, under the name that was typed."""

    name: str
    value: str
    attached: bool
    """The value stood behind ``=``, or there was none."""


class Parsed(NamedTuple):
    """A command line taken apart: its flags in order, and the words from the first that is no flag on."""

    given: tuple[Given, ...]
    rest: tuple[str, ...] = ()
    help_asked: bool = False
    """``-h`` or ``--help`` stood where a flag may; what follows it was not looked at."""


def parse_flags(argv: Sequence[str], kinds: Mapping[str, Kind]) -> Parsed:
    """Take words apart by the kinds of the flags there are; `BadFlag` at the first that can't be read."""
    given: list[Given] = []
    waiting = list(argv)
    while waiting and is_flag(waiting[0]):
        token = waiting.pop(0)
        if token == "--":
            break
        name, equals, value = token.removeprefix("-").removeprefix("-").partition("=")
        if not name or name.startswith("-"):
            raise BadFlag(f"bad flag syntax: {token}")
        if name in {"h", "help"} and name not in kinds:
            return Parsed(tuple(given), tuple(waiting), help_asked=True)
        kind = kinds.get(name)
        if kind is None:
            raise BadFlag(f"flags provided but not defined: -{name}")
        attached = bool(equals)
        if not equals:
            if kind == "bool":
                value, attached = "true", True
            elif waiting:
                value = waiting.pop(0)
            else:
                raise BadFlag(f"flag needs an argument: -{name}")
        _check(kind, name, value)
        given.append(Given(name, value, attached))
    return Parsed(tuple(given), tuple(waiting))


def is_flag(word: str) -> bool:
    """Say whether a word is read as a flag; a lone hyphen isn't."""
    return word.startswith("-") and word != "-"


def _check(kind: Kind, name: str, value: str) -> None:
    if kind == "bool" and value not in TRUE and value not in FALSE:
        # Two spaces: so captured (contract.md 1.5).
        raise BadFlag(
            f'invalid boolean value "{value}" for  -{name}: '
            f'strconv.ParseBool: parsing "{value}": invalid syntax'
        )
    if kind == "duration":
        from fake_agy.go.duration import parse_duration  # few calls set a time limit

        try:
            parse_duration(value)
        except ValueError as wrong:
            raise BadFlag(f'invalid value "{value}" for flag -{name}: {wrong}') from None
