"""What a recorder has to know of the cassette it appends to, noted so that no append reads the whole of it.

Others append too, and a cassette may be replaced: under the lock only what is new is looked at.
"""

import hashlib
import os
import re
from pathlib import Path
from typing import BinaryIO

from agy_cassettes.redact.placeholders import highest
from agy_proxy.record.ledger import Ledger, ReadTo

_PART = 1 << 22
_ENDING = 128
"""Bytes before the place where reading goes on that must be the same still: a record's end has its hash."""
_TRANSCRIPT = re.compile(
    rb'path: "(\$\{AGY_HOME\}/(?:brain/[^/"\\]+/\.system_generated/[^"\\]+|conversations/[^/"\\]+\.db))"'
)


def catch_up(ledger: Ledger, cassette: Path) -> None:
    """Read what was added since, called while the cassette is locked.

    Noted are the stored paths of transcripts and of what lies beside them, and the highest number of each
    class of placeholders.
    """
    with cassette.open("rb") as file:
        there = os.fstat(file.fileno())
        identity, known = f"{there.st_dev}:{there.st_ino}", ledger.read_to
        if (identity, _ending(file, known.size)) != (known.identity, known.ending):
            ledger.begin_anew()
        file.seek(ledger.read_to.size)
        # Neither a path nor a placeholder goes over the end of a line.
        while lines := file.readlines(_PART):
            _note(b"".join(lines), ledger)
        ledger.read_to = ReadTo(identity, file.tell(), _ending(file, file.tell()))


def _note(added: bytes, ledger: Ledger) -> None:
    for path in set(_TRANSCRIPT.findall(added)):
        ledger.add_transcript(path.decode("utf-8", "replace"))
    ledger.start_after(highest(added))


def _ending(file: BinaryIO, size: int) -> bytes:
    """Return the hash of the last of the first `size` bytes; of a shorter file it is that of less."""
    file.seek(max(0, size - _ENDING))
    return hashlib.sha256(file.read(min(_ENDING, size))).digest()


def holds_record(cassette: Path, record_id: str) -> bool:
    """Whether a record of that id is in the cassette; reads all of it."""
    wanted = b'\n- id: "%s"\n' % record_id.encode()
    kept = b""
    with cassette.open("rb") as file:
        while part := file.read(_PART):
            if wanted in kept + part:
                return True
            kept = (kept + part)[-len(wanted) :]
    return False
