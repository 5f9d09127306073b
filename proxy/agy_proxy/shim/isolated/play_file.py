"""The play file: a cassette compiled so that a call reads the same few pieces, however many calls it holds.

Layout, integers little-endian: ``MAGIC``, u32 length of the header, the header (a marshalled dict), then

- blocks: one per interaction: its marshalled facts, then the raw bytes of its texts;
- requests: one marshalled list for the helper, which the shim never reads;
- buckets: u32 each, one more than there are; bucket b holds the groups from ``bucket[b]`` to ``bucket[b +
  1]``;
- groups: calls that count as the same: 16 bytes digest of the key, u32 first member, u32 count, u32 place of
  the member that repeats freely, counted from 1, or 0;
- members: u32 each, numbers of interactions in recorded order;
- rows: one per interaction: u64 offset of its block, u32 length of the facts, u64 length of the block, u32
  group.

Marshal is used at version 2, which every Python 3 reads; the file lies in a folder of its user alone.
"""

import marshal
import posix
from _imp import source_hash

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    Facts = dict[str, Any]

MAGIC = b"agyplay1"
FORMAT = 3
MARSHAL = 2
HEAD = 16384
"""The header must fit into this many bytes, so that one read gets it."""
GROUP = 28
MEMBER = 4
ROW = 24
BUCKET = 4
AHEAD = 65536
"""So many bytes of a block are read at once."""

_KEYS = (0x6167792D706C6179, 0x63617373657474)


def digest(key: bytes) -> bytes:
    """The 16 bytes under which a key is found.

    Two keyed hashes of 64 bits, the only ones that are built in.
    """
    return source_hash(_KEYS[0], key) + source_hash(_KEYS[1], key)


def bucket_of(wanted: bytes, buckets: int) -> int:
    """The number of the bucket (`buckets` is a power of two) in which a digest lies."""
    return int.from_bytes(wanted[:8], "little") & (buckets - 1)


class Group:
    """Calls that count as the same: `number`, how many, where they are listed, and which one repeats freely.

    `repeater` is its place counted from 1; 0 where all of them are turns.
    """

    __slots__ = ("count", "first", "number", "repeater")

    def __init__(self, number: int, first: int, count: int, repeater: int) -> None:
        self.number = number
        self.first = first
        self.count = count
        self.repeater = repeater


class Record:
    """One interaction's `facts` and `read(offset, count)`, which reads within its texts."""

    __slots__ = ("_ahead", "_fd", "_start", "facts")

    def __init__(self, fd: int, start: int, facts: "Facts", ahead: bytes) -> None:
        self._fd = fd
        self._start = start
        self._ahead = ahead
        self.facts = facts

    def read(self, offset: int, count: int) -> bytes:
        """Up to `count` bytes, at least one, from `offset` of the texts."""
        if offset < len(self._ahead):
            return self._ahead[offset : offset + count]
        found = posix.pread(self._fd, count, self._start + offset)
        if not found:
            raise ValueError("the play file is cut short")
        return found


class PlayFile:
    """An open play file: its `header`, and what the numbers in it lead to."""

    __slots__ = ("fd", "header")

    def __init__(self, fd: int, header: "Facts") -> None:
        self.fd = fd
        self.header = header

    def close(self) -> None:
        """Closes the file."""
        posix.close(self.fd)

    def find(self, key: bytes) -> "Group | None":
        """The `Group` of a key, or None."""
        wanted = digest(key)
        at = self.header["buckets_at"] + BUCKET * bucket_of(wanted, self.header["buckets"])
        edges = self._pread(2 * BUCKET, at)
        low = int.from_bytes(edges[:4], "little")
        high = int.from_bytes(edges[4:], "little")
        if low == high:
            return None
        rows = self._pread((high - low) * GROUP, self.header["groups_at"] + low * GROUP)
        for number in range(low, high):
            row = rows[(number - low) * GROUP :][:GROUP]
            if row[:16] == wanted:
                return _group(number, row)
        return None

    def group(self, number: int) -> Group:
        """The `Group` of this number."""
        return _group(number, self._pread(GROUP, self.header["groups_at"] + number * GROUP))

    def member(self, group: Group, place: int) -> int:
        """The number of the interaction at `place`, from 0, of a group."""
        at = self.header["members_at"] + MEMBER * (group.first + place)
        return int.from_bytes(self._pread(MEMBER, at), "little")

    def group_of(self, index: int) -> int:
        """The number of the group to which interaction `index` belongs."""
        return int.from_bytes(self._row(index)[20:24], "little")

    def record(self, index: int) -> Record:
        """The `Record` of interaction `index`, counted from 0."""
        row = self._row(index)
        offset = int.from_bytes(row[:8], "little")
        facts = int.from_bytes(row[8:12], "little")
        length = int.from_bytes(row[12:20], "little")
        ahead = self._pread(max(facts, min(length, AHEAD)), offset)
        return Record(self.fd, offset + facts, marshal.loads(ahead[:facts]), ahead[facts:])

    def requests(self) -> "list[Facts]":
        """What every interaction asked: one marshalled list, of dicts (for the helper)."""
        found: list[Facts] = marshal.loads(
            self._pread(self.header["requests_length"], self.header["requests_at"])
        )
        return found

    def _row(self, index: int) -> bytes:
        return self._pread(ROW, self.header["rows_at"] + ROW * index)

    def _pread(self, count: int, offset: int) -> bytes:
        found = posix.pread(self.fd, count, offset)
        while 0 < len(found) < count:
            more = posix.pread(self.fd, count - len(found), offset + len(found))
            if not more:
                break
            found += more
        if len(found) != count:
            raise ValueError("the play file is cut short")
        return found


def open_play_file(path: "str | bytes") -> PlayFile:
    """Opens a play file.

    Raises OSError where it can't be opened, ValueError where it is none of this format.
    """
    fd = posix.open(path, posix.O_RDONLY | posix.O_CLOEXEC)
    try:
        return PlayFile(fd, _header(posix.pread(fd, HEAD, 0)))
    except BaseException:
        posix.close(fd)
        raise


def _header(head: bytes) -> "Facts":
    length = int.from_bytes(head[8:12], "little")
    if head[:8] == MAGIC and len(head) >= 12 + length:
        header: Facts = marshal.loads(head[12 : 12 + length])
        if header["format"] == FORMAT and header["probe"] == digest(MAGIC):
            return header
    raise ValueError("not a play file of this version")


def identity(path: "str | bytes") -> "tuple[int, int, int, int] | None":
    """What tells that a cassette changed: size in bytes, mtime_ns, ctime_ns and inode.

    None where there is none.
    """
    try:
        found = posix.stat(path)
    except OSError:
        return None
    return (found.st_size, found.st_mtime_ns, found.st_ctime_ns, found.st_ino)


def _group(number: int, row: bytes) -> Group:
    first = int.from_bytes(row[16:20], "little")
    count = int.from_bytes(row[20:24], "little")
    return Group(number, first, count, int.from_bytes(row[24:28], "little"))
