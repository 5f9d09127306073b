"""What a recorder remembers of the cassette it appends to, so that no append reads the whole of it.

Others append too, and a cassette may be replaced: under the lock only what is new is looked at.
"""

import json
import os
import re
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from agy_cassettes.redact.placeholders import highest

_TRANSCRIPT = re.compile(
    rb'path: "(\$\{AGY_HOME\}/brain/[^/"\\]+/\.system_generated/logs/transcript(?:_full)?\.jsonl)"'
)


@dataclass(frozen=True, slots=True)
class CassetteNotes:
    """The file that was read (`identity`) and how far (`size`), and what is in it by then.

    `transcripts` are stored paths, `numbers` the highest of each class of placeholders.
    """

    identity: str = ""
    size: int = 0
    transcripts: frozenset[str] = frozenset()
    numbers: Mapping[str, int] = field(default_factory=dict)

    @classmethod
    def load(cls, path: Path) -> "CassetteNotes":
        """Return what `save` wrote; nothing where there is no such file, or another one."""
        try:
            found = json.loads(path.read_bytes())
            numbers = {str(name): int(number) for name, number in found["numbers"].items()}
            return cls(str(found["identity"]), int(found["size"]), frozenset(found["transcripts"]), numbers)
        except (OSError, ValueError, KeyError, TypeError, AttributeError):
            return cls()

    def save(self, path: Path) -> None:
        """Write the notes, readable by their owner only; the file is replaced whole."""
        told = {
            "identity": self.identity,
            "size": self.size,
            "transcripts": sorted(self.transcripts),
            "numbers": dict(self.numbers),
        }
        descriptor, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}-")
        with os.fdopen(descriptor, "w", encoding="utf-8") as file:
            json.dump(told, file)
        Path(name).replace(path)


def caught_up(notes: CassetteNotes, cassette: Path) -> CassetteNotes:
    """Read what was added since, and return the new notes; called while the cassette is locked."""
    with cassette.open("rb") as file:
        there = os.fstat(file.fileno())
        identity = f"{there.st_dev}:{there.st_ino}"
        if identity != notes.identity or there.st_size < notes.size:
            notes = CassetteNotes(identity)
        if there.st_size == notes.size:
            return notes
        file.seek(notes.size)
        added = file.read()
    paths = {found.decode("utf-8", "replace") for found in _TRANSCRIPT.findall(added)}
    numbers = dict(notes.numbers)
    for name, number in highest(added).items():
        numbers[name] = max(number, numbers.get(name, 0))
    return CassetteNotes(identity, there.st_size, notes.transcripts | paths, numbers)


def holds_record(cassette: Path, record_id: str) -> bool:
    """Whether a record of that id is in the cassette; reads all of it."""
    wanted = b'\n- id: "%s"\n' % record_id.encode()
    kept = b""
    with cassette.open("rb") as file:
        while part := file.read(1 << 22):
            if wanted in kept + part:
                return True
            kept = (kept + part)[-len(wanted) :]
    return False
