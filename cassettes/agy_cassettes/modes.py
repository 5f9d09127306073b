"""Record modes: whether a call is played, recorded, passed through or refused, as one table.

The shim may load this module, so it imports nothing; its types exist for type checkers only.
"""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Container, Mapping, Sequence
    from typing import Literal

    Mode = Literal["none", "once", "new_episodes", "all", "rewrite", "passthrough"]
    Match = Literal["hit", "used_up", "none"]
    Decision = Literal["play", "record", "pass_through", "refuse"]

MODES: "tuple[Mode, ...]" = ("none", "once", "new_episodes", "all", "rewrite", "passthrough")
MATCHES: "tuple[Match, ...]" = ("hit", "used_up", "none")

_TABLE: "dict[tuple[Mode, bool], tuple[Decision, Decision, Decision]]" = {
    # mode, whether the cassette existed: hit, used_up, none
    ("none", False): ("play", "refuse", "refuse"),
    ("none", True): ("play", "refuse", "refuse"),
    ("once", False): ("record", "record", "record"),
    ("once", True): ("play", "refuse", "refuse"),
    ("new_episodes", False): ("play", "record", "record"),
    ("new_episodes", True): ("play", "record", "record"),
    ("all", False): ("record", "record", "record"),
    ("all", True): ("record", "record", "record"),
    ("rewrite", False): ("record", "record", "record"),
    ("rewrite", True): ("record", "record", "record"),
    ("passthrough", False): ("pass_through", "pass_through", "pass_through"),
    ("passthrough", True): ("pass_through", "pass_through", "pass_through"),
}


def decide(mode: "Mode", *, existed: bool, match: "Match", allow_repeats: bool = False) -> "Decision":
    """Return what happens to a call in a run of this mode, given how the cassette answers to it.

    `existed` tells whether the cassette was there when the run began. `allow_repeats` turns ``used_up``
    into a ``hit``.
    """
    if allow_repeats and match == "used_up":
        match = "hit"
    return _TABLE[mode, existed][MATCHES.index(match)]


def possible(mode: "Mode", *, existed: bool) -> "frozenset[Decision]":
    """Return all that can happen to a call in a run of this mode."""
    return frozenset(_TABLE[mode, existed])


def choose(
    matching: "Sequence[int]",
    played: "Mapping[int, int]",
    free: "Container[int]" = (),
    *,
    allow_repeats: bool = False,
) -> int | None:
    """Return which of the recorded calls that match is played now, or None if they are used up.

    `matching` is in recorded order and `played` says how often each was played. The first that was not played
    is next. Then the last one that repeats freely (is in `free`) goes on answering, or with `allow_repeats`
    the last of all.
    """
    for index in matching:
        if not played.get(index):
            return index
    for index in reversed(matching):
        if allow_repeats or index in free:
            return index
    return None
