"""The wire format of protocol buffers, as far as agy's blobs need it: no schema, fields by number."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    Field = tuple[int, "int | bytes | str | Message | None"]
    Message = list[Field]
    Fields = dict[int, list[int | bytes]]

_VARINT, _FIXED64, _LENGTH, _FIXED32 = 0, 1, 2, 5


def encode(message: Message) -> bytes:
    """Write fields in the order given: numbers as varints, bytes, text and messages with their length.

    A field whose value is None is left out.
    """
    parts = []
    for number, value in message:
        if value is None:
            continue
        if isinstance(value, int):
            parts.append(_varint(number << 3 | _VARINT) + _varint(value))
            continue
        if isinstance(value, str):
            data = value.encode(errors="replace")
        elif isinstance(value, bytes):
            data = value
        else:
            data = encode(value)
        parts.append(_varint(number << 3 | _LENGTH) + _varint(len(data)) + data)
    return b"".join(parts)


def decode(data: bytes) -> Fields:
    """Read one message, the values of each field in order; `ValueError` where it is none."""
    fields: Fields = {}
    for number, _, value in fields_of(data):
        fields.setdefault(number, []).append(value)
    return fields


def fields_of(data: bytes) -> Iterable[tuple[int, int, int | bytes]]:
    """Give number, wire type and value of each field in order; `ValueError` as `decode`."""
    place = 0
    while place < len(data):
        tag, place = _read_varint(data, place)
        number, kind = tag >> 3, tag & 7
        value: int | bytes
        if kind == _VARINT:
            value, place = _read_varint(data, place)
        elif kind in {_LENGTH, _FIXED64, _FIXED32}:
            if kind == _LENGTH:
                size, place = _read_varint(data, place)
            else:
                size = 8 if kind == _FIXED64 else 4
            value = data[place : place + size]
            place += size
            if place > len(data):
                raise ValueError("a protobuf field is cut off")
        else:
            raise ValueError(f"protobuf has no wire type {kind}")
        yield number, kind, value


def with_number(data: bytes, number: int, value: int) -> bytes:
    """Write a message again with another number in one of its fields."""
    parts = []
    for each, kind, old in fields_of(data):
        if each == number and kind == _VARINT:
            parts.append(encode([(number, value)]))
        elif isinstance(old, int) or kind == _LENGTH:
            parts.append(encode([(each, old)]))
        else:
            parts.append(_varint(each << 3 | kind) + old)
    return b"".join(parts)


def text_at(data: bytes, *path: int) -> str | None:
    """Follow field numbers into messages to the last value there, as text; None if it is absent."""
    value: int | bytes = data
    for number in path:
        values = decode(value).get(number) if isinstance(value, bytes) else None
        if not values:
            return None
        value = values[-1]
    return value.decode(errors="replace") if isinstance(value, bytes) else str(value)


def number_at(data: bytes, *path: int) -> int:
    """Follow field numbers into messages and give the number there, 0 if it is absent."""
    value: int | bytes = data
    for number in path:
        values = decode(value).get(number) if isinstance(value, bytes) else None
        if not values:
            return 0
        value = values[-1]
    return value if isinstance(value, int) else 0


def timestamp(seconds: float) -> Message:
    """Make a timestamp: whole seconds since the epoch, and nanoseconds."""
    whole = int(seconds // 1)
    return [(1, whole), (2, round((seconds - whole) * 1e9) or None)]


def duration(seconds: float) -> Message | None:
    """Make a span of time: whole seconds and nanoseconds, each where there are any; None for no time."""
    count = round(seconds * 1e9)
    if count <= 0:
        return None
    return [(1, count // 1_000_000_000 or None), (2, count % 1_000_000_000 or None)]


def _varint(value: int) -> bytes:
    value &= (1 << 64) - 1
    written = bytearray()
    while value > 0x7F:
        written.append(value & 0x7F | 0x80)
        value >>= 7
    written.append(value)
    return bytes(written)


def _read_varint(data: bytes, place: int) -> tuple[int, int]:
    value = shift = 0
    while True:
        if place >= len(data) or shift > 63:
            raise ValueError("a protobuf number is cut off")
        byte = data[place]
        place += 1
        value |= (byte & 0x7F) << shift
        if not byte & 0x80:
            return value, place
        shift += 7
