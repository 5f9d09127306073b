"""Playing: output, files and the end of one interaction, each when it is due."""

import posix

from agy_cassettes.edits import apply, moved
from agy_proxy.shim.isolated import play_process as process
from agy_proxy.shim.isolated import play_store
from agy_proxy.shim.isolated.play_ids import id_edits, replaced, settle_ids
from agy_proxy.shim.isolated.play_text import Clock, Text, live_edits, scaled

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from typing import Any, NoReturn

    from agy_cassettes.edits import Edit
    from agy_proxy.shim.isolated.play_file import Record
    from agy_proxy.shim.isolated.play_live import Live
    from agy_proxy.shim.isolated.play_writer import Writer

    Settings = Mapping[str, Any]
    Place = tuple[int, int, tuple[Any, ...]]

MILLISECOND = 1_000_000
LIST = b"conversation_summaries.db"
DATABASE_FILES = (b"", b"-wal", b"-shm", b"-journal")
"""What lies beside a database (stores.md 4)."""


class Texts:
    """The texts of one interaction as the live call gets them."""

    __slots__ = ("_clock", "_record", "_values", "ids")

    def __init__(self, settings: "Settings", live: "Live", record: "Record", now: int) -> None:
        self._record = record
        self._values = live.values()
        at = record.facts["at"]
        stays = settings.get("time") == "recorded" or at is None
        self._clock = None if stays else Clock(at, now, settings.get("speed", 1))
        self.ids: dict[bytes, bytes] = {}
        if settings.get("store") == "new" and live.home is not None:
            self.ids = settle_ids(settings["ids_file"], live.home, record.facts["ids"])

    def edits(self, place: "Place") -> "list[Edit]":
        """What is replaced in the text that lies at `place`."""
        offset, length, marks = place
        edits = live_edits(marks, self._values, self._clock)
        if self.ids:
            whole = b"".join(Text(self._record.read, offset, length, ()).take(length))
            edits = sorted([*edits, *id_edits(whole, self.ids)])
        return edits

    def name(self, name: bytes, marks: "tuple[Any, ...]") -> bytes:
        """The name of a file; the time in one is moved as those in texts are."""
        return apply(name, live_edits(marks, {}, self._clock)) if marks else name

    def text(self, place: "Place", edits: "list[Edit]") -> Text:
        """The text that lies at `place`."""
        offset, length, _ = place
        return Text(self._record.read, offset, length, edits)


def play_out(
    settings: "Settings",
    live: "Live",
    record: "Record",
    alike: "Callable[[bytes, bytes], bool]",
    *,
    start: int,
    now: int,
) -> "NoReturn":
    """Plays an interaction and ends this process.

    `start` is when the call began, in ns of the monotonic clock, and `now` the same in ns of the epoch. Of
    two lines of input that differ `alike` tells whether they do so in a secret alone.

    Raises
    ------
    `play_store.RefusedError` before the first byte, where a file would lie outside the store;
    `play_input.DepartureError` where other input comes than was recorded.
    """
    facts = record.facts
    speed = settings.get("speed", 1)
    texts = Texts(settings, live, record, now)
    streams = {}
    sizes = {}
    for fd, name, codes in ((1, "stdout", "om"), (2, "stderr", "e")):
        edits = texts.edits(facts[name])
        streams[fd] = texts.text(facts[name], edits)
        sizes[fd] = iter(moved([count for _, code, count in facts["timing"] if code in codes], edits))
    files = Files(settings, live, record, texts)
    files.check()
    files.prepare()
    changes = files.changes()
    process.as_agy(sigpipe_ignored=settings.get("sigpipe") == "ignore")
    table = _timetable(facts, live, texts, _base(facts, live, start, speed), alike)
    wanted = 0
    read = iter(_input_counts(facts, texts))
    tail = facts["timing"][-1][1] != "x"
    for at, code, count in facts["timing"]:
        due = scaled(at * MILLISECOND, speed)
        if code == "s":
            table.signal(count, due)
            continue
        if code in "iz":
            wanted += next(read) if code == "i" else 0
            table.input(wanted if code == "i" else None, due)
            continue
        table.until(due)
        files.settle()
        if code in "ome":
            fd = 2 if code == "e" else 1
            for piece in streams[fd].take(next(sizes[fd])):
                table.write(fd, piece)
        elif code == "f":
            for _ in range(count):
                next(changes)
        elif code == "x":
            if tail and posix.fork() == 0:
                table.leave()
                continue
            files.close(wait=not tail)
            if facts["code"] is None and facts["signal"] is None:
                # Nobody saw it end, mostly since its client ran out of patience, which no speed scales.
                table.await_kill(table.base + at * MILLISECOND)
            process.end(facts["code"], facts["signal"])
    # What came after the exit is a grandchild's: this process plays it, the one that forked it has ended.
    files.close(wait=False)
    process.end(0, None)


