"""From a journal and the facts beside it to an interaction before redaction; the world is left alone."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from typing import cast

from agy_cassettes.call import Call, parse_call
from agy_cassettes.edits import Edit, apply, moved
from agy_cassettes.interaction import (
    FileEvent,
    Interaction,
    Recorded,
    Request,
    Response,
    Stdio,
    StreamKind,
    Tty,
)
from agy_cassettes.places import Places, to_stored
from agy_cassettes.stored import StoredRequest, stored_request
from agy_cassettes.terminal_replies import split
from agy_proxy.record.facts import Facts, ReadBack, WitnessedFile
from agy_proxy.record.journal import Frame, Journal, Start, read_size
from agy_proxy.record.process_facts import exit_of, number, process_of
from agy_proxy.record.record_id import record_id
from agy_proxy.record.rhythm import Moment, in_order, ticks
from agy_proxy.record.stored import Stored, as_value, stored

KINDS = frozenset(("pipe", "socket", "tty", "file", "null", "closed", "same"))
ANSWERED_NS = 100_000_000
"""A terminal's answer may come in two pieces, but no further apart."""
ONCE = frozenset("zxc")
"""Codes that simply happen."""


def to_interaction(journal: Journal, facts: Facts) -> Interaction:
    """Return the call as a cassette holds it, paths as ``${HOME}`` and so on, secrets still in it.

    Raises ValueError where the journal has no start: then nothing is known that could be replayed.
    """
    start = journal.start
    if start is None:
        raise ValueError("the journal has no start")
    session = start.terminal == "session"
    if session:
        journal = without_replies(journal)
    stdin = _stream(journal, "i") if session or journal.first("i") or journal.first("z") else None
    # What is typed in a session is no prompt, even where stdin to its end would be.
    request = stored_request(start.argv, None if session else stdin, start.cwd, places_of(start))
    places = request.places
    if session:
        typed = to_stored(stdin or b"", places, prompt=True)
        came = Stored(apply(stdin or b"", typed), typed)
    else:
        came = Stored(request.stdin or b"", _stdin_edits(stdin or b"", request))
    merged = start.stderr == "same"
    main = "m" if merged else "o"
    streams = {
        "i": came,
        main: stored(_stream(journal, main), places),
        "e": stored(b"" if merged else _stream(journal, "e"), places),
    }
    files = tuple(sorted(facts.files, key=lambda file: file.at))
    written = _moments(journal, {code: stream.edits for code, stream in streams.items()})
    seen = [Moment(max(file.at, start.monotonic_ns), "f") for file in files]
    out, err = streams[main].body, streams["e"].body
    if facts.stdout is not None:
        out, grown = _read_back(facts.stdout, main, places, _end(journal, start))
        seen += grown
    if facts.stderr is not None and not merged:
        err, grown = _read_back(facts.stderr, "e", places, _end(journal, start))
        seen += grown
    whole = all(part is None or part.whole for part in (facts.stdout, facts.stderr))
    return Interaction(
        id=record_id(start),
        recorded=Recorded(
            at=_iso(start.realtime_ns),
            by=f"agy-proxy {start.version}",
            agy=facts.agy,
            complete=journal.complete and whole,
            extra={"shared": list(facts.shared)} if facts.shared else {},
        ),
        request=Request(
            argv=tuple(as_value(item) for item in request.argv),
            prompt=None if request.prompt is None else as_value(request.prompt),
            stdin=None if stdin is None else as_value(came.body),
            cwd=_text(request.cwd) or "${CWD}",
            env=_environment(start, places),
            stdio=Stdio(stdin=_kind(start.stdin), stdout=_kind(start.stdout), stderr=_kind(start.stderr)),
            tty=_tty(journal, start),
        ),
        response=Response(
            exit=exit_of(journal),
            stdout=out,
            stderr=err,
            timing=ticks(in_order(written, seen), start.monotonic_ns),
        ),
        files=tuple(_file_event(file, places) for file in files),
        process=process_of(journal, start, facts),
    )


def call_of(start: Start) -> Call:
    """Read what the call asked for."""
    return parse_call([item.decode("utf-8", "surrogateescape") for item in start.argv[1:]])


def places_of(start: Start) -> Places:
    """Where the paths of this call are, but for its log file."""
    return Places(start.home, start.cwd, tmp=start.tmp)


def log_file_of(start: Start, call: Call) -> bytes | None:
    """Return the absolute path that the call named with ``--log-file``."""
    if not call.log_file:
        return None
    log_file = call.log_file.encode("utf-8", "surrogateescape")
    return log_file if log_file.startswith(b"/") else start.cwd + b"/" + log_file


