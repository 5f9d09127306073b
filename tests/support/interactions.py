"""Interactions for tests, of which only what the test is about has to be said."""

from collections.abc import Sequence

from agy_cassettes.interaction import (
    Exit,
    FileEvent,
    Interaction,
    Mark,
    Process,
    Recorded,
    Request,
    Response,
    Stdio,
    Tick,
    Value,
)

AT = "2026-12-01T02:37:00Z"
BY = "agy-proxy 0.1.0"


def interaction(
    name: str = "01J0-1",
    *,
    argv: Sequence[Value] = ("agy", "-p", "${PROMPT}"),
    prompt: Value | None = "What is left?",
    stdin: Value | None = None,
    stdout: bytes = b"Half.\n",
    stderr: bytes = b"",
    timing: Sequence[tuple[int, str, int]] | None = None,
    code: int | None = 0,
    signal: int | None = None,
    files: Sequence[FileEvent] = (),
    recorded: Recorded | None = None,
    merged: bool = False,
    process: Process | None = None,
    extra: dict[str, object] | None = None,
) -> Interaction:
    """A turn that was answered after 1.25 seconds, unless told otherwise."""
    ticks = [(1250, "o", len(stdout)), (0, "x", 1)] if timing is None else timing
    return Interaction(
        id=name,
        recorded=recorded or Recorded(at=AT, by=BY, agy="1.2.10"),
        request=Request(
            argv=tuple(argv),
            prompt=prompt,
            stdin=stdin,
            stdio=Stdio(stdin="null", stdout="pipe", stderr="same" if merged else "pipe"),
        ),
        response=Response(
            exit=Exit(code=code, signal=signal),
            stdout=stdout,
            stderr=stderr,
            timing=tuple(Tick(*tick) for tick in ticks),
        ),
        files=tuple(files),
        process=process,
        extra=extra or {},
    )


def mark(name: str = "01J0-1m", *, kind: str = "reset", note: str | None = None) -> Mark:
    """A mark between interactions."""
    return Mark(id=name, mark=kind, recorded=Recorded(at=AT, by=BY), note=note)
