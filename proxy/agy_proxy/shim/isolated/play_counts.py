"""The play counts: a file that the shims of a run share, in which each call claims the interaction it plays.

Layout, integers little-endian: ``MAGIC``, the 16 bytes stamp of the play file, u64 calls and u64 turns so
far, then a slot per interaction (u32 plays, u32 pid, u64 time in ns, u32 number of the call, 4 spare) and a
u32 cursor per group. The file is sparse and a claim touches one slot and one cursor. A cursor is a hint; the
slots are the truth.
"""

import posix

TYPE_CHECKING = False
if TYPE_CHECKING:
    from agy_proxy.shim.isolated.play_file import Group, PlayFile

    Slot = tuple[int, int, int, int]

MAGIC = b"agycnts1"
HEAD = 40
SLOT = 24


class Claim:
    """What a call got.

    `call` and `turn` are its numbers in the run, from 1; `index` is the interaction to play, or None. `stale`
    tells that the counts belong to another play file, and nothing was counted.
    """

    __slots__ = ("call", "index", "stale", "turn")

    def __init__(self, numbers: "tuple[int, int] | None", index: "int | None") -> None:
        self.stale = numbers is None
        self.call, self.turn = numbers or (0, 0)
        self.index = index


class Counts:
    """The counts file, open and locked until `close`."""

    __slots__ = ("_fd", "_interactions")

    def __init__(self, path: "str | bytes", interactions: int) -> None:
        flags = posix.O_RDWR | posix.O_CREAT | posix.O_CLOEXEC | posix.O_NOFOLLOW
        self._fd = posix.open(path, flags, 0o600)
        self._interactions = interactions
        posix.lockf(self._fd, posix.F_LOCK, 0)

    def close(self) -> None:
        """Closes the file, which lets the next shim in."""
        posix.close(self._fd)

    def begin(self, stamp: bytes, *, turn: bool) -> "tuple[int, int] | None":
        """Counts this call and, where `turn` is true, this turn: the two numbers, from 1.

        None where the file belongs to a play file with another stamp.
        """
        head = posix.pread(self._fd, HEAD, 0)
        if len(head) < HEAD:
            head = MAGIC + stamp + bytes(16)
        if head[:8] != MAGIC or head[8:24] != stamp:
            return None
        call = int.from_bytes(head[24:32], "little") + 1
        turns = int.from_bytes(head[32:40], "little") + turn
        posix.pwrite(self._fd, head[:24] + call.to_bytes(8, "little") + turns.to_bytes(8, "little"), 0)
        return call, turns

    def stamp(self) -> bytes:
        """The stamp of the play file to which the counts belong; empty where there are none yet."""
        return posix.pread(self._fd, 16, 8)

    def reset(self) -> bool:
        """Forgets all counts; whether there were any."""
        had = len(posix.pread(self._fd, HEAD, 0)) == HEAD
        posix.ftruncate(self._fd, 0)
        return had

    def calls(self) -> int:
        """How many calls there were."""
        return int.from_bytes(posix.pread(self._fd, 8, 24), "little")

    def slot(self, index: int) -> "Slot":
        """Of interaction `index`.

        How often it was played, and the last one's pid, time in ns and call number.
        """
        row = posix.pread(self._fd, SLOT, HEAD + SLOT * index)
        if len(row) < SLOT:
            return (0, 0, 0, 0)
        return (
            int.from_bytes(row[:4], "little"),
            int.from_bytes(row[4:8], "little"),
            int.from_bytes(row[8:16], "little"),
            int.from_bytes(row[16:20], "little"),
        )

    def play(self, index: int, call: int, pid: int, now: int) -> None:
        """Writes down that process `pid` plays interaction `index` at `now`, in ns."""
        self.keep(index, (self.slot(index)[0] + 1, pid, now, call))

    def keep(self, index: int, slot: "Slot") -> None:
        """Writes what `slot` gives."""
        count, pid, now, call = slot
        row = count.to_bytes(4, "little") + pid.to_bytes(4, "little")
        row += now.to_bytes(8, "little") + call.to_bytes(4, "little") + bytes(4)
        posix.pwrite(self._fd, row, HEAD + SLOT * index)

    def renew(self, stamp: bytes) -> None:
        """Forgets what was played, but not how many calls and turns there were; belongs to `stamp` now."""
        numbers = posix.pread(self._fd, 16, 24)
        posix.ftruncate(self._fd, 0)
        posix.pwrite(self._fd, MAGIC + stamp + (numbers if len(numbers) == 16 else bytes(16)), 0)

    def cursor(self, group: int) -> int:
        """So many of the group's interactions are known to be played."""
        row = posix.pread(self._fd, 4, self._cursor_at(group))
        return int.from_bytes(row, "little")

    def advance(self, group: int, cursor: int) -> None:
        """Moves the cursor of a group."""
        posix.pwrite(self._fd, cursor.to_bytes(4, "little"), self._cursor_at(group))

    def _cursor_at(self, group: int) -> int:
        return HEAD + SLOT * self._interactions + 4 * group


def claim(
    play: "PlayFile", path: "str | bytes", group: "Group | None", now: int, *, turn: bool, repeats: bool
) -> Claim:
    """Claims for this process the next interaction of `group`; with None for it the call is only counted.

    In recorded order, once each; then the one that repeats freely again, or where `repeats` is true the last.
    """
    counts = Counts(path, play.header["interactions"])
    try:
        numbers = counts.begin(play.header["stamp"], turn=turn)
        if numbers is None or group is None:
            return Claim(numbers, None)
        cursor = counts.cursor(group.number)
        while cursor < group.count and counts.slot(play.member(group, cursor))[0]:
            cursor += 1
        counts.advance(group.number, min(cursor + 1, group.count))
        if cursor == group.count:
            cursor = (group.count if repeats else group.repeater) - 1
            if cursor < 0:
                return Claim(numbers, None)
        index = play.member(group, cursor)
        counts.play(index, numbers[0], posix.getpid(), now)
        return Claim(numbers, index)
    finally:
        counts.close()
