"""Compiles a cassette into a play file: everything is decided here that a call needn't decide."""

import contextlib
import hashlib
import marshal
import os
import re
import secrets
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple, Protocol

from agy_cassettes.errors import CassetteError
from agy_cassettes.interaction import Body, Exit, Interaction
from agy_cassettes.matchers import DEFAULT_MATCH_ON
from agy_cassettes.request_view import RequestView, view_of_interaction
from agy_proxy.replay.files import born_with_facts, file_facts
from agy_proxy.replay.marks import nanoseconds, path_marks
from agy_proxy.replay.timing import arranged, in_turns
from agy_proxy.shim.isolated import play_file
from agy_proxy.shim.isolated.play_file import bucket_of, digest
from agy_proxy.shim.isolated.play_key import key_of

_RESULT = re.compile(rb'(?m)^\{"(?:event|type)":\s?"result"[^\n]*\n')
"""The last line of an answer in stream-json (contract.md 3.4)."""
_ID = re.compile(rb"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")


class Readable(Protocol):
    """What is needed of a `agy_cassettes.cassette.Cassette`."""

    @property
    def path(self) -> Path:
        """Where it lies."""

    def interactions(self) -> Iterator[Interaction]:
        """Its interactions in recorded order."""

    def read(self, body: Body) -> bytes:
        """The bytes of a body."""


class Compiled(NamedTuple):
    """What a play file holds: interactions, and those of them that cost a turn."""

    path: Path
    interactions: int
    turns: int


@dataclass(slots=True)
class _Group:
    members: list[int] = field(default_factory=list)
    repeater: int = 0
    """One more than the place of the last member that repeats freely; 0 where none does."""


def compile_play_file(
    cassette: Readable,
    out: Path,
    *,
    match_on: Sequence[str] = DEFAULT_MATCH_ON,
    matchers: Path | None = None,
) -> Compiled:
    """Writes the play file of a cassette to `out`, 0600 and in one piece.

    `matchers` is a file with matchers of the user's own. With it, or with a `match_on` that isn't the
    default, the shims ask a helper about every turn. Raises `CassetteError` for a file event that leads out
    of the store.
    """
    identity = play_file.identity(os.fspath(cassette.path))
    custom = matchers is not None or set(match_on) != set(DEFAULT_MATCH_ON)
    part = out.with_name(f"{out.name}.{os.getpid()}-{secrets.token_hex(4)}")
    try:
        # 0600 from the start: the texts of a cassette are nobody else's.
        with os.fdopen(os.open(part, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600), "w+b") as file:
            written = _Writer(file, cassette).write(identity, match_on, custom=custom)
        part.replace(out)
    finally:
        with contextlib.suppress(FileNotFoundError):
            part.unlink()
    return Compiled(out, *written)


