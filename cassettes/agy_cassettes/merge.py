"""Uniting cassettes by the ids of their records, in the order in which they were recorded."""

import io
import os
import re
import subprocess
import tempfile
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from agy_cassettes.cassette import Cassette
from agy_cassettes.emitter import header
from agy_cassettes.errors import CassetteError, UserError
from agy_cassettes.interaction import Record
from agy_cassettes.rewrite import replacing
from agy_cassettes.sidecar import copy_sidecars, folder_of

_SIDES = {"base": 1, "ours": 2, "theirs": 3}
_MARKER = re.compile(rb"(<<<<<<<|\|\|\|\|\|\|\||=======|>>>>>>>)(?:[ \r\n]|$)")


@dataclass(frozen=True, slots=True)
class _Piece:
    at: str
    id: str
    data: bytes
    record: Record


def merge(inputs: Sequence[Path], out: Path) -> int:
    """Unite cassettes into `out` and give the number of its records; equal records are kept once.

    Raises `UserError` where two records of one id differ, or where `out` is there but is none of the inputs.
    """
    if out.exists() and not any(out.samefile(path) for path in inputs if path.exists()):
        raise UserError(f"{out}: is there already; name it among the cassettes to unite, or another output")
    united: dict[str, _Piece] = {}
    folders: dict[str, list[Path]] = {}
    for path in inputs:
        for piece in _pieces(path).values():
            folders.setdefault(piece.id, []).append(folder_of(path))
            other = united.setdefault(piece.id, piece)
            if other.data != piece.data:
                raise CassetteError(
                    path, f"record {piece.id} differs from that of the same id in another input"
                )
    return _write(out, united.values(), lambda record_id: tuple(folders[record_id]))


def merge_git(path: Path) -> int:
    """Resolve a cassette that git could not merge, from both sides in the index or from the file's markers.

    Each record that a side has is kept, also one that the other side removed; of one that a single side
    changed its version is taken. Gives the number of records; adding the file is left to the user. Raises
    `UserError` where there is no conflict, or where both sides changed one record.
    """
    sides = _from_index(path) or _from_markers(path)
    with tempfile.TemporaryDirectory(prefix="agy-proxy-") as folder:
        pieces: dict[str, dict[str, _Piece]] = {}
        for side in _SIDES:
            file = Path(folder) / f"{side}.agy.yaml"
            file.write_bytes(sides.get(side) or header())
            try:
                pieces[side] = _pieces(file)
            except CassetteError as error:
                what = f"the side '{side}' is no sound cassette: line {error.line}: {error.what}"
                raise CassetteError(path, what) from error
    united = _united(path, pieces["base"], pieces["ours"], pieces["theirs"])
    return _write(path, united, lambda _: (folder_of(path),))


def _united(
    path: Path, base: Mapping[str, _Piece], ours: Mapping[str, _Piece], theirs: Mapping[str, _Piece]
) -> list[_Piece]:
    united = {**theirs, **ours}
    for record_id in ours.keys() & theirs.keys():
        was, our, their = (_data(side, record_id) for side in (base, ours, theirs))
        if their not in (our, was):
            if our != was:
                what = f"both sides changed the record {record_id}; edit one of them to match the other"
                raise CassetteError(path, what)
            united[record_id] = theirs[record_id]
    return list(united.values())


def _data(side: Mapping[str, _Piece], record_id: str) -> bytes | None:
    piece = side.get(record_id)
    return None if piece is None else piece.data


def _pieces(path: Path) -> dict[str, _Piece]:
    cassette = Cassette.open(path)
    cassette.validate()
    found = {}
    for entry, record in zip(cassette.entries, cassette.records(), strict=True):
        data = cassette.raw(entry)
        whole = data if data.endswith(b"\n") else data + b"\n"
        found[entry.id] = _Piece(record.recorded.at, entry.id, whole, record)
    return found


def _write(out: Path, pieces: Iterable[_Piece], folders: Callable[[str], tuple[Path, ...]]) -> int:
    # Fractions of a second may have any number of digits, and "." sorts before "Z".
    ordered = sorted(pieces, key=lambda piece: (piece.at.rstrip("Z"), piece.id))
    with replacing(out) as file:
        file.write(header())
        for piece in ordered:
            copy_sidecars(piece.record, folders(piece.id), folder_of(out))
            file.write(piece.data)
    return len(ordered)


def _from_index(path: Path) -> dict[str, bytes]:
    found = {}
    for side, stage in _SIDES.items():
        shown = _git(path, "cat-file", "blob", f":{stage}:./{path.name}")
        if shown is not None:
            found[side] = shown
    # Outside of a conflict the index holds stage 0 alone.
    return found if "ours" in found or "theirs" in found else {}


def _from_markers(path: Path) -> dict[str, bytes]:
    try:
        data = path.read_bytes()
    except OSError as error:
        raise CassetteError(path, f"can't be read: {error.strerror}") from error
    sides: dict[str, list[bytes]] = {side: [] for side in _SIDES}
    into = tuple(_SIDES)
    seen: set[bytes] = set()
    for line in io.BytesIO(data):
        marker = _MARKER.match(line)
        if marker is None:
            for side in into:
                sides[side].append(line)
            continue
        seen.add(marker[1])
        into = {
            b"<<<<<<<": ("ours",),
            b"|||||||": ("base",),
            b"=======": ("theirs",),
        }.get(marker[1], tuple(_SIDES))
    if not seen:
        raise CassetteError(
            path, "has no conflict: git holds one version of it, and it has no conflict markers"
        )
    if b"|||||||" not in seen:
        sides["base"] = []
    return {side: b"".join(lines) for side, lines in sides.items()}


def _git(path: Path, *arguments: str) -> bytes | None:
    try:
        done = subprocess.run(
            ["git", "-C", os.fspath(path.absolute().parent), *arguments], capture_output=True, check=False
        )
    except FileNotFoundError:
        return None
    return done.stdout if done.returncode == 0 else None
