"""One call that facts are read from, and what came of it."""

import re
from collections.abc import Mapping
from dataclasses import dataclass

from fake_agy.version import Version

CONVERSATION = "{conversation}"
"""Stands in a call's arguments for the id of an earlier call's conversation."""

LOG = "{log}"
"""Stands for the path of a log file of the call's own."""

_LOGGED = re.compile(
    r"(?:Print mode: conversation=|Created conversation |resuming conversation )([0-9a-f-]{36})"
)
"""In text mode the log alone tells the conversation (contract.md 2.9)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Call:
    """Arguments to try, from the version on that has them.

    `turn`: a turn is taken from the account. `account`: it needs one. `follows` names the call whose
    conversation it resumes. `limit` is in seconds; `stdin` None is the null device.
    """

    name: str
    argv: tuple[str, ...]
    since: Version = (1, 0, 0)
    stdin: bytes | None = None
    turn: bool = False
    account: bool = False
    follows: str | None = None
    limit: float = 20.0


@dataclass(frozen=True, slots=True)
class Answer:
    """How a call ended: its status (negative for a signal) and all it wrote. `log` is its log file."""

    exit: int
    out: str
    err: str
    log: str = ""


@dataclass(frozen=True, slots=True)
class NoAnswer:
    """A call that could not be made or did not end, and why."""

    why: str


Answers = Mapping[str, Answer | NoAnswer]
"""What came of each call, by its name."""


@dataclass(frozen=True, slots=True)
class Told:
    """The answers of one agy, and the version that it said when all calls were made."""

    answers: Answers
    version: str | None


def logged_conversation(answer: Answer) -> str | None:
    """The id of the conversation that the call's log names last."""
    found = _LOGGED.findall(answer.log)
    return found[-1] if found else None
