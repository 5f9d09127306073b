"""Live bytes in the form a cassette stores: paths of this run as ``${HOME}`` and so on, in text only."""

import codecs
from collections.abc import Sequence
from typing import NamedTuple

from agy_cassettes.edits import Edit, apply
from agy_cassettes.interaction import Value
from agy_cassettes.places import Places, to_stored

PROMPT = b"${PROMPT}"


class Stored(NamedTuple):
    """A stream in its stored form, with the edits that led there."""

    body: bytes
    edits: Sequence[Edit]


def stored(data: bytes, places: Places, *, argument: bool = False) -> Stored:
    """Return the stored form; `argument` is for argv items and stdin, where ``${PROMPT}`` has a meaning."""
    edits = to_stored(data, places, prompt=argument) if is_text(data) else []
    return Stored(apply(data, edits), edits)


def stored_stdin(data: bytes, prompt: bytes | None, places: Places) -> Stored:
    """Return the stored form of stdin, which is ``${PROMPT}`` where it is nothing but the prompt."""
    if data and data == prompt:
        return Stored(PROMPT, [(0, len(data), PROMPT)])
    return stored(data, places, argument=True)


def stored_value(data: bytes, places: Places, *, argument: bool = False) -> Value:
    """Return an argument or a prompt in its stored form."""
    return as_value(stored(data, places, argument=argument).body)


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
