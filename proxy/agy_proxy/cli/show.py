"""``agy-proxy show``: prints what a cassette holds."""

import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import click

from agy_cassettes.cassette import Cassette
from agy_cassettes.errors import CassetteError
from agy_cassettes.interaction import Body, FileEvent, Interaction, Record, Sidecar
from agy_cassettes.redact.redactor import Redactor
from agy_proxy.cli import page
from agy_proxy.report.lines import Line, interaction_lines, mark_lines
from agy_proxy.report.redacted import redacted
from agy_proxy.report.shape import interaction_shape, mark_shape

LOOK_AGAIN = 0.2
"""Seconds between two looks at a cassette that is followed."""


@click.command(short_help="Print what a cassette holds, on a time line.")
@click.argument("cassette", metavar="CASSETTE[#ID]")
@page.json_option
@click.option("--follow", is_flag=True, help="Go on printing what is appended, until interrupted.")
def command(cassette: str, *, as_json: bool, follow: bool) -> None:
    """Print what a cassette holds: for each call what was asked, what came out, when, and how it ended.

    With #ID only that record, and all of it; else long output is cut. Secrets that redaction missed are not
    printed.
    """
    path, wanted = split(cassette)
    opened = Cassette.open(path)
    show(opened, chosen(opened, wanted), whole=wanted is not None, as_json=as_json)
    # Last, where they are seen, and not in front of an error that says more.
    for notice in opened.notices:
        page.tell(notice)
    if follow:
        for added, places in appended(path, {entry.id for entry in opened.entries}):
            show(added, places, whole=wanted is not None, as_json=as_json)


def split(argument: str) -> tuple[Path, str | None]:
    """A cassette's path and the id behind ``#``; a file whose name holds ``#`` is taken as it is."""
    name, mark, wanted = argument.rpartition("#")
    if not mark or Path(argument).exists():
        return Path(argument), None
    return Path(name), wanted


def chosen(cassette: Cassette, wanted: str | None) -> list[int]:
    """The places of the records to be shown; raises `UserError` where there is none of that id."""
    if wanted is None:
        return list(range(len(cassette.entries)))
    found = [at for at, entry in enumerate(cassette.entries) if entry.id == wanted]
    if not found:
        held = ", ".join(entry.id for entry in cassette.entries[:5]) or "no record"
        more = f" and {len(cassette.entries) - 5} more" if len(cassette.entries) > 5 else ""
        what = f"no record has the id {wanted!r}; there is {held}{more}"
        raise CassetteError(cassette.path, what)
    return found


def show(cassette: Cassette, places: list[int], *, whole: bool, as_json: bool) -> None:
    """Prints the records at `places`."""
    redactor = Redactor()
    read = (with_bodies(cassette, cassette.record(at), whole=whole or as_json) for at in places)
    records = (redacted(record, redactor) for record in read)
    if as_json:
        page.print_json(shape(records))
    else:
        page.print_lines(lines(cassette, zip(places, records, strict=True), whole=whole))


def shape(records: Iterator[Record]) -> dict[str, object]:
    """What ``--json`` prints."""
    interactions, marks = [], []
    for record in records:
        if isinstance(record, Interaction):
            interactions.append(interaction_shape(record))
        else:
            marks.append(mark_shape(record))
    return {"interactions": interactions, "marks": marks}


def lines(cassette: Cassette, numbered: Iterator[tuple[int, Record]], *, whole: bool) -> Iterator[Line]:
    """What is printed for people: the records, with an empty line between two."""
    if not cassette.entries:
        yield (f"{cassette.path} is empty",)
    for count, (at, record) in enumerate(numbered):
        if count:
            yield ("",)
        if isinstance(record, Interaction):
            yield from interaction_lines(at + 1, record, whole=whole)
        else:
            yield from mark_lines(at + 1, record)


def with_bodies(cassette: Cassette, record: Record, *, whole: bool) -> Record:
    """The record with bytes in place of sidecars, which are read only for the `whole`."""
    if not isinstance(record, Interaction):
        return record

    def read(body: Body) -> bytes:
        if whole or not isinstance(body, Sidecar):
            return cassette.read(body)
        return f"{body.bytes} bytes in {body.file}; CASSETTE#ID shows them\n".encode()

    def of_file(event: FileEvent) -> FileEvent:
        return replace(event, text=cassette.read(event.text)) if whole and event.text is not None else event

    request, response = record.request, record.response
    stdin = read(request.stdin) if isinstance(request.stdin, Sidecar) else request.stdin
    return replace(
        record,
        request=replace(request, stdin=stdin),
        response=replace(response, stdout=read(response.stdout), stderr=read(response.stderr)),
        files=tuple(of_file(event) for event in record.files),
    )


def appended(path: Path, seen: set[str]) -> Iterator[tuple[Cassette, list[int]]]:
    """What comes to the cassette after the ids `seen`, as the places of new records; never ends by itself."""
    before = None
    while True:
        facts = path.stat()
        now = (facts.st_ino, facts.st_size, facts.st_mtime_ns)
        if now != before:
            opened = Cassette.open(path)
            new = [at for at, entry in enumerate(opened.entries) if entry.id not in seen]
            seen |= {entry.id for entry in opened.entries}
            before = now
            if new:
                yield opened, new
        time.sleep(LOOK_AGAIN)