class _Writer:
    def __init__(self, file: BinaryIO, cassette: Readable) -> None:
        self._file = file
        self._cassette = cassette
        self._rows: list[tuple[int, int, int]] = []
        self._requests: list[dict[str, Any]] = []
        self._keys: list[bytes] = []
        self._turns = 0
        self._agy: str | None = None
        self._redacted = False

    def write(
        self, identity: tuple[int, int, int, int] | None, match_on: Sequence[str], *, custom: bool
    ) -> tuple[int, int]:
        self._file.seek(play_file.HEAD)
        for interaction in self._cassette.interactions():
            self._add(interaction)
        requests_at = self._file.tell()
        self._file.write(marshal.dumps(self._requests, play_file.MARSHAL))
        requests_length = self._file.tell() - requests_at
        header: dict[str, Any] = {
            "format": play_file.FORMAT,
            "probe": digest(play_file.MAGIC),
            "stamp": self._stamp(),
            "cassette": os.fspath(self._cassette.path),
            "identity": identity,
            "agy": self._agy,
            "custom": custom,
            "redacted": self._redacted,
            "match_on": tuple(match_on),
            "interactions": len(self._rows),
            "requests_at": requests_at,
            "requests_length": requests_length,
            **self._tables(),
        }
        packed = marshal.dumps(header, play_file.MARSHAL)
        if len(packed) + 12 > play_file.HEAD:
            raise CassetteError(self._cassette.path, "its path is too long for a play file")
        self._file.seek(0)
        self._file.write(play_file.MAGIC + _u32(len(packed)) + packed)
        return len(self._rows), self._turns

    def _add(self, interaction: Interaction) -> None:
        view = view_of_interaction(interaction, turn=self._turns + 1, read=self._cassette.read)
        self._turns += view.turn is not None
        argv = [_bytes(word) for word in view.argv]
        prompt = None if view.prompt is None else _bytes(view.prompt)
        self._keys.append(key_of(prompt, argv))
        self._agy = interaction.recorded.agy or self._agy
        self._redacted = self._redacted or any(b"REDACTED-" in part for part in (*argv, prompt or b""))
        stands = any(event.extra.get("stood") for event in interaction.files)
        self._requests.append({**_request(view), "stands": stands})
        facts, texts = self._facts(interaction, view)
        packed = marshal.dumps(facts, play_file.MARSHAL)
        start = self._file.tell()
        self._file.write(packed)
        for text in texts:
            self._file.write(text)
        self._rows.append((start, len(packed), self._file.tell() - start))

    def _facts(self, interaction: Interaction, view: RequestView) -> tuple[dict[str, Any], list[bytes]]:
        recorded = _time(interaction.recorded.at)
        response = interaction.response
        texts = [self._cassette.read(response.stdout), self._cassette.read(response.stderr)]
        offset = len(texts[0]) + len(texts[1])
        files = []
        written = [
            b"" if event.text is None else self._cassette.read(event.text) for event in interaction.files
        ]
        for event, text in zip(interaction.files, born_with_facts(interaction.files, written), strict=True):
            files.append(file_facts(self._cassette.path, interaction, event, (offset, text), recorded))
            texts.append(text)
            offset += len(text)
        lockstep = _lockstep(interaction, view)
        stdin = _bytes(view.stdin or "") if lockstep else b""
        texts.append(stdin)
        timing = arranged(
            response.timing,
            stdout=len(texts[0]),
            stderr=len(texts[1]),
            files=interaction.files,
            stdin=stdin,
            typed=lockstep == "typed",
            stdio=interaction.request.stdio,
        )
        if lockstep == "lines":
            timing = in_turns(timing, [found.end() for found in _RESULT.finditer(texts[0])])
        facts = {
            "id": interaction.id,
            "at": None if recorded is None else nanoseconds(recorded),
            **_exit_facts(response.exit),
            "timing": tuple((event.at, event.code, event.count) for event in timing),
            "stdout": (0, len(texts[0]), path_marks(texts[0])),
            "stderr": (len(texts[0]), len(texts[1]), path_marks(texts[1])),
            "lockstep": lockstep,
            "stdin": (offset, len(stdin), path_marks(stdin, stdin=True)),
            "files": tuple(files),
            "ids": _ids(files, view),
        }
        return facts, texts

    def _stamp(self) -> bytes:
        # The play counts belong to these interactions in this order and these groups.
        digester = hashlib.blake2b(digest_size=16)
        for request, key in zip(self._requests, self._keys, strict=True):
            digester.update(f"{request['id']}\n".encode() + digest(key))
        return digester.digest()

    def _tables(self) -> dict[str, int]:
        groups: dict[bytes, _Group] = {}
        for index, key in enumerate(self._keys):
            group = groups.setdefault(digest(key), _Group())
            group.members.append(index)
            if self._requests[index]["free"]:
                group.repeater = len(group.members)
        buckets = 1
        while buckets < len(groups):
            buckets *= 2
        ordered = sorted(groups.items(), key=lambda item: bucket_of(item[0], buckets))
        group_of = {index: at for at, (_, group) in enumerate(ordered) for index in group.members}
        at = {"groups": len(ordered), "buckets": buckets}
        at["buckets_at"] = self._file.tell()
        self._file.write(b"".join(_u32(edge) for edge in _edges([name for name, _ in ordered], buckets)))
        at["groups_at"] = self._file.tell()
        first = 0
        for name, group in ordered:
            self._file.write(name + _u32(first) + _u32(len(group.members)) + _u32(group.repeater))
            first += len(group.members)
        at["members_at"] = self._file.tell()
        self._file.write(b"".join(_u32(index) for _, group in ordered for index in group.members))
        at["rows_at"] = self._file.tell()
        for index, (start, facts, length) in enumerate(self._rows):
            row = start.to_bytes(8, "little") + _u32(facts) + length.to_bytes(8, "little")
            self._file.write(row + _u32(group_of[index]))
        return at


def _edges(digests: Sequence[bytes], buckets: int) -> Iterable[int]:
    """Where each bucket begins among the digests, which are in the order of their buckets.

    One more for the end.
    """
    counts = [0] * (buckets + 1)
    for name in digests:
        counts[bucket_of(name, buckets) + 1] += 1
    edge = 0
    for count in counts:
        edge += count
        yield edge


def _request(view: RequestView) -> dict[str, Any]:
    return {
        "id": view.id,
        "at": view.at,
        "argv": view.argv,
        "prompt": view.prompt,
        "stdin": view.stdin,
        "cwd": view.cwd,
        "turn": view.turn,
        "free": view.free,
    }


def _ids(files: Sequence[Mapping[str, Any]], view: RequestView) -> tuple[bytes, ...]:
    """The conversations of a call: those whose files it wrote, and the one that it named."""
    written = [
        event["parts"][1].removesuffix(b".db")
        for event in files
        if event["parts"][:1] in ((b"brain",), (b"conversations",)) and event["parts"][1:]
    ]
    named = [] if view.call.conversation is None else [_bytes(view.call.conversation)]
    return tuple(name for name in dict.fromkeys([*named, *written]) if _ID.fullmatch(name))


def _lockstep(interaction: Interaction, view: RequestView) -> str | None:
    """How what comes in is compared while the call is played: ``lines``, ``typed`` or not at all."""
    call, stdio = view.call, interaction.request.stdio
    no_prompt = view.prompt is None and call.input_format != "stream-json"
    if (
        no_prompt
        and stdio.stdin == stdio.stdout == "tty"
        and (call.prompt_on_stdin or call.interactive is not None)
    ):
        return "typed"
    return None if call.prompt_on_stdin or view.stdin is None else "lines"


def _exit_facts(ended: Exit) -> dict[str, int | None]:
    return {"code": ended.code, "signal": ended.signal}


def _time(at: str) -> datetime | None:
    try:
        found = datetime.fromisoformat(at)
    except ValueError:
        return None
    return found if found.tzinfo is not None else found.replace(tzinfo=UTC)


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "surrogateescape")


def _u32(number: int) -> bytes:
    return number.to_bytes(4, "little")
