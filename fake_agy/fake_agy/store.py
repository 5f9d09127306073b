"""The store under ``$HOME/.gemini/antigravity-cli``, as far as the double keeps it (stores.md 1, 4.4)."""

import fcntl
import hashlib
import json
import os
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from fake_agy.go_json import go_json
from fake_agy.transcript import Row, full_line, read_rows, short_line

_ID = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")


class Store(NamedTuple):
    """Where one HOME's conversations lie (`root`), and the double's own progress outside of them (`own`)."""

    root: Path
    own: Path


Rows = tuple[Mapping[str, Any], ...]


def store_of(home: Path) -> Store:
    """Name the two folders below a HOME; nothing is made yet."""
    return Store(home / ".gemini" / "antigravity-cli", home / ".fake-agy")


@contextmanager
def locked(store: Store) -> Iterator[None]:
    """Hold the one lock under which doubles that share a HOME change it; it ends with the process."""
    private_folder(store.own)
    with open_private(store.own / "lock") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


def new_conversation_id(store: Store, seed: int) -> str:
    """Draw the next id, shaped as UUIDv4, from the seed and a counter kept in the store's HOME.

    Call it with the lock held. An id that exists already (the counter was lost) is passed over.
    """
    counter = store.own / "conversations"
    number = int(counter.read_text()) if counter.exists() else 0
    while True:
        number += 1
        drawn = hashlib.sha256(f"fake-agy {seed} {number}".encode()).hexdigest()
        variant = "89ab"[int(drawn[16], 16) % 4]
        identity = f"{drawn[:8]}-{drawn[8:12]}-4{drawn[13:16]}-{variant}{drawn[17:20]}-{drawn[20:32]}"
        if not is_known(store, identity):
            replace_private(counter, str(number))
            return identity


def is_known(store: Store, conversation: str) -> bool:
    """Say whether a conversation exists; an id that isn't shaped as one never does."""
    return bool(_ID.fullmatch(conversation)) and _full(store, conversation).exists()


def rows_of(store: Store, conversation: str) -> Rows:
    """Read a conversation's rows, none where it doesn't exist yet."""
    path = _full(store, conversation)
    return read_rows(path.read_bytes()) if path.exists() else ()


def append_rows(store: Store, conversation: str, decide: Callable[[Rows], Sequence[Row]]) -> Rows:
    """Append the rows that `decide` makes of the rows so far, under the lock; return the rows so far.

    The full transcript comes first: it is what is read back, so a double killed between the two writes
    can't give a step index twice.
    """
    with locked(store):
        before = rows_of(store, conversation)
        rows = decide(before)
        _append(_full(store, conversation), b"".join(map(full_line, rows)))
        _append(_logs(store, conversation) / "transcript.jsonl", b"".join(map(short_line, rows)))
        return before


def last_conversation(store: Store, cwd: str) -> str | None:
    """Give the id that ``--continue`` resumes in this directory, if that conversation still exists."""
    conversation = _last_conversations(store).get(cwd)
    known = isinstance(conversation, str) and is_known(store, conversation)
    return conversation if known else None


def remember_last(store: Store, cwd: str, conversation: str) -> None:
    """Note a directory's newest conversation in ``cache/last_conversations.json``, under the lock."""
    with locked(store):
        entries = {**_last_conversations(store), cwd: conversation}
        replace_private(_last_path(store), go_json(dict(sorted(entries.items()))))


def private_folder(path: Path) -> None:
    """Make a folder and those above it that are missing, each with mode 0700."""
    if not path.is_dir():
        private_folder(path.parent)
        path.mkdir(mode=0o700, exist_ok=True)


@contextmanager
def open_private(path: Path) -> Iterator[int]:
    """Open a file for appending, made with mode 0600 where it is new; gives its descriptor."""
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC, 0o600)
    try:
        yield descriptor
    finally:
        os.close(descriptor)


def replace_private(path: Path, text: str) -> None:
    """Put a file of mode 0600 in place whole, so that a reader never sees half of it."""
    private_folder(path.parent)
    draft = path.with_name(f".{path.name}.{os.getpid()}")
    draft.unlink(missing_ok=True)
    with open_private(draft) as file:
        write_all(file, text.encode())
    draft.replace(path)


def write_all(descriptor: int, data: bytes) -> None:
    """Write all of `data`, in one go wherever the system takes it in one go."""
    while data:
        data = data[os.write(descriptor, data) :]


def _append(path: Path, data: bytes) -> None:
    private_folder(path.parent)
    with open_private(path) as file:
        size = os.fstat(file).st_size
        torn = size > 0 and os.pread(file, 1, size - 1) != b"\n"
        write_all(file, b"\n" * torn + data)


def _last_path(store: Store) -> Path:
    return store.root / "cache" / "last_conversations.json"


def _last_conversations(store: Store) -> dict[str, Any]:
    try:
        entries = json.loads(_last_path(store).read_bytes())
    except (FileNotFoundError, ValueError):
        return {}
    return entries if isinstance(entries, dict) else {}


def _logs(store: Store, conversation: str) -> Path:
    return store.root / "brain" / conversation / ".system_generated" / "logs"


def _full(store: Store, conversation: str) -> Path:
    return _logs(store, conversation) / "transcript_full.jsonl"
