"""Live bytes in the form a cassette stores: paths of this run as ``${HOME}`` and so on, in text only."""

import codecs
from collections.abc import Sequence
from typing import NamedTuple

from agy_cassettes.edits import Edit, apply
from agy_cassettes.interaction import Value
from agy_cassettes.places import Places, to_stored


class Stored(NamedTuple):
    """A stream in its stored form, with the edits that led there."""

    body: bytes
    edits: Sequence[Edit]


def stored(data: bytes, places: Places) -> Stored:
    """Return the stored form of what agy wrote."""
    edits = to_stored(data, places) if is_text(data) else []
    return Stored(apply(data, edits), edits)


def as_value(body: bytes) -> Value:
    """Return `str` where the bytes are UTF-8, else the bytes."""
    try:
        return body.decode()
    except UnicodeDecodeError:
        return body


def is_text(data: bytes) -> bool:
    """Whether this is UTF-8: paths are replaced only there, which the stored form shows to a replay."""
    decoder = codecs.getincrementaldecoder("utf-8")()
    step = 1 << 20
    try:
        for at in range(0, len(data), step):
            decoder.decode(data[at : at + step])
        decoder.decode(b"", final=True)
    except UnicodeDecodeError:
        return False
    return True
