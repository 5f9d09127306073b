"""Matchers: they compare a live request with a recorded one and tell what differs.

A matcher takes ``(live, recorded)``, both a `RequestView`, and returns a `Reason`, or its mere name, for
each thing that differs; none means that they match. Numbers in placeholders such as ``REDACTED-token-1``
never count.
"""

import functools
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from agy_cassettes.call import Call
from agy_cassettes.errors import UserError
from agy_cassettes.modes import choose
from agy_cassettes.request_view import RequestView


@dataclass(frozen=True, slots=True)
class Reason:
    """One thing that differs: its name, and the two values where there are such."""

    what: str
    asked: str | None = None
    recorded: str | None = None


Matcher = Callable[[RequestView, RequestView], Sequence[Reason | str]]
Named = tuple[str, Matcher]


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a cassette answers: the index to play for a hit, else the matching ones that are used up.

    `reasons` has an entry for each recorded request, empty where it matches; for a hit it has none.
    """

    match: Literal["hit", "used_up", "none"]
    hit: int | None = None
    used_up: tuple[int, ...] = ()
    reasons: tuple[tuple[Reason, ...], ...] = ()


def find_match(
    live: RequestView,
    recorded: Sequence[RequestView],
    match_on: Sequence[Named],
    played: Mapping[int, int],
    *,
    allow_repeats: bool = False,
) -> Outcome:
    """Return what the recorded requests answer to a live one, each to be played once in recorded order.

    `played` says how often each was. Calls that cost no turn repeat freely, the last of them for ever; so
    does any with `allow_repeats`.
    """
    matching: list[int] = []
    for index, each in enumerate(recorded):
        # One matcher that differs is enough here: what all of them say is for a miss, which is rare.
        if any(compare(live, each, [named]) for named in match_on):
            continue
        matching.append(index)
        if not played.get(index):
            break
    free = {index for index in matching if recorded[index].free}
    hit = choose(matching, played, free, allow_repeats=allow_repeats)
    if hit is not None:
        return Outcome("hit", hit)
    reasons = tuple(compare(live, each, match_on) for each in recorded)
    return Outcome("used_up" if matching else "none", None, tuple(matching), reasons)


def compare(live: RequestView, recorded: RequestView, match_on: Sequence[Named]) -> tuple[Reason, ...]:
    """Return all that differs between two requests.

    Raises UserError for a matcher that returns anything but reasons, such as a bare bool.
    """
    found: list[Reason] = []
    for name, matcher in match_on:
        reasons: object = matcher(live, recorded)
        if not isinstance(reasons, list | tuple):
            raise UserError(_no_reasons(name, reasons))
        for reason in reasons:
            if not isinstance(reason, Reason | str):
                raise UserError(_no_reasons(name, reason))
            found.append(Reason(reason) if isinstance(reason, str) else reason)
    return tuple(found)


def same(text: str | None) -> str | None:
    """Return a text with the numbers of its placeholders left out: they differ from run to run."""
    if text is None or "REDACTED-" not in text:
        return text
    return _PLACEHOLDER.sub(r"\1-0", text)


@functools.lru_cache(maxsize=16)
def normalized(text: str) -> str:
    """Return a text with UUIDs, times, hashes and temporary paths masked: prompts are full of such."""
    for pattern, mask in _MASKS:
        text = pattern.sub(mask, text)
    return text


def _kind(live: RequestView, recorded: RequestView) -> list[Reason]:
    return [
        *_differing("kind", live.call.kind, recorded.call.kind),
        *_differing("problems", _problems(live.call), _problems(recorded.call)),
    ]


def _prompt(live: RequestView, recorded: RequestView) -> list[Reason]:
    if not _both_turns(live, recorded):
        return _argv(live, recorded)
    return _differing("prompt", live.prompt, recorded.prompt)


def _prompt_normalized(live: RequestView, recorded: RequestView) -> list[Reason]:
    if not _both_turns(live, recorded):
        return _argv(live, recorded)
    asked, kept = (None if text is None else normalized(text) for text in (live.prompt, recorded.prompt))
    return _differing("prompt", asked, kept)


def _conversation(live: RequestView, recorded: RequestView) -> list[Reason]:
    if not _both_turns(live, recorded):
        return []
    return [
        *_differing("conversation", live.call.conversation, recorded.call.conversation),
        *_differing("continue", _continued(live.call), _continued(recorded.call)),
    ]


def _output_format(live: RequestView, recorded: RequestView) -> list[Reason]:
    if not _both_turns(live, recorded):
        return []
    asked, kept = (call.output_format or "text" for call in (live.call, recorded.call))
    return _differing("output_format", asked, kept)


def _input_format(live: RequestView, recorded: RequestView) -> list[Reason]:
    if not _both_turns(live, recorded):
        return []
    asked, kept = (call.input_format or "text" for call in (live.call, recorded.call))
    return _differing("input_format", asked, kept)


def _argv(live: RequestView, recorded: RequestView) -> list[Reason]:
    if [same(word) for word in live.argv] == [same(word) for word in recorded.argv]:
        return []
    return [Reason("argv")]


def _model(live: RequestView, recorded: RequestView) -> list[Reason]:
    return _differing("model", live.call.model, recorded.call.model)


def _cwd(live: RequestView, recorded: RequestView) -> list[Reason]:
    return _differing("cwd", live.cwd, recorded.cwd)


def _add_dirs(live: RequestView, recorded: RequestView) -> list[Reason]:
    if [same(path) for path in live.call.add_dirs] == [same(path) for path in recorded.call.add_dirs]:
        return []
    return [Reason("add_dirs", ", ".join(live.call.add_dirs), ", ".join(recorded.call.add_dirs))]


def _stdin(live: RequestView, recorded: RequestView) -> list[Reason]:
    return _differing("stdin", live.stdin, recorded.stdin)


def _turn(live: RequestView, recorded: RequestView) -> list[Reason]:
    if not _both_turns(live, recorded):
        return []
    if live.turn is None or live.turn != recorded.turn:
        return [Reason("turn", _position(live.turn), _position(recorded.turn))]
    return []


MATCHERS: Mapping[str, Matcher] = {
    "kind": _kind,
    "prompt": _prompt,
    "conversation": _conversation,
    "output_format": _output_format,
    "input_format": _input_format,
    "argv": _argv,
    "model": _model,
    "cwd": _cwd,
    "add_dirs": _add_dirs,
    "stdin": _stdin,
    "prompt_normalized": _prompt_normalized,
    "turn": _turn,
}
"""The built-in matchers. Calls that are no turns have no prompt: their argv is compared instead."""

DEFAULT_MATCH_ON = ("kind", "prompt", "conversation", "output_format", "input_format")
"""What identifies a turn."""

_PLACEHOLDER = re.compile(
    r"(REDACTED(?:-(?=[0-9]*[A-Za-z])(?:(?!REDACTED)[A-Za-z0-9])+)+?)-[0-9]+(?=REDACTED|[^A-Za-z0-9]|\Z)"
)

_MASKS = (
    (re.compile(r"\b[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}\b"), "<uuid>"),
    (re.compile(r"(?:\$\{TMP\}|/tmp|/var/tmp|(?:/private)?/var/folders)/[^\s\"'`<>|;,)\]}]+"), "<path>"),
    (
        re.compile(
            r"\b[0-9]{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:[.,]\d+)?)?(?: ?Z\b|[+-]\d\d:?\d\d)?)?"
            r"|\b[0-9]{1,2}:\d\d:\d\d(?:[.,]\d+)?\b"
            r"|\b1\d{9}(?:\d{3}|\.\d+)?\b"
        ),
        "<time>",
    ),
    (re.compile(r"\b(?:[a-f]+[0-9]|[0-9]+[a-f])[0-9a-f]*\b(?<=[0-9a-f]{7})"), "<hash>"),
)


def _both_turns(live: RequestView, recorded: RequestView) -> bool:
    return live.call.kind == recorded.call.kind == "turn"


def _differing(what: str, asked: str | None, recorded: str | None) -> list[Reason]:
    return [] if same(asked) == same(recorded) else [Reason(what, asked, recorded)]


def _problems(call: Call) -> str | None:
    texts = (" ".join(part for part in problem if part is not None) for problem in call.problems)
    return ", ".join(texts) or None


def _continued(call: Call) -> str:
    return "yes" if call.continue_ else "no"


def _position(turn: int | None) -> str:
    return "unknown" if turn is None else str(turn)


def _no_reasons(name: str, returned: object) -> str:
    return (
        f"the matcher {name!r} returned {returned!r}; it has to return a list of what differs, as strings"
        " or as agy_cassettes.matchers.Reason, empty where the requests match"
    )
