"""A record's YAML, checked, as the frozen data that the rest of the program uses."""

import re
from datetime import datetime
from typing import cast, get_args

from agy_cassettes.fields import Fields
from agy_cassettes.interaction import (
    Body,
    Exit,
    FileEvent,
    FileOp,
    Interaction,
    Mark,
    Origin,
    Process,
    Record,
    Recorded,
    Request,
    Response,
    Sidecar,
    Stdio,
    StreamKind,
    Tick,
    Tty,
)
from agy_cassettes.limits import LIMITS, Limits
from agy_cassettes.node import FormatError, Node, read_node
from agy_cassettes.stored_path import is_target, is_writable
from agy_cassettes.timing import parse_timing

RECORD_ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9._:-]{0,127}", re.ASCII)
_END = re.compile(r"(\S{1,128}) (sha256:[0-9a-f]{64})", re.ASCII)
_AT = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,9})?Z", re.ASCII)
_ORIGINS = get_args(Origin)
_STREAMS = tuple(kind for kind in get_args(StreamKind) if kind != "same")
_OPS = get_args(FileOp)


def read_record(data: bytes, first_line: int, limits: Limits = LIMITS) -> Record:
    """Read one record, ``- `` to end line, that begins at `first_line` of its file; raises `FormatError`.

    Keys that this version doesn't know are kept in `extra`, where they stand in the same mapping.
    """
    return to_record(record_node(data, first_line, limits), limits)


def record_node(data: bytes, first_line: int, limits: Limits = LIMITS) -> Node:
    """Read the mapping of one record; raises `FormatError`."""
    items = read_node(data, first_line, limits)
    if not isinstance(items.value, list) or len(items.value) != 1:
        raise FormatError(first_line, "no single record between '- ' and its end line")
    node: Node = items.value[0]
    return node


def to_record(node: Node, limits: Limits = LIMITS) -> Record:
    """Check a record's mapping and give its data; raises `FormatError`."""
    fields = Fields(node, "record", limits)
    record_id = _id(fields)
    end = _END.fullmatch(fields.text("end"))
    if end is None or end[1] != record_id:
        raise FormatError(
            node.line, f"record {record_id!r} ends with the mark of another; was it merged line by line?"
        )
    if isinstance(node.value, dict) and "mark" in node.value:
        return Mark(
            id=record_id,
            mark=fields.text("mark"),
            recorded=_recorded(fields),
            note=fields.text_or_none("note"),
            extra=fields.rest(),
        )
    response = _response(fields)
    files = fields.items("files", limits.files, lambda item, _: _file(item, limits))
    named = sum(tick.count for tick in response.timing if tick.code == "f")
    if named > len(files):
        raise FormatError(
            node.line, f"response.timing counts {named} file events, but files has {len(files)}"
        )
    return Interaction(
        id=record_id,
        recorded=_recorded(fields),
        request=_request(fields),
        response=response,
        files=files,
        process=_process(fields),
        extra=fields.rest(),
    )


def _id(fields: Fields) -> str:
    record_id = fields.text("id")
    if RECORD_ID.fullmatch(record_id) is None:
        raise FormatError(fields.line, f"record.id is {record_id[:80]!r}; an id is letters, digits and '-'")
    return record_id


def _recorded(fields: Fields) -> Recorded:
    node = fields.need("recorded")
    part = Fields(node, "recorded", fields.limits)
    at = part.text("at")
    if not _is_time(at):
        raise FormatError(
            node.line, f"recorded.at is {at[:40]!r}; a time is written 2026-01-31T12:00:00.000Z"
        )
    redaction = part.take("redaction")
    # A plain `off` is a boolean in YAML 1.1.
    off = redaction is not None and (redaction.value == "off" or redaction.value is False)
    if redaction is not None and not off and type(redaction.value) is not int:
        raise FormatError(redaction.line, 'recorded.redaction must be a number of a rule set or "off"')
    return Recorded(
        at=at,
        by=part.text("by"),
        agy=part.text_or_none("agy"),
        origin=part.choice("origin", _ORIGINS, "captured"),
        redaction="off" if off else 1 if redaction is None else redaction.value,
        redacted=part.number("redacted", 0, fields.limits.tick_count, 0),
        complete=part.flag("complete", default=True),
        extra=part.rest(),
    )


def _is_time(text: str) -> bool:
    if _AT.fullmatch(text) is None:
        return False
    try:
        datetime.fromisoformat(text[:19])
    except ValueError:
        return False
    return True


