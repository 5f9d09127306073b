"""Bodies too long for a readable file: each in a file of its own beside the cassette, named by its hash."""

import hashlib
import os
import re
import stat
from dataclasses import replace
from pathlib import Path

from agy_cassettes.errors import CassetteError, UserError
from agy_cassettes.interaction import Body, Interaction, Record, Sidecar
from agy_cassettes.limits import INLINE_BYTES

SIDECAR_NAME = re.compile(r"[0-9a-f]{64}\.bin", re.ASCII)


def folder_of(cassette: Path) -> Path:
    """Give the folder of a cassette's sidecars: ``NAME.agy.yaml.d``, beside the file a symlink leads to."""
    real = cassette.resolve()
    return real.with_name(real.name + ".d")


def externalise(record: Record, folder: Path, limit: int = INLINE_BYTES) -> Record:
    """Write each body longer than `limit` bytes to `folder`; give the record that names those files instead.

    Raises `UserError` where that can't be done.
    """
    if not isinstance(record, Interaction):
        return record

    def out(body: Body) -> Body:
        return body if isinstance(body, Sidecar) or len(body) <= limit else write_sidecar(folder, body)

    request, response = record.request, record.response
    stdin = request.stdin
    if isinstance(stdin, str | bytes):
        data = stdin.encode("utf-8", "surrogateescape") if isinstance(stdin, str) else stdin
        stdin = write_sidecar(folder, data) if len(data) > limit else stdin
    return replace(
        record,
        request=replace(request, stdin=stdin),
        response=replace(response, stdout=out(response.stdout), stderr=out(response.stderr)),
        files=tuple(
            event if event.text is None else replace(event, text=out(event.text)) for event in record.files
        ),
    )


def sidecars(record: Record) -> tuple[Sidecar, ...]:
    """Give the sidecars that a record names."""
    if not isinstance(record, Interaction):
        return ()
    bodies = (
        record.request.stdin,
        record.response.stdout,
        record.response.stderr,
        *(event.text for event in record.files),
    )
    return tuple(body for body in bodies if isinstance(body, Sidecar))


def write_sidecar(folder: Path, data: bytes) -> Sidecar:
    """Keep a body in `folder`, once for equal content, and read it back; raises `UserError`."""
    sidecar = Sidecar(f"{hashlib.sha256(data).hexdigest()}.bin", len(data))
    target = folder / sidecar.file
    try:
        folder.mkdir(exist_ok=True)
        if folder.is_symlink():
            raise UserError(f"{folder}: a symbolic link; a cassette's own folder must be a real one")
        if not _holds(folder, sidecar):
            _write_whole(target, data)
            if not _holds(folder, sidecar):
                raise UserError(f"{target}: what was written did not read back the same; is the disk sound?")
    except OSError as error:
        raise UserError(f"{target}: could not be written: {error.strerror}") from error
    return sidecar


def read_sidecar(folder: Path, sidecar: Sidecar) -> bytes:
    """Read a body's file, following no symbolic link, and check its size and hash; raises `CassetteError`."""
    path = folder / sidecar.file
    if SIDECAR_NAME.fullmatch(sidecar.file) is None:
        raise CassetteError(path, "no name of a body's file; it must be SHA256.bin")
    try:
        data = _read(folder, sidecar)
    except OSError as error:
        raise CassetteError(path, f"the body of a record can't be read: {error.strerror}") from error
    if data is None or f"{hashlib.sha256(data).hexdigest()}.bin" != sidecar.file:
        raise CassetteError(
            path, "is not the body that was recorded: its size or hash differs; restore the file"
        )
    return data


def copy_sidecars(record: Record, sources: tuple[Path, ...], folder: Path) -> None:
    """See that `folder` holds every sidecar of a record, copying from the first source that has it.

    Raises `CassetteError` where none has, which names the file of a source: a damaged one if there is one.
    """
    for sidecar in sidecars(record):
        if _holds_quietly(folder, sidecar):
            continue
        source = next((place for place in sources if _holds_quietly(place, sidecar)), None)
        damaged = (place for place in sources if os.path.lexists(place / sidecar.file))
        source = source or next(damaged, sources[0] if sources else folder)
        write_sidecar(folder, read_sidecar(source, sidecar))


def _read(folder: Path, sidecar: Sidecar) -> bytes | None:
    at = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC)
    try:
        # O_NONBLOCK: a FIFO in the file's place must not hold us.
        fd = os.open(sidecar.file, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC, dir_fd=at)
    finally:
        os.close(at)
    with os.fdopen(fd, "rb") as file:
        facts = os.fstat(fd)
        if not stat.S_ISREG(facts.st_mode) or facts.st_size != sidecar.bytes:
            return None
        return file.read(sidecar.bytes)


def _holds(folder: Path, sidecar: Sidecar) -> bool:
    try:
        data = _read(folder, sidecar)
    except FileNotFoundError:
        return False
    return data is not None and f"{hashlib.sha256(data).hexdigest()}.bin" == sidecar.file


def _holds_quietly(folder: Path, sidecar: Sidecar) -> bool:
    try:
        return _holds(folder, sidecar)
    except OSError:
        return False


def _write_whole(target: Path, data: bytes) -> None:
    temporary = target.with_name(f".{target.name}.{os.getpid()}.tmp")
    try:
        with temporary.open("wb") as file:
            file.write(data)
        temporary.replace(target)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise
