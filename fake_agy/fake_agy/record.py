"""Frozen records that look like `typing.NamedTuple` but start faster.

The typing module alone takes longer to import than a double may take to answer. A module that runs in the
double takes its base class from here, and gives type checkers the real one:

    TYPE_CHECKING = False
    if TYPE_CHECKING:
        from typing import NamedTuple
    else:
        from fake_agy.record import NamedTuple
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any, Self


class _Record(tuple[object, ...]):
    """What every record can do; its fields are attributes of the class made for it."""

    __slots__ = ()
    _fields: tuple[str, ...] = ()
    _field_defaults: Mapping[str, object] = {}

    def __new__(cls, *given: object, **named: object) -> Self:
        fields = cls._fields
        if len(given) > len(fields):
            raise TypeError(f"{cls.__name__} takes {len(fields)} values, {len(given)} were given")
        values = list(given)
        for name in fields[len(given) :]:
            if name in named:
                values.append(named.pop(name))
            elif name in cls._field_defaults:
                values.append(cls._field_defaults[name])
            else:
                raise TypeError(f"{cls.__name__} lacks {name}")
        if named:
            raise TypeError(f"{cls.__name__} has no field for {', '.join(sorted(named))}")
        return tuple.__new__(cls, values)

    def _replace(self, **changed: object) -> Self:
        """Make a copy in which some fields have other values."""
        values = self._asdict() | changed
        return type(self)(**values)

    def _asdict(self) -> dict[str, object]:
        """Give the fields by name, in order."""
        return dict(zip(self._fields, self, strict=True))

    def __repr__(self) -> str:
        fields = ", ".join(f"{name}={value!r}" for name, value in self._asdict().items())
        return f"{type(self).__name__}({fields})"

    def __getnewargs__(self) -> tuple[object, ...]:
        return tuple(self)


class _Made(type):
    """Turns a class body of annotations and defaults into a subclass of `_Record`."""

    def __new__(cls, name: str, bases: tuple[type, ...], body: dict[str, Any]) -> Any:
        if not bases:
            return super().__new__(cls, name, bases, body)
        fields = tuple(body.get("__annotations__", ()))
        defaults = {field: body.pop(field) for field in fields if field in body}
        places = {field: property(_place(index)) for index, field in enumerate(fields)}
        made = {"__slots__": (), "__match_args__": fields, "_fields": fields, "_field_defaults": defaults}
        return type(name, (_Record,), body | places | made)


def _place(index: int) -> Any:
    def get(record: tuple[object, ...]) -> object:
        return tuple.__getitem__(record, index)

    return get


class NamedTuple(metaclass=_Made):
    """The base class to write down; what it makes is a tuple."""
