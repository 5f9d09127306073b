"""Why a call was refused in the middle: what came in is not what was recorded. All texts are stored ones."""

import json
from dataclasses import dataclass
from typing import Literal

from agy_cassettes.client_words import alarming
from agy_cassettes.difference import first_difference, quoted
from agy_cassettes.matchers import same


@dataclass(frozen=True, slots=True, kw_only=True)
class Departure:
    """Input that departs from the recorded: `number` counts lines, or typed bytes, from 1.

    `what` is ``line``, ``end``, ``more`` or ``typed``, as in `play_process.DepartureError`.
    """

    what: Literal["line", "end", "more", "typed"]
    number: int
    asked: str
    recorded: str
    call: int
    interaction: str


def alike(asked: str, recorded: str) -> bool:
    """Whether two redacted lines are the same but for the numbers of placeholders and the way of JSON."""
    one, other = same(asked), same(recorded)
    if one is None or other is None:
        return False
    if one.rstrip("\n") == other.rstrip("\n"):
        return True
    try:
        return bool(json.loads(one) == json.loads(other))
    except ValueError:
        return False


def short_words(departure: Departure, details: str) -> str:
    """At most ten lines for the call's stderr, none of which a client takes for agy's."""
    head = f"agy-proxy: the input is not the recorded one (call {departure.call}); details: {details}"
    if alarming(head):
        head = "agy-proxy: the input is not the recorded one; details are in the summary of the run"
    return "\n".join([head, *(line for line in _body(departure) if not alarming(line))]) + "\n"


def full_words(departure: Departure) -> str:
    """The whole explanation, with both texts."""
    lines = [
        f"the input of call {departure.call} departs from interaction {departure.interaction}",
        *_body(departure),
        "",
        f"came in:  {_whole(departure.asked)}",
        f"recorded: {_whole(departure.recorded)}",
        "",
        "what came out was recorded for other input: record the run again",
    ]
    return "\n".join(lines) + "\n"


def _whole(text: str) -> str:
    return quoted(text, len(text)) if text else "nothing"


def _body(departure: Departure) -> list[str]:
    where = "byte" if departure.what == "typed" else "line"
    if departure.what == "end":
        return [f"  the input ended before this was read: {quoted(departure.recorded)}"]
    if departure.what == "more":
        return [f"  after the end of the recorded input came: {quoted(departure.asked)}"]
    difference = first_difference(departure.asked, departure.recorded)
    if difference is None or departure.what == "typed":
        return [
            f"  {where} {departure.number}:",
            f"    asked    {quoted(departure.asked)}",
            f"    recorded {quoted(departure.recorded)}",
        ]
    return [
        f"  {where} {departure.number} parts at character {difference.offset + 1}:",
        f"    asked    {difference.asked}",
        f"    recorded {difference.recorded}",
    ]
