"""Replacing a whole cassette: a new file beside it, then one rename."""

import os
import stat
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from agy_cassettes.emitter import emit_record, header
from agy_cassettes.errors import CassetteError, UserError
from agy_cassettes.interaction import Record
from agy_cassettes.lock import lock_cassette
from agy_cassettes.read_back import refusal
from agy_cassettes.sidecar import copy_sidecars, externalise, folder_of


def replace_whole(path: Path, records: Iterable[Record], *, folders: tuple[Path, ...] = ()) -> int:
    """Put these records in place of a cassette's own, or make it; gives their number.

    `folders` are those of the cassettes that the records come from (`sidecar.folder_of`): bodies
    that lie there are copied. Raises `UserError`; the old file then stays as it was.
    """
    count = 0
    with replacing(path) as file:
        file.write(header())
        for record in records:
            kept = externalise(record, folder_of(path))
            copy_sidecars(kept, folders, folder_of(path))
            try:
                written = emit_record(kept)
            except ValueError as error:
                raise UserError(f"{path}: record {record.id} can't be saved: {error}") from error
            if (why := refusal(written, kept)) is not None:
                raise UserError(f"{path}: record {record.id} was not saved: {why}")
            file.write(written)
            count += 1
    return count


@contextmanager
def replacing(path: Path) -> Iterator[BinaryIO]:
    """Lock a cassette and give a new file that takes its place if all goes well; raises `CassetteError`.

    A symbolic link is refused: the rename would put a file in its place.
    """
    if path.is_symlink():
        raise CassetteError(path, "a symbolic link can't be replaced; name the file that it leads to")
    fd = lock_cassette(path)
    temporary = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    try:
        with temporary.open("xb") as file:
            os.fchmod(file.fileno(), stat.S_IMODE(os.fstat(fd).st_mode))
            yield file
        temporary.replace(path)
    except BaseException as error:
        temporary.unlink(missing_ok=True)
        if isinstance(error, OSError):
            raise CassetteError(path, f"can't be replaced: {error.strerror}") from error
        raise
    finally:
        if os.fstat(fd).st_nlink and os.fstat(fd).st_size == 0:
            path.unlink(missing_ok=True)
        os.close(fd)
