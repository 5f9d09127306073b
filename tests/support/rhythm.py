"""What appears when: lines on stdout and rows in a transcript, as recorded and as a replay gives them."""

import os
import select
import subprocess
import time
from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

from agy_cassettes.interaction import Body, Interaction
from fake_agy.settings import DoubleSettings

PROMISED = 0.010
"""Seconds between two events on different channels from which their order is kept."""

SAY = ("say", {"text": "First line.\nSecond line.\n"})
WAIT = ("wait", {"seconds": 0.6})
LISTED = ("use_tool", {"name": "list_dir", "args": {"DirectoryPath": "/"}, "output": "a\nb\n"})
FAILED = ("use_tool", {"name": "view_file", "args": {"AbsolutePath": "/x"}, "error": "no such file"})
ASKED = ("subagent", {"prompt": "look", "answer": "seen"})
LONG = ("say", {"text": "A long line of the answer, again and again. " * 200 + "\n", "thinking": "about it"})
TURNS = (
    (SAY,),
    (WAIT, SAY),
    (WAIT, LISTED, WAIT, SAY),
    (LISTED, WAIT, LISTED, WAIT, SAY),
    (FAILED, WAIT, SAY),
    (WAIT, ASKED, WAIT, SAY),
    (LONG,),
    (WAIT, LONG, WAIT),
    (LISTED, WAIT, LONG),
    (WAIT, SAY, WAIT, ("say", {"text": "And more.\n"})),
    (FAILED, WAIT, FAILED, WAIT, LISTED, SAY),
    (ASKED, WAIT, LISTED, WAIT, ("say", {"text": "Done.\n", "deltas": ("Do", "ne.\n")})),
)
"""Twelve turns of the double, each of another kind."""

FORMATS = ("text", "json", "stream-json")
SETTINGS = DoubleSettings(agy_version="1.2.10", speed=20.0, turns=TURNS)


class Mark(NamedTuple):
    """At `at` seconds there are `count` lines on stdout (``out``) or rows in the transcript (``row``)."""

    at: float
    what: str
    count: int  # type: ignore[assignment]  # nobody counts in a mark as in a tuple


def calls() -> list[tuple[str, ...]]:
    """The arguments of each turn's call."""
    return [
        ("--output-format", FORMATS[number % len(FORMATS)], "-p", f"turn {number}")
        for number in range(len(TURNS))
    ]


def recorded(interaction: Interaction, read: Callable[[Body], bytes]) -> list[Mark]:
    """The marks of a record, where a count has grown."""
    out, events = read(interaction.response.stdout), iter(interaction.files)
    at = taken = rows = 0
    marks: list[Mark] = []
    for tick in interaction.response.timing:
        at += tick.ms
        if tick.code in "om":
            taken += tick.count
            marks.append(Mark(at / 1000, "out", out[:taken].count(b"\n")))
        elif tick.code == "f":
            for _ in range(tick.count):
                event = next(events)
                if event.path.endswith("/logs/transcript.jsonl") and event.text is not None:
                    rows += read(event.text).count(b"\n")
                    marks.append(Mark(at / 1000, "row", rows))
    return _grown(marks)


def watched(
    argv: Sequence[str | Path], *, cwd: Path, env: Mapping[str, str], transcripts: Path
) -> list[Mark]:
    """The marks of a call that is running, by looking twice a millisecond; `transcripts` is the brain.

    What is seen in one look has one time, and a look goes on until both channels are still: else what was
    written between its two halves would seem to have come the other way round.
    """
    began = time.monotonic()
    marks: list[Mark] = []
    with subprocess.Popen(
        argv, cwd=cwd, env=env, stdout=subprocess.PIPE, stdin=subprocess.DEVNULL
    ) as running:
        assert running.stdout is not None
        stdout = running.stdout.fileno()
        lines, open_ = 0, True
        while open_ or running.poll() is None:
            at, more = time.monotonic() - began, True
            while more:
                found = transcripts.glob("*/.system_generated/logs/transcript.jsonl")
                marks.append(Mark(at, "row", sum(path.read_bytes().count(b"\n") for path in found)))
                more = open_ and bool(select.select([stdout], [], [], 0.0005)[0])
                if more:
                    piece = os.read(stdout, 1 << 16)
                    open_ = bool(piece)
                    lines += piece.count(b"\n")
                    marks.append(Mark(at, "out", lines))
    return _grown(marks)


def reordered(expected: Sequence[Mark], found: Sequence[Mark]) -> list[tuple[Mark, Mark]]:
    """Neighbours of different channels that were apart enough for a promise and came the other way round."""
    return [
        (one, other)
        for one, other in pairwise(expected)
        if one.what != other.what
        and other.at - one.at >= PROMISED
        and _when(found, one) > _when(found, other)
    ]


def gap_errors(expected: Sequence[Mark], found: Sequence[Mark]) -> list[float]:
    """By how many seconds the gaps between neighbours differ."""
    return [
        abs((_when(found, other) - _when(found, one)) - (other.at - one.at))
        for one, other in pairwise(expected)
    ]


def _when(marks: Sequence[Mark], wanted: Mark) -> float:
    return next(mark.at for mark in marks if mark.what == wanted.what and mark.count >= wanted.count)


def _grown(marks: Sequence[Mark]) -> list[Mark]:
    most = {"out": 0, "row": 0}
    kept = []
    for mark in marks:
        if mark.count > most[mark.what]:
            most[mark.what] = mark.count
            kept.append(mark)
    return kept
