"""Why no recorded call answers a live one: the closest ones, and what differs.

Two texts of one miss: `full` for a file, a summary or a test's report, and `short` for the stderr of the
call, where clients look for words of their own. Both hold stored text only, in which secrets are redacted.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from agy_cassettes.client_words import alarming
from agy_cassettes.difference import argv_difference, common, common_tail, first_difference, quoted
from agy_cassettes.matchers import Outcome, Reason, same
from agy_cassettes.request_view import RequestView

SHORT_LINES = 10
RANKED_BY_PROMPT = 50


class Play(NamedTuple):
    """One time that a recorded call was played: by the shim with this pid, at this time of day."""

    pid: int
    at: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Miss:
    """A call without an answer: its number in the run from 1, and what it was compared with.

    `plays` has the times that each recorded call, by its index, was played.
    """

    number: int
    live: RequestView
    recorded: Sequence[RequestView]
    outcome: Outcome
    plays: Mapping[int, Sequence[Play]] = field(default_factory=dict)
    pid: int | None = None


def closest(miss: Miss, limit: int = 3) -> tuple[int, ...]:
    """Return the indexes of the recorded calls that are most like the live one, best first.

    Those that match but are used up come first, then those of the same kind with the fewest reasons, then
    those whose prompt is most alike.
    """
    reasons = miss.outcome.reasons
    ranked = sorted(range(len(reasons)), key=lambda index: _rank(reasons[index]))[:RANKED_BY_PROMPT]
    ranked.sort(key=lambda index: (_rank(reasons[index]), -_likeness(miss.live, miss.recorded[index])))
    return tuple(ranked[:limit])


def full(miss: Miss) -> str:
    """Return the whole explanation, ending in a line break."""
    by = "" if miss.pid is None else f" (pid {miss.pid})"
    if miss.outcome.match == "used_up":
        head = f"every recorded call that matches call {miss.number}{by} was played before"
        advice = (
            "each recorded call is played once: record the run again if it makes more calls now,"
            " or replay with --allow-repeats"
        )
    else:
        head = f"no recorded call matches call {miss.number}{by}"
        advice = "record the run again, or choose what has to be equal with --match-on"
    lines = [head, f"  asked: {_command(miss.live)}"]
    if miss.live.prompt is not None:
        lines.append(f"  prompt: {_size(miss.live.prompt)}")
    near = closest(miss)
    lines += ["", f"closest of {len(miss.recorded)} recorded:" if near else "nothing is recorded"]
    for index in near:
        lines += ["", *_closest(miss, index)]
    return "\n".join([*lines, "", advice]) + "\n"


def short(miss: Miss, details: str) -> str:
    """Return at most ten lines for the call's stderr; `details` is the path of the file that holds `full`.

    A line that a client may take for a message of agy's is left out.
    """
    used_up = miss.outcome.match == "used_up"
    what = "every recorded call that matches was played before" if used_up else "no recorded call matches"
    heads = (
        f"agy-proxy: {what} (call {miss.number}); details: {details}",
        f"agy-proxy: {what}; details: {details}",
        f"agy-proxy: {what}; details are in the summary of the run",
    )
    lines = [next(head for head in heads if head is heads[-1] or not alarming(head))]
    for index in closest(miss, 1):
        lines += [line for line in _short_body(miss, index) if not alarming(line)]
    return "\n".join(lines[:SHORT_LINES]) + "\n"


def _closest(miss: Miss, index: int) -> list[str]:
    recorded = miss.recorded[index]
    reasons = miss.outcome.reasons[index]
    names = ", ".join(dict.fromkeys(reason.what for reason in reasons))
    at = "" if recorded.at is None else f", recorded at {recorded.at}"
    lines = [f"{_name(miss, index)}{at}: {f'differs in {names}' if names else 'matches'}"]
    played = _played(miss, index)
    if played:
        lines.append(f"    {played}")
    for reason in reasons:
        lines += [f"    {line}" for line in _reason(reason)]
    difference = argv_difference(miss.live.argv, recorded.argv)
    if any(line.sign != "=" for line in difference):
        lines.append("    argv (- recorded, + asked):")
        lines += [f"      {line.sign.replace('=', ' ')} {quoted(line.word)}" for line in difference]
    return lines


def _reason(reason: Reason) -> list[str]:
    asked, recorded = reason.asked, reason.recorded
    if asked is None and recorded is None:
        # The argv difference tells; a user's own matcher may have nothing more to say.
        return [] if reason.what == "argv" else [reason.what]
    if reason.what in ("prompt", "stdin") and asked is not None and recorded is not None:
        difference = first_difference(same(asked) or "", same(recorded) or "")
        if difference is not None:
            return [
                f"{reason.what}: asked {_size(asked)}, recorded {_size(recorded)}; they part at"
                f" character {difference.offset + 1}, line {difference.line}:",
                f"  asked    {difference.asked}",
                f"  recorded {difference.recorded}",
            ]
    return [f"{reason.what}: asked {_value(asked)}, recorded {_value(recorded)}"]


def _short_body(miss: Miss, index: int) -> list[str]:
    played = _played(miss, index)
    lines = [f"  closest: {_name(miss, index)}{f'; {played}' if played else ''}"]
    for reason in miss.outcome.reasons[index]:
        what = {"conversation": "id", "continue": "latest"}.get(reason.what, reason.what)
        lines += [f"  {line}" for line in _reason(Reason(what, reason.asked, reason.recorded))]
    changed = argv_difference(miss.live.argv, miss.recorded[index].argv)
    return lines + [f"  argv {line.sign} {quoted(_plain(line.word))}" for line in changed if line.sign != "="]


def _plain(word: str) -> str:
    """A flag as the short text gives it: clients look for the word that agy has there."""
    name, equals, value = word.partition("=")
    return f"id{equals}{value}" if name.lstrip("-") == "conversation" and name != "conversation" else word


def _command(view: RequestView) -> str:
    return " ".join(["agy", *(quoted(word) for word in view.argv)])


def _name(miss: Miss, index: int) -> str:
    record = miss.recorded[index].id
    return f"#{index + 1}" if record is None else f"#{index + 1} {quoted(record)}"


def _played(miss: Miss, index: int) -> str:
    plays = miss.plays.get(index, ())
    if not plays:
        return ""
    times = "1 time" if len(plays) == 1 else f"{len(plays)} times"
    return f"played {times}, " + ", ".join(f"by pid {play.pid} at {play.at}" for play in plays[-3:])


def _rank(reasons: Sequence[Reason]) -> tuple[bool, int]:
    names = {reason.what for reason in reasons}
    return "kind" in names, len(names)


def _likeness(live: RequestView, recorded: RequestView) -> float:
    asked, kept = live.prompt, recorded.prompt
    if asked is None or kept is None:
        asked, kept = "\0".join(live.argv), "\0".join(recorded.argv)
    longest = max(len(asked), len(kept))
    if not longest:
        return 1.0
    start = common(asked, kept)
    return (start + common_tail(asked[start:], kept[start:])) / longest


def _value(text: str | None) -> str:
    return "none" if text is None else quoted(text)


def _size(text: str) -> str:
    return "1 character" if len(text) == 1 else f"{len(text)} characters"