def without_replies(journal: Journal) -> Journal:
    """Leave out what the terminal answered by itself, which comes at once: the rest of a key comes later."""
    frames: list[Frame] = []
    held = Frame("i", 0, b"")
    for frame in journal.frames:
        if frame.code != "i":
            frames.append(frame)
            continue
        if held.payload and frame.at - held.at > ANSWERED_NS:
            frames.append(held)
            held = held._replace(payload=b"")
        typed, _, rest = split(frame.payload, held.payload)
        held = frame._replace(payload=rest)
        if typed:
            frames.append(frame._replace(payload=typed))
    if held.payload:
        frames.append(held)
    return replace(journal, frames=tuple(frames))


def _tty(journal: Journal, start: Start) -> Tty | None:
    if start.tty is None:
        return None
    sizes = [read_size(frame.payload) for frame in journal.frames if frame.code == "w"]
    rows, cols = start.tty
    return Tty(rows=rows, cols=cols, resizes=tuple(size for size in sizes if size is not None))


def _stream(journal: Journal, code: str) -> bytes:
    return b"".join(frame.payload for frame in journal.frames if frame.code == code)


def _moments(journal: Journal, edits: Mapping[str, Sequence[Edit]]) -> list[Moment]:
    """What the journal tells, with the counts of streams in bytes of their stored form."""
    sizes: dict[str, Iterator[int]] = {
        code: iter(moved([len(frame.payload) for frame in journal.frames if frame.code == code], changes))
        for code, changes in edits.items()
    }
    told: list[Moment] = []
    for frame in journal.frames:
        if frame.code in sizes:
            amount = next(sizes[frame.code])
        elif frame.code == "s":
            amount = number(frame.payload.split(b" ")[0])
        else:
            amount = 1 if frame.code in ONCE or (frame.code == "w" and read_size(frame.payload)) else 0
        if amount:
            told.append(Moment(frame.at, frame.code, amount))
    # A frame is written once its bytes are delivered, and then the answer may have been written down already.
    return sorted(told, key=lambda moment: moment.at)


def _read_back(part: ReadBack, code: str, places: Places, end: int) -> tuple[bytes, list[Moment]]:
    body, edits = stored(part.data, places)
    steps = [(at, min(size, len(part.data))) for at, size in part.growth] + [(end, len(part.data))]
    counts: list[int] = []
    times: list[int] = []
    done = 0
    for at, size in steps:
        if size > done:
            counts.append(size - done)
            times.append(at)
            done = size
    grown = [Moment(at, code, count) for at, count in zip(times, moved(counts, edits), strict=True) if count]
    return body, grown


def _end(journal: Journal, start: Start) -> int:
    """When agy exited, else the last that is known."""
    exited = journal.first("x")
    if exited is not None:
        return exited.at
    return journal.frames[-1].at if journal.frames else start.monotonic_ns


def _stdin_edits(stdin: bytes, request: StoredRequest) -> Sequence[Edit]:
    """Return what turns the live stdin into the stored one."""
    if request.call.prompt_on_stdin:
        return [(0, len(stdin), request.stdin or b"")]
    return to_stored(stdin, request.places, prompt=True)


def _environment(start: Start, places: Places) -> dict[str, str]:
    pairs = (item.partition(b"=") for item in start.env)
    return {_text(name): _text(stored(value, places).body) for name, _, value in pairs if name}


def _file_event(file: WitnessedFile, places: Places) -> FileEvent:
    return FileEvent(
        op=file.op,
        path=stored_path(file.path, places),
        before=file.before,
        text=stored(file.data, places).body,
        approx=file.approx,
        target=None if file.target is None else _text(file.target),
        extra={name: True for name in ("stood", "merge", "decoded") if getattr(file, name)},
    )


def stored_path(path: bytes, places: Places) -> str:
    """Name a file by the place that replay knows, even where another place lies further in."""
    for store in places.paths[b"AGY_HOME"]:
        if path.startswith(store + b"/"):
            return "${AGY_HOME}" + _text(path[len(store) :])
    return _text(stored(path, places).body)


def _kind(kind: str) -> StreamKind:
    # A device that is neither a terminal nor /dev/null is inherited as it is, its output not recorded either.
    return cast("StreamKind", kind) if kind in KINDS else "null"


def _text(raw: bytes) -> str:
    return raw.decode("utf-8", "replace")


def _iso(realtime_ns: int) -> str:
    seconds, rest = divmod(realtime_ns, 1_000_000_000)
    at = datetime.fromtimestamp(seconds, UTC)
    return f"{at:%Y-%m-%dT%H:%M:%S}.{rest // 1_000_000:03d}Z"