def _request(fields: Fields) -> Request:
    node = fields.need("request")
    part = Fields(node, "request", fields.limits)
    argv = part.items("argv", fields.limits.argv, part.as_value)
    if not argv:
        raise FormatError(node.line, "request.argv is empty; it begins with agy")
    if argv[0] != "agy":
        raise FormatError(node.line, f"request.argv begins with {argv[0]!r:.80}; it begins with agy")
    env = part.take("env")
    return Request(
        argv=argv,
        prompt=part.value("prompt"),
        stdin=part.body("stdin"),
        cwd=part.text("cwd", "${CWD}"),
        env={} if env is None else _env(env, part),
        stdio=_stdio(part),
        tty=_tty(part),
        extra=part.rest(),
    )


def _env(node: Node, part: Fields) -> dict[str, str]:
    if not isinstance(node.value, dict):
        raise FormatError(node.line, "request.env is not a mapping")
    return {
        name.decode("utf-8", "surrogateescape") if isinstance(name, bytes) else name: part.as_text(
            item, "env"
        )
        for name, item in node.value.items()
    }


def _stdio(request: Fields) -> Stdio:
    part = Fields(request.need("stdio"), "request.stdio", request.limits)
    return Stdio(
        stdin=part.choice("stdin", _STREAMS),
        stdout=part.choice("stdout", _STREAMS),
        stderr=part.choice("stderr", (*_STREAMS, "same")),
    )


def _tty(request: Fields) -> Tty | None:
    node = request.take("tty")
    if node is None:
        return None
    part = Fields(node, "request.tty", request.limits)
    most = request.limits.cells

    def size(node: Node, key: str) -> tuple[int, int]:
        numbers = [each.value for each in node.value] if isinstance(node.value, list) else []
        if len(numbers) != 2 or not all(type(each) is int and 0 <= each <= most for each in numbers):
            raise FormatError(node.line, f"request.tty.{key} holds something else than [ROWS, COLS]")
        return cast("tuple[int, int]", tuple(numbers))

    return Tty(
        rows=part.number("rows", 0, most),
        cols=part.number("cols", 0, most),
        resizes=part.items("resizes", request.limits.ticks, size),
    )


def _response(fields: Fields) -> Response:
    part = Fields(fields.need("response"), "response", fields.limits)
    return Response(
        exit=_exit(part),
        stdout=_bytes(part.body("stdout")) or b"",
        stderr=_bytes(part.body("stderr")) or b"",
        timing=_timing(part),
        extra=part.rest(),
    )


def _timing(response: Fields) -> tuple[Tick, ...]:
    node = response.take("timing")
    if node is None:
        return ()
    try:
        return parse_timing(response.as_text(node, "timing"), response.limits)
    except ValueError as error:
        raise FormatError(node.line, f"response.{error}") from None


def _exit(response: Fields) -> Exit:
    node = response.need("exit")
    part = Fields(node, "response.exit", response.limits)
    names = sorted(str(name) for name in node.value)
    if names == ["code"]:
        return Exit(code=part.number("code", 0, 255))
    if names == ["signal"]:
        return Exit(signal=part.number("signal", 1, 64))
    if names != ["unknown"] or not part.flag("unknown", default=True):
        raise FormatError(node.line, "response.exit must be {code: N}, {signal: N} or {unknown: true}")
    return Exit()


def _file(node: Node, limits: Limits) -> FileEvent:
    part = Fields(node, "files", limits)
    op: FileOp = part.choice("op", _OPS)
    path = part.text("path")
    if not is_writable(path):
        raise FormatError(
            node.line,
            f"files.path is {path[:80]!r}; it must be ${{LOG_FILE}}, or lie in ${{AGY_HOME}}/ or ${{CWD}}/"
            " without '..'",
        )
    before = part.take("before")
    target = part.text_or_none("target")
    if target is not None and not is_target(target):
        raise FormatError(node.line, f"files.target is {target[:80]!r}, which leads out of the store")
    return FileEvent(
        op=op,
        path=path,
        before=None
        if before is None
        else Fields(before, "files.before", limits).number("bytes", 0, limits.tick_count),
        text=_bytes(part.body("text")),
        target=target,
        approx=part.flag("approx", default=False),
        extra=part.rest(),
    )


def _process(fields: Fields) -> Process | None:
    node = fields.take("process")
    if node is None:
        return None
    part = Fields(node, "process", fields.limits)
    return Process(
        client=part.text_or_none("client"),
        killed_by=part.text_or_none("killed_by"),
        left_behind=part.items("left_behind", fields.limits.files, part.as_text),
        sampled=part.flag("sampled", default=True),
        extra=part.rest(),
    )


def _bytes(value: str | bytes | Sidecar | None) -> Body | None:
    return value.encode() if isinstance(value, str) else value
