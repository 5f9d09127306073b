"""Which transcript is the current turn's: a pure choice among candidates, with a reason for each.

A client knows when it called agy and with what; what lies in the store was written by any turn of anybody.
The saved id is never enough: a turn may have gone to another conversation (stores.md 3.1, 3.2).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

SLACK = 1.0
"""Seconds by which a row's created_at lies before its step: it is cut to whole seconds (stores.md 2.2)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    """What the client knows: when the call began (seconds of the epoch), its prompt, the id it asked for.

    `named` is the conversation that agy itself named for this call: in its output, its log or by a file that
    its process holds open.
    """

    began: float
    prompt: str | None = None
    asked: str | None = None
    named: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """A conversation as it stands: its last USER_INPUT (text, seconds of the epoch) and its last growth."""

    conversation: str
    prompt: str | None = None
    prompted_at: float | None = None
    grew_at: float | None = None
    parent: str | None = None


class Verdict(NamedTuple):
    """Why a candidate is the turn's, or is not."""

    conversation: str
    reason: str


class Selection(NamedTuple):
    """The turn's conversation (None: it can't be told yet), why, and why no other."""

    conversation: str | None
    reason: str
    rejected: tuple[Verdict, ...]


def select(turn: Turn, candidates: Sequence[Candidate]) -> Selection:
    """Choose the conversation that this turn writes to."""
    rejected: list[Verdict] = []
    fresh: list[Candidate] = []
    for candidate in candidates:
        why = _not_this_turns(turn, candidate)
        if why is None:
            fresh.append(candidate)
        else:
            rejected.append(Verdict(candidate.conversation, why))
    chosen, reason = _chosen(turn, fresh)
    rejected += [
        Verdict(each.conversation, f"{chosen or 'none'} was chosen: {reason}")
        for each in fresh
        if each.conversation != chosen
    ]
    return Selection(chosen, reason, tuple(rejected))


def _not_this_turns(turn: Turn, candidate: Candidate) -> str | None:
    if candidate.conversation == turn.named:
        return None
    if turn.named is not None:
        return f"agy named {turn.named}"
    if candidate.parent is not None:
        return f"a subagent of {candidate.parent}"
    if candidate.grew_at is None or candidate.grew_at < turn.began - SLACK:
        return "it has not grown since the call began"
    if candidate.prompted_at is not None and candidate.prompted_at + SLACK <= turn.began:
        return "its last prompt is older than the call"
    if turn.prompt is not None and candidate.prompt is not None and not _same(turn.prompt, candidate.prompt):
        return "its last prompt is another"
    return None


def _chosen(turn: Turn, fresh: Sequence[Candidate]) -> tuple[str | None, str]:
    named = [each for each in fresh if each.conversation == turn.named]
    if named:
        return named[0].conversation, "agy named it for this call"
    if turn.named is not None:
        return None, f"agy named {turn.named}, which is not in the store yet"
    prompted = [each for each in fresh if each.prompt is not None]
    asked = [each for each in prompted if each.conversation == turn.asked]
    if asked:
        return asked[0].conversation, "it was asked for, and holds this turn's prompt"
    if len(prompted) == 1:
        why = "it alone holds this turn's prompt"
        if turn.asked is not None:
            why += f"; {turn.asked}, which was asked for, does not"
        return prompted[0].conversation, why
    if prompted:
        return None, f"{len(prompted)} conversations hold this prompt, and nothing tells them apart"
    return None, "no conversation holds this turn's prompt yet"


def _same(wanted: str, found: str) -> bool:
    return " ".join(wanted.split()) == " ".join(found.split())