class Files:
    """The changes of files that belong to one interaction."""

    __slots__ = ("_begun", "_events", "_log", "_roots", "_texts", "_words", "_writer")

    def __init__(self, settings: "Settings", live: "Live", record: "Record", texts: Texts) -> None:
        self._roots = live.roots(settings)
        wanted = settings.get("files", "all")
        # The others are passed over at their time.
        self._events = [
            event if (wanted == "all" or event["transcript"]) and self._roots.get(event["root"]) else None
            for event in record.facts["files"]
        ]
        self._texts = texts
        self._log = settings.get("errors_log")
        self._words = settings.get("writer")
        self._writer: Writer | None = None
        self._begun = ""

    def check(self) -> None:
        """Raises `play_store.RefusedError` where a file would lie outside the store."""
        for event in self._events:
            if event is None:
                continue
            root, parts = event["root"], self._parts(event, 0)
            play_store.check(self._roots, root, parts, link=event["op"] == "symlink")
            if event["target"] is not None:
                play_store.check(self._roots, root, self._parts(event, 1))
            if event["how"] == "decoded":
                for beside in DATABASE_FILES:
                    play_store.check(self._roots, root, (*parts[:-1], parts[-1] + beside))
                    play_store.check(self._roots, root, (LIST + beside,))

    def prepare(self) -> None:
        """Starts the writer where one is needed, so that it is there in time."""
        if not any(event is not None and event["how"] for event in self._events):
            return
        if self._words is None:
            _note(
                self._log, "this shim is older than the writer of databases and shared files: install it anew"
            )
            return
        # Only such calls need it.
        from agy_proxy.shim.isolated.play_writer import Writer

        self._writer = Writer(self._words, self._log)

    def changes(self) -> "Iterator[None]":
        """Makes one change at each step; one that can't be made is told in the errors log."""
        for event in self._events:
            self.settle()
            if event is not None:
                try:
                    self._change(event)
                except (OSError, ValueError) as failed:
                    self._fail(event["path"], failed)
            yield

    def settle(self) -> None:
        """Waits for what the writer has begun: nothing that comes later is seen before it."""
        if self._writer is not None:
            try:
                self._writer.settle()
            except (OSError, ValueError) as failed:
                self._fail(self._begun, failed)

    def close(self, *, wait: bool) -> None:
        """Lets the writer end; with `wait` what it wrote is in place afterwards."""
        if self._writer is not None:
            self.settle()
            self._writer.close(wait=wait)

    def _fail(self, path: str, failed: Exception) -> None:
        _note(self._log, f"{path} was not written: {told(failed)}")

    def _change(self, event: "Mapping[str, Any]") -> None:
        text = self._texts.text(event["text"], self._texts.edits(event["text"]))
        pieces = text.take(text.length)
        parts = self._parts(event, 0)
        if event["how"] is None:
            target = None if event["target"] is None else self._parts(event, 1)
            play_store.perform(event["op"], self._roots, event["root"], parts, pieces, target)
        elif self._writer is not None:
            self._begun = event["path"]
            stood = event["op"] == "stand" and event["how"] == "decoded"
            how = "stand" if stood else event["how"]
            self._writer.write(how, self._roots["store"] or b"", parts, b"".join(pieces))

    def _parts(self, event: "Mapping[str, Any]", which: int) -> "tuple[bytes, ...]":
        """Where the file, or with 1 its target, lies now."""
        *folders, name = event["target" if which else "parts"] or (b"",)
        name = self._texts.name(name, event["names"][which])
        return tuple(replaced(part, self._texts.ids) for part in (*folders, name) if part)


def _timetable(
    facts: "Mapping[str, Any]",
    live: "Live",
    texts: Texts,
    base: int,
    alike: "Callable[[bytes, bytes], bool]",
) -> process.Timetable:
    """The schedule; in step with the input where that was recorded and was no prompt."""
    awaited = _awaited(facts)
    if facts["lockstep"] is None:
        return process.Timetable(base, awaited)
    # Only such calls need them.
    from agy_proxy.shim.isolated.play_input import Lines, Typed
    from agy_proxy.shim.isolated.play_lockstep import Lockstep

    text = texts.text(facts["stdin"], texts.edits(facts["stdin"]))
    pieces = text.take(text.length)
    if facts["lockstep"] == "lines":
        return Lockstep(base, awaited, Lines(pieces, alike))
    if live.stdin is None:
        from agy_proxy.shim.isolated.play_terminal import make_raw

        make_raw(awaited)
    return Lockstep(base, awaited, Typed(b"".join(pieces)), read=live.stdin)


def _input_counts(facts: "Mapping[str, Any]", texts: Texts) -> "list[int]":
    """How much comes in at each ``i``: lines, or bytes that are typed, in their live form."""
    counts = [count for _, code, count in facts["timing"] if code == "i"]
    if facts["lockstep"] != "typed":
        return counts
    return moved(counts, texts.edits(facts["stdin"]))


def _base(facts: "Mapping[str, Any]", live: "Live", start: int, speed: "float | str") -> int:
    """The start of the schedule, later than the call's where the end of the prompt came later than then."""
    ends = [at for at, code, _ in facts["timing"] if code == "z"]
    if live.read_at is None or not ends:
        return start
    return max(start, live.read_at - scaled(ends[0] * MILLISECOND, speed))


def _awaited(facts: "Mapping[str, Any]") -> "set[int]":
    return {count for _, code, count in facts["timing"] if code == "s" and count in process.AWAITED}


def told(failed: BaseException) -> str:
    """An error in words that no client takes for agy's, as many of the system's own are."""
    if isinstance(failed, play_store.RefusedError):
        return str(failed.strerror)
    if isinstance(failed, OSError):
        where = "" if failed.filename is None else f" at {failed.filename!s}"
        return f"errno {failed.errno}{where}"
    return str(failed) if isinstance(failed, ValueError) else f"{type(failed).__name__}: {failed}"


def _note(path: "str | bytes | None", what: str) -> None:
    """A line in the errors log: the client's streams hold nothing but agy's bytes."""
    if path is None:
        return
    try:
        fd = posix.open(path, posix.O_WRONLY | posix.O_APPEND | posix.O_CREAT | posix.O_CLOEXEC, 0o600)
    except OSError:
        return
    posix.write(fd, f"replay {posix.getpid()}: {what}\n".encode("utf-8", "backslashreplace"))
    posix.close(fd)
