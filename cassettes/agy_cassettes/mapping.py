"""A record as the plain mapping that its YAML is, in the order in which keys are written."""

from collections.abc import Mapping, Sequence
from typing import Any

from agy_cassettes.interaction import (
    Exit,
    FileEvent,
    Interaction,
    Mark,
    Process,
    Record,
    Recorded,
    Request,
    Response,
    Sidecar,
    Tty,
)
from agy_cassettes.scalars import canonical
from agy_cassettes.timing import format_timing

Mapped = dict[str, Any]


def to_mapping(record: Record) -> Mapped:
    """Give the mapping of a record without its ``end``; text in it is `str` where it is UTF-8, else `bytes`.

    Raises `ValueError` for what a cassette can't hold: a surrogate that stands for no byte, an unknown type.
    """
    if isinstance(record, Mark):
        return _of_mark(record)
    return _of_interaction(record)


def _of_interaction(interaction: Interaction) -> Mapped:
    return {
        "id": interaction.id,
        "recorded": _recorded(interaction.recorded),
        "request": _request(interaction.request),
        "response": _response(interaction.response),
        "files": [_file(event) for event in interaction.files],
        "process": _process(interaction.process) if interaction.process else None,
        **_extra(interaction.extra),
    }


def _of_mark(mark: Mark) -> Mapped:
    whole = _recorded(mark.recorded)
    usual = _recorded(Recorded(at="", by=""))
    recorded = {
        name: item
        for name, item in whole.items()
        if name in {"at", "by"} or name not in usual or item != usual[name]
    }
    note = {} if mark.note is None else {"note": canonical(mark.note)}
    return {"mark": canonical(mark.mark), "id": mark.id, "recorded": recorded, **note, **_extra(mark.extra)}


def _recorded(recorded: Recorded) -> Mapped:
    return {
        "at": recorded.at,
        "by": canonical(recorded.by),
        "agy": None if recorded.agy is None else canonical(recorded.agy),
        "origin": recorded.origin,
        "redaction": recorded.redaction,
        "redacted": recorded.redacted,
        "complete": recorded.complete,
        **_extra(recorded.extra),
    }


def _request(request: Request) -> Mapped:
    tty = {} if request.tty is None else {"tty": _tty(request.tty)}
    stdio = request.stdio
    return {
        "argv": [canonical(item) for item in request.argv],
        "prompt": _body(request.prompt),
        "stdin": _body(request.stdin),
        "cwd": canonical(request.cwd),
        "env": {canonical(name): canonical(item) for name, item in request.env.items()},
        "stdio": {"stdin": stdio.stdin, "stdout": stdio.stdout, "stderr": stdio.stderr},
        **tty,
        **_extra(request.extra),
    }


def _tty(tty: Tty) -> Mapped:
    resizes = {"resizes": [list(size) for size in tty.resizes]} if tty.resizes else {}
    return {"rows": tty.rows, "cols": tty.cols, **resizes}


def _response(response: Response) -> Mapped:
    return {
        "exit": _exit(response.exit),
        "stdout": _body(response.stdout),
        "stderr": _body(response.stderr),
        "timing": format_timing(response.timing),
        **_extra(response.extra),
    }


def _exit(end: Exit) -> Mapped:
    if end.code is not None:
        return {"code": end.code}
    return {"unknown": True} if end.signal is None else {"signal": end.signal}


def _file(event: FileEvent) -> Mapped:
    mapped: Mapped = {"op": event.op, "path": canonical(event.path)}
    if event.before is not None:
        mapped["before"] = {"bytes": event.before}
    if event.text is not None:
        mapped["text"] = _body(event.text)
    if event.target is not None:
        mapped["target"] = canonical(event.target)
    if event.approx:
        mapped["approx"] = True
    return mapped | _extra(event.extra)


def _process(process: Process) -> Mapped:
    return {
        "client": None if process.client is None else canonical(process.client),
        "killed_by": None if process.killed_by is None else canonical(process.killed_by),
        "left_behind": [canonical(item) for item in process.left_behind],
        "sampled": process.sampled,
        **_extra(process.extra),
    }


def _body(value: str | bytes | Sidecar | None) -> Any:
    if isinstance(value, Sidecar):
        return {"file": value.file, "bytes": value.bytes}
    return None if value is None else canonical(value)


def _extra(extra: Mapping[str, Any]) -> Mapped:
    return {name: _plain(item) for name, item in extra.items()}


def _plain(value: Any) -> Any:
    if isinstance(value, str | bytes):
        return canonical(value)
    if isinstance(value, Mapping):
        return {canonical(name): _plain(item) for name, item in value.items()}
    if isinstance(value, Sequence):
        return [_plain(item) for item in value]
    return value
