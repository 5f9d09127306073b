"""Conversation ids in a store that isn't the replay's own: one that is taken is renewed, on all channels.

The ids of a run are kept in a file that its shims share: a line ``<recorded id> <live id>`` for each.
"""

import posix

from agy_proxy.shim.isolated.play_store import STORE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from agy_cassettes.edits import Edit

    Ids = dict[bytes, bytes]

_MOST = 1 << 24


def known_ids(path: "str | bytes") -> "Ids":
    """The live ids of the run by the recorded ones."""
    try:
        fd = posix.open(path, posix.O_RDONLY | posix.O_CLOEXEC | posix.O_NOFOLLOW)
    except FileNotFoundError:
        return {}
    try:
        return _read(fd)
    finally:
        posix.close(fd)


def settle_ids(path: "str | bytes", home: bytes, ids: "Iterable[bytes]") -> "Ids":
    """Decides once in a run what each recorded id is in the store of `home`; gives those that are renewed.

    A new id is drawn where the store has a conversation of that id already.
    """
    flags = posix.O_RDWR | posix.O_CREAT | posix.O_APPEND | posix.O_CLOEXEC | posix.O_NOFOLLOW
    fd = posix.open(path, flags, 0o600)
    try:
        posix.lockf(fd, posix.F_LOCK, 0)
        settled = _read(fd)
        for old in ids:
            if old not in settled:
                settled[old] = _drawn() if _taken(home, old) else old
                posix.write(fd, old + b" " + settled[old] + b"\n")
    finally:
        posix.close(fd)
    return {old: settled[old] for old in ids if settled[old] != old}


def replaced(text: bytes, ids: "Mapping[bytes, bytes]") -> bytes:
    """`text` with each of the ids replaced."""
    for old, new in ids.items():
        text = text.replace(old, new)
    return text


def id_edits(text: bytes, ids: "Mapping[bytes, bytes]") -> "list[Edit]":
    """The edits that replace each of the ids in a stored text."""
    edits = []
    for old, new in ids.items():
        at = text.find(old)
        while at >= 0:
            edits.append((at, at + len(old), new))
            at = text.find(old, at + len(old))
    return edits


def _read(fd: int) -> "Ids":
    lines = posix.pread(fd, _MOST, 0).split(b"\n")
    return {words[0]: words[1] for words in (line.split() for line in lines) if len(words) == 2}


def _taken(home: bytes, name: bytes) -> bool:
    store = b"/".join((home, *STORE))
    for path in (store + b"/brain/" + name, store + b"/conversations/" + name + b".db"):
        try:
            posix.lstat(path)
        except OSError:
            continue
        return True
    return False


def _drawn() -> bytes:
    """A random UUID of version 4, as agy's own are: as long as the one that it stands for."""
    raw = bytearray(posix.urandom(16))
    raw[6] = raw[6] & 0x0F | 0x40
    raw[8] = raw[8] & 0x3F | 0x80
    digits = bytes(raw).hex()
    return "-".join((digits[:8], digits[8:12], digits[12:16], digits[16:20], digits[20:])).encode()
