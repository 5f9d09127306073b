"""What a cassette holds: interactions and marks, as frozen data.

Text that came as bytes is kept as `bytes` in bodies and as `str` (or `bytes` where it isn't UTF-8) in
single values. All of it is the *stored* text: secrets redacted, paths written as ``${HOME}`` and so on.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple

Origin = Literal["captured", "edited", "invented"]
StreamKind = Literal["pipe", "socket", "tty", "file", "null", "closed", "same"]
FileOp = Literal["create", "append", "replace", "truncate", "rename", "delete", "symlink"]

Value = str | bytes
"""One argument or prompt: `str` when it is UTF-8, else `bytes`."""


@dataclass(frozen=True, slots=True)
class Sidecar:
    """A body kept in a file of its own, named by its hash, in the folder ``NAME.agy.yaml.d``."""

    file: str
    bytes: int


Body = bytes | Sidecar


class Tick(NamedTuple):
    """One entry of `Response.timing`: `ms` since the entry before, what happened, and its count.

    Codes: ``o`` stdout, ``e`` stderr, ``m`` both merged, ``i`` stdin bytes, ``z`` stdin's end, ``f`` the next
    entries of `files`, ``s`` a signal to agy (count = number), ``w`` the next resize, ``x`` exit, ``c`` the
    last stream closed. Counts of streams are bytes of the stored text.
    """

    ms: int
    code: str
    count: int = 1  # type: ignore[assignment]  # the format's word; nobody counts in a tick as in a tuple


@dataclass(frozen=True, slots=True, kw_only=True)
class Recorded:
    """Where a record comes from."""

    at: str
    by: str
    agy: str | None = None
    origin: Origin = "captured"
    redaction: int | Literal["off"] = 1
    redacted: int = 0
    complete: bool = True
    extra: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Stdio:
    """What kind of thing each stream was; stderr is ``same`` where it shared stdout's pipe."""

    stdin: StreamKind
    stdout: StreamKind
    stderr: StreamKind


@dataclass(frozen=True, slots=True, kw_only=True)
class Tty:
    """The terminal's size in characters; `resizes` are the sizes (rows, columns) of the ``w`` ticks."""

    rows: int
    cols: int
    resizes: tuple[tuple[int, int], ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """What the client asked: `argv` begins with ``agy``; ``${PROMPT}`` in it or in `stdin` is `prompt`."""

    argv: tuple[Value, ...]
    prompt: Value | None = None
    stdin: Value | Sidecar | None = None
    cwd: str = "${CWD}"
    env: Mapping[str, str] = field(default_factory=dict)
    stdio: Stdio = Stdio(stdin="null", stdout="pipe", stderr="pipe")
    tty: Tty | None = None
    extra: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Exit:
    """How agy ended: exactly one of a code, a signal, or neither (unknown: the recorder was killed)."""

    code: int | None = None
    signal: int | None = None

    @property
    def unknown(self) -> bool:
        """Whether the end was not seen."""
        return self.code is None and self.signal is None


@dataclass(frozen=True, slots=True, kw_only=True)
class Response:
    """What came out: with stderr ``same``, `stdout` holds both streams in order and timing says ``m``."""

    exit: Exit
    stdout: Body = b""
    stderr: Body = b""
    timing: tuple[Tick, ...] = ()
    extra: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class FileEvent:
    """One change of a file during the run; `text` is what was written, `before` the bytes that were there."""

    op: FileOp
    path: str
    before: int | None = None
    text: Body | None = None
    target: str | None = None
    approx: bool = False
    extra: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Process:
    """Facts about processes around the call; `sampled` tells that children were seen by sampling."""

    client: str | None = None
    killed_by: str | None = None
    left_behind: tuple[str, ...] = ()
    sampled: bool = True
    extra: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Interaction:
    """One call of agy: request, response, and the files written meanwhile in the order of timing's ``f``."""

    id: str
    recorded: Recorded
    request: Request
    response: Response
    files: tuple[FileEvent, ...] = ()
    process: Process | None = None
    extra: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Mark:
    """Something that a client's test noted between calls, for instance ``reset``."""

    id: str
    mark: str
    recorded: Recorded
    note: str | None = None
    extra: Mapping[str, Any] = field(default_factory=dict)


Record = Interaction | Mark
