"""A cassette's records as lines for people."""

import json
import re
import textwrap
from collections.abc import Iterable, Iterator
from dataclasses import replace

from agy_cassettes.interaction import FileEvent, Interaction, Mark, Sidecar
from agy_proxy.report.shape import as_text, body_size, call_of
from agy_proxy.report.timeline import Moment, duration, ending, moments
from agy_proxy.report.visible import visible

Piece = str | tuple[str, str]
"""A part of a line: text, or text and the style it has on a terminal (``bold``, ``dim``, ``red``...)."""

Line = tuple[Piece, ...]

BRIEF = 12
"""Lines of one moment that are shown unless everything is asked for."""

ROW = 160
"""Characters of one transcript row that are shown unless everything is asked for."""

PAGE = 110
"""Characters of a line into which notes are wrapped; what was recorded never is."""

INDENT = " " * 22

AT_ONCE = 0.05
"""Seconds after the exit within which it says nothing new that the last stream closed."""

LOGS = "/.system_generated/logs/"
REQUEST = re.compile(r"<USER_REQUEST>\n(.*?)\n</USER_REQUEST>", re.DOTALL)
"""What a row of a transcript puts around the prompt (stores.md 2.3)."""


def interaction_lines(number: int, interaction: Interaction, *, whole: bool) -> Iterator[Line]:
    """One interaction: a heading, what was asked, then the moments; bodies are bytes unless not `whole`.

    Without `whole` long output is cut, and the line that says so tells how to see the rest.
    """
    recorded, request = interaction.recorded, interaction.request
    call = call_of(interaction)
    good = interaction.response.exit.code == 0
    yield (
        (f"{number}. {interaction.id}", "bold"),
        f"  {call.kind}  {recorded.at}  agy {visible(recorded.agy or 'unknown')}  ",
        (ending(interaction.response.exit), "green" if good else "red"),
        f" after {duration(interaction):.3f} s",
    )
    for fact in _facts(interaction):
        yield ("   ", (fact, "yellow"))
    for note in _notes(interaction):
        yield from _labelled("note", wrapped(note), None)
    if request.prompt is not None:
        yield from _labelled("asked", visible(request.prompt), None if whole else BRIEF)
    yield from _labelled("argv", " ".join(visible(as_text(word)) for word in request.argv), None)
    told = moments(interaction) if whole else _without_echoes(moments(interaction))
    for moment in told:
        yield from _moment(moment, None if whole else BRIEF, None if whole else ROW)


def mark_lines(number: int, mark: Mark) -> Iterator[Line]:
    """A mark: its kind and its note."""
    yield ((f"{number}. {mark.id}", "bold"), f"  mark {visible(mark.mark)}  {mark.recorded.at}")
    if mark.note is not None:
        yield from _labelled("note", wrapped(visible(mark.note)), None)


def wrapped(note: str) -> str:
    """The note in lines that fit beside their label."""
    return "\n".join(textwrap.fill(line, PAGE - len(INDENT)) for line in note.splitlines())


def _facts(interaction: Interaction) -> Iterator[str]:
    """What a reader should know of the record before its content."""
    recorded = interaction.recorded
    if recorded.origin == "invented":
        yield "invented: no agy said this"
    if recorded.origin == "edited":
        yield "edited by hand"
    if not recorded.complete:
        yield "incomplete: the recorder was killed, what follows is a prefix"
    shared = recorded.extra.get("shared")
    if isinstance(shared, list) and shared:
        streams = " and ".join(visible(str(each)) for each in shared)
        yield f"{streams} may hold what others wrote into the same file"
    if recorded.redaction == "off":
        yield "recorded with redaction off"
    if recorded.redacted:
        yield f"{recorded.redacted} places redacted" if recorded.redacted > 1 else "1 place redacted"
    left = interaction.process.left_behind if interaction.process else ()
    if left:
        yield f"left behind: {', '.join(visible(each) for each in left)}"


def _notes(interaction: Interaction) -> Iterator[str]:
    for extra in (interaction.extra, interaction.recorded.extra):
        note = extra.get("note")
        if isinstance(note, str | bytes):
            yield visible(note)


def _without_echoes(told: Iterable[Moment]) -> Iterator[Moment]:
    """The moments but for what says nothing new: streams closed at the exit, rows shown right before."""
    exited: float | None = None
    rows: object = None
    for moment in told:
        if moment.channel == "agy":
            exited = moment.at
        if moment.channel == "streams" and _at_once(exited, moment.at):
            continue
        text = None if moment.event is None else moment.event.text
        yield replace(moment, says="the same") if text is not None and text == rows else moment
        rows = text


def _at_once(before: float | None, after: float | None) -> bool:
    return before is not None and after is not None and after - before < AT_ONCE


def _moment(moment: Moment, most: int | None, width: int | None) -> Iterator[Line]:
    time = f"{moment.at:>9.3f}" if moment.at is not None else " " * 9
    head: Piece = (f"   {time}  {moment.channel:<8}"[: len(INDENT)].ljust(len(INDENT)), "dim")
    if moment.event is not None:
        yield (head, *_file_head(moment.event, whole=width is None))
        for row in _rows(moment.event, width) if moment.says is None else (moment.says,):
            yield (INDENT, "  ", row)
        return
    if moment.says is not None:
        yield (head, moment.says)
        return
    text = visible(moment.body or b"")
    style = "red" if moment.channel == "stderr" else ""
    for at, line in enumerate(_cut(text, most)):
        yield (head if at == 0 else INDENT, (line, style))


def _file_head(event: FileEvent, *, whole: bool) -> Line:
    path = visible(event.path if whole else event.path.replace(LOGS, "/.../"))
    size = body_size(event.text)
    told = f", {size} bytes" if event.text is not None else ""
    to = f" -> {visible(event.target)}" if event.target is not None else ""
    guess = ", time is a guess" if event.approx else ""
    return (f"{event.op} {path}{to}{told}{guess}",)


def _rows(event: FileEvent, width: int | None) -> Iterator[str]:
    """The rows of a transcript that were written, each as its type and what it says."""
    if event.text is None or isinstance(event.text, Sidecar) or not event.path.endswith(".jsonl"):
        return
    for line in event.text.splitlines():
        try:
            row = json.loads(line)
        except (ValueError, RecursionError):
            yield _short(visible(line), width)
            continue
        if isinstance(row, dict):
            yield _short(_row(row, whole=width is None), width)


def _row(row: dict[str, object], *, whole: bool) -> str:
    said = str(row.get("content") or row.get("error") or row.get("thinking") or row.get("display") or "")
    if not whole and (asked := REQUEST.match(said)):
        said = asked[1]
    index = "" if row.get("step_index") is None else f"{row['step_index']} "
    kind = visible(str(row.get("type", "row")))
    return f"{index}{kind}: {visible(' '.join(said.split()))}".rstrip(": ")


def _labelled(label: str, text: str, most: int | None) -> Iterator[Line]:
    for at, line in enumerate(_cut(text, most)):
        yield ((f"   {label if at == 0 else '':<{len(INDENT) - 3}}", "dim"), line)


def _cut(text: str, most: int | None) -> Iterable[str]:
    lines = text.removesuffix("\n").split("\n")
    if most is None or len(lines) <= most:
        return lines
    return [*lines[:most], f"... {len(lines) - most} more lines; CASSETTE#ID shows all"]


def _short(text: str, width: int | None) -> str:
    return text if width is None or len(text) <= width else text[: width - 3] + "..."
