"""Redacts whole records: every text, with one number for each secret and the chunks' sizes put right."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import Any

from agy_cassettes.edits import Edit, moved
from agy_cassettes.interaction import (
    Body,
    FileEvent,
    Interaction,
    Mark,
    Process,
    Record,
    Recorded,
    Request,
    Response,
    Sidecar,
    Tick,
    Value,
)
from agy_cassettes.redact.placeholders import Naming
from agy_cassettes.redact.redactor import (
    Redacted,
    Redactor,
    bytes_of,
    joined,
    split,
    spreads,
    value_of,
    without,
)
from agy_cassettes.redact.rules import RULE_SET

_STREAMS = {"stdout": "om", "stderr": "e", "stdin": "i"}
"""The codes in `Response.timing` that count bytes of each stream."""


def redact_record(record: Record, redactor: Redactor, naming: Naming) -> Record:
    """Return `record` redacted: see `redact_interaction`; of a mark the note."""
    if isinstance(record, Interaction):
        return redact_interaction(record, redactor, naming)
    return _redact_mark(record, redactor, naming)


def redact_interaction(interaction: Interaction, redactor: Redactor, naming: Naming) -> Interaction:
    """Return `interaction` with a placeholder for each secret in its texts, and timing's counts to match.

    Numbers are given in the order argv, prompt, stdin, cwd, env, stdout, stderr, files, process. A secret
    that only its surroundings gave away in one place is one in all others. Bodies must not lie in sidecars
    yet: such a one stays as it is.
    """
    first = _Pass(lambda data: redactor.redact(data, naming))
    redacted = _over(interaction, first)
    spread = {secret: cls for cls, secret in first.secrets if spreads(cls, secret)}
    count = len(first.secrets)
    if spread:
        second = _Pass(lambda data: without(data, spread, naming))
        redacted = _over(redacted, second)
        count += len(second.secrets)
    return replace(redacted, recorded=_counted(redacted.recorded, count))


def _redact_mark(mark: Mark, redactor: Redactor, naming: Naming) -> Mark:
    one = _Pass(lambda data: redactor.redact(data, naming))
    note = None if mark.note is None else one.text(mark.note)
    extra = one.tree(mark.extra)
    return replace(mark, note=note, extra=extra, recorded=_counted(mark.recorded, len(one.secrets)))


def _counted(recorded: Recorded, count: int) -> Recorded:
    return replace(recorded, redaction=RULE_SET, redacted=recorded.redacted + count)


class _Pass:
    """One way over a record: what was found on it, and the edits of each named stream."""

    def __init__(self, redact: Callable[[bytes], Redacted]) -> None:
        self._redact = redact
        self.secrets: list[tuple[str, bytes]] = []
        self.edits: dict[str, tuple[tuple[Edit, ...], ...]] = {}

    def data(self, data: bytes, stream: str | None = None) -> bytes:
        redacted = self._redact(data)
        self.secrets += redacted.secrets
        if stream is not None:
            self.edits[stream] = redacted.rounds
        return redacted.data

    def value(self, value: Value, stream: str | None = None) -> Value:
        return value_of(self.data(bytes_of(value), stream))

    def text(self, text: str) -> str:
        return self.data(text.encode("utf-8", "surrogateescape")).decode("utf-8", "surrogateescape")

    def body(self, body: Body, stream: str | None = None) -> Body:
        return body if isinstance(body, Sidecar) else self.data(body, stream)

    def words(self, words: tuple[Value, ...]) -> tuple[Value, ...]:
        found = self._redact(joined(words))
        line = split(found.data, len(words))
        if line is None:
            return tuple(self.value(word) for word in words)
        self.secrets += found.secrets
        return tuple(map(value_of, line))

    def pair(self, name: str, value: str) -> str:
        """A variable's value: its name tells what it is, and stays."""
        return self.text(f"{name}={value}").partition("=")[2]

    def tree(self, tree: Mapping[str, Any]) -> dict[str, Any]:
        return {key: self._branch(key, value) for key, value in tree.items()}

    def _branch(self, key: str, value: Any) -> Any:
        if isinstance(value, str):
            return self.pair(key, value) if "=" not in key else self.text(value)
        if isinstance(value, bytes):
            return self.data(value)
        if isinstance(value, Mapping):
            return self.tree(value)
        if isinstance(value, list | tuple):
            return [self._branch(key, item) for item in value]
        return value


def _over(interaction: Interaction, way: _Pass) -> Interaction:
    return replace(
        interaction,
        request=_request(interaction.request, way),
        response=_response(interaction.response, way),
        files=tuple(_file(event, way) for event in interaction.files),
        process=None if interaction.process is None else _process(interaction.process, way),
        extra=way.tree(interaction.extra),
    )


def _request(request: Request, way: _Pass) -> Request:
    stdin = request.stdin
    return replace(
        request,
        argv=way.words(request.argv),
        prompt=None if request.prompt is None else way.value(request.prompt),
        stdin=stdin if stdin is None or isinstance(stdin, Sidecar) else way.value(stdin, "stdin"),
        cwd=way.text(request.cwd),
        env={name: way.pair(name, value) for name, value in request.env.items()},
        extra=way.tree(request.extra),
    )


def _response(response: Response, way: _Pass) -> Response:
    stdout, stderr = way.body(response.stdout, "stdout"), way.body(response.stderr, "stderr")
    return replace(
        response,
        stdout=stdout,
        stderr=stderr,
        timing=_retimed(response.timing, way.edits),
        extra=way.tree(response.extra),
    )


def _file(event: FileEvent, way: _Pass) -> FileEvent:
    return replace(
        event,
        path=way.text(event.path),
        text=None if event.text is None else way.body(event.text),
        target=None if event.target is None else way.text(event.target),
        extra=way.tree(event.extra),
    )


def _process(process: Process, way: _Pass) -> Process:
    return replace(
        process,
        client=None if process.client is None else way.text(process.client),
        killed_by=None if process.killed_by is None else way.text(process.killed_by),
        left_behind=tuple(map(way.text, process.left_behind)),
        extra=way.tree(process.extra),
    )


def _retimed(timing: tuple[Tick, ...], edits: Mapping[str, Iterable[tuple[Edit, ...]]]) -> tuple[Tick, ...]:
    """The ticks with the edited streams' counts; a chunk that lay wholly in a secret may come to 0 bytes."""
    ticks = list(timing)
    for stream, codes in _STREAMS.items():
        places = [place for place, tick in enumerate(ticks) if tick.code in codes]
        counts = [ticks[place].count for place in places]
        for edit in edits.get(stream, ()):
            counts = moved(counts, edit)
        for place, count in zip(places, counts, strict=True):
            ticks[place] = ticks[place]._replace(count=count)
    return tuple(ticks)
