"""What comes in, compared with what came in when the call was recorded.

Both kinds take input as it arrives, by ``feed``, where b"" is the end of it, raise `DepartureError`, and say
by ``reached`` whether as much came as had come then: lines of `Lines`, bytes of `Typed`.
"""

from agy_cassettes.terminal_replies import split
from agy_proxy.shim.isolated.play_key import placeholders
from agy_proxy.shim.isolated.play_process import DepartureError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

MOST = 1 << 24
"""A line that is longer than the recorded one by this many bytes is another one, whatever follows."""
_KEPT = 1 << 16
_ESCAPES = (b"\x1b", b"\x1b[", b"\x1b]", b"\x1bP")
"""What a key sends by itself; an answer of the terminal may begin so."""


class Lines:
    """Lines, each compared with the recorded one as soon as it is there.

    `recorded` gives the recorded input in pieces and in its live form. Lines are equal whose bytes are, or
    that are the same JSON; of two others `alike` is asked, which knows what was redacted.
    """

    __slots__ = ("_alike", "_pieces", "_recorded", "_rest", "_size", "_wanted", "seen")

    def __init__(self, recorded: "Iterator[bytes]", alike: "Callable[[bytes, bytes], bool]") -> None:
        self.seen = 0
        self._recorded = recorded
        self._rest = b""
        self._alike = alike
        self._pieces: list[bytes] = []
        self._size = 0
        self._wanted = self._next()

    def reached(self, count: int) -> bool:
        """Whether `count` lines have come."""
        return self.seen >= count

    def feed(self, part: bytes) -> None:
        """Takes the next piece of input."""
        if not part:
            if self._pieces:
                self._line(b"".join(self._pieces))
                self._pieces = []
            if self._wanted:
                raise DepartureError("end", self.seen + 1, b"", self._wanted[:_KEPT])
            return
        begin = 0
        while (end := part.find(b"\n", begin) + 1) > 0:
            line = part[begin:end]
            if self._pieces:
                line = b"".join([*self._pieces, line])
                self._pieces = []
                self._size = 0
            self._line(line)
            begin = end
        if begin < len(part):
            self._pieces.append(part[begin:])
            self._size += len(part) - begin
            if self._size > len(self._wanted) + MOST:
                self._depart(b"".join(self._pieces))

    def _line(self, line: bytes) -> None:
        wanted = self._wanted
        # The last line may lack its end, in the recording or now.
        if not wanted or (
            _bare(line) != _bare(wanted) and not same_json(line, wanted) and not self._alike(line, wanted)
        ):
            self._depart(line)
        self.seen += 1
        self._wanted = self._next()

    def _depart(self, line: bytes) -> None:
        what = "line" if self._wanted else "more"
        raise DepartureError(what, self.seen + 1, line[:_KEPT], self._wanted[:_KEPT])

    def _next(self) -> bytes:
        """The next recorded line; empty behind the last."""
        parts = [self._rest]
        end = self._rest.find(b"\n") + 1
        while not end:
            piece = next(self._recorded, b"")
            if not piece:
                self._rest = b""
                return b"".join(parts)
            parts.append(piece)
            end = piece.find(b"\n") + 1
        last = parts.pop()
        parts.append(last[:end])
        self._rest = last[end:]
        return b"".join(parts)


class Typed:
    """What is typed on a terminal, compared byte by byte; what the terminal answers by itself is left out.

    In the place of a secret that was redacted anything may be typed, up to what follows it.
    """

    __slots__ = ("_held", "_hidden", "_recorded", "_within", "seen")

    def __init__(self, recorded: bytes) -> None:
        self.seen = 0
        self._recorded = recorded
        self._hidden = placeholders(recorded)
        self._within = False
        self._held = b""

    def reached(self, count: int) -> bool:
        """Whether `count` bytes were typed."""
        return self.seen >= count

    def feed(self, part: bytes) -> None:
        """Takes the next piece of input."""
        if part:
            typed, _, self._held = split(part, self._held)
            self._compare(typed)
            return
        self.settle(whole=True)
        if self.seen < len(self._recorded):
            raise DepartureError("end", self.seen + 1, b"", self._recorded[self.seen :][:_KEPT])

    @property
    def undecided(self) -> bool:
        """Whether a key was pressed that begins as an answer does."""
        return self._held in _ESCAPES

    def settle(self, *, whole: bool = False) -> None:
        """Takes what is held back for typed: nothing came after it; only a key's own bytes unless `whole`."""
        if self.undecided or whole:
            held, self._held = self._held, b""
            self._compare(held)

    def _compare(self, typed: bytes) -> None:
        while typed:
            if self._within:
                following = self._recorded[self.seen : self.seen + 1]
                at = typed.find(following) if following else -1
                if at < 0:
                    return
                self._within = False
                typed = typed[at:]
            hidden = self._hidden[0] if self._hidden else None
            if hidden is not None and hidden[0] == self.seen:
                # Its first byte counts for all of it: what came out then was out before the next key.
                self.seen = hidden[1]
                self._hidden = self._hidden[1:]
                self._within = True
                typed = typed[1:]
                continue
            room = len(typed) if hidden is None else min(len(typed), hidden[0] - self.seen)
            self._same(typed[:room])
            typed = typed[room:]

    def _same(self, typed: bytes) -> None:
        wanted = self._recorded[self.seen : self.seen + len(typed)]
        if typed != wanted:
            same = 0
            while same < len(wanted) and typed[same] == wanted[same]:
                same += 1
            at = self.seen + same
            what = "typed" if at < len(self._recorded) else "more"
            raise DepartureError(what, at + 1, typed[same:][:_KEPT], self._recorded[at:][:_KEPT])
        self.seen += len(typed)


def same_json(one: bytes, other: bytes) -> bool:
    """Whether both are JSON and mean the same."""
    try:
        # Not built into every Python, and needed only where the bytes differ.
        from _json import make_scanner

        # typeshed knows the json package's own context only.
        scan = make_scanner(_Reading())  # type: ignore[arg-type]
        values = []
        for line in (one, other):
            text = line.decode().strip(" \t\r\n")
            value, end = scan(text, 0)
            if end != len(text):
                return False
            values.append(value)
        return _equal(*values)
    except (ValueError, StopIteration, RecursionError, SystemError, ImportError):
        # SystemError: what 3.11 makes of its own error while the json package isn't imported.
        return False


class _Reading:
    """What the scanner asks of its caller."""

    strict = True
    object_hook = None
    object_pairs_hook = None
    parse_float = float
    parse_int = int

    def __init__(self) -> None:
        self.memo: dict[str, str] = {}

    def parse_constant(self, name: str) -> float:
        raise ValueError(name)


def _equal(one: object, other: object) -> bool:
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(_equal(value, other[key]) for key, value in one.items())
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(_equal, one, other))
    # To Python true is 1.
    return one == other and isinstance(one, bool) == isinstance(other, bool)


def _bare(line: bytes) -> bytes:
    return line[:-1] if line.endswith(b"\n") else line
