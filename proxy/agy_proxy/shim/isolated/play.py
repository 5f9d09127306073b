"""The player: what runs as ``agy`` when a call is answered from a cassette.

``main(settings, argv)`` takes the settings baked into the shim, a plain dict, and argv as received, the
program's name first. It plays or refuses and never returns, but in mode ``auto`` where the call is to be
recorded: then it returns None, and what it had to read of stdin, to its end, is ``settings["stdin_read"]``
(bytes; else absent).

Keys (paths are absolute; those with a default may be absent):

- ``mode``: ``replay`` (none: play or refuse) or ``auto`` (play, else record). ``AGY_PROXY_MODE`` in the
  environment may tighten ``auto`` to ``none``, never loosen.
- ``play_file``, ``counts_file``: the compiled cassette and the play counts that the shims of the run share.
- ``helper``: argv of ``agy_proxy.replay.helper``, started only for a stale play file, a match that needs more
  than the default matchers, and a miss. It is sent these settings and reads from them too: ``cassette``,
  ``misses_dir``, ``match_on`` (a tuple, default the default matchers), ``matchers`` and ``redactors`` (paths
  of Python files, or None), ``redact`` (``default`` or ``off``), ``run_id``.
- ``cassette`` (the path) and ``recompile`` (default False): whether a play file that is older than the
  cassette is made anew first, as for an installed shim; a run leaves it as it was compiled.
- ``speed``: a number, default 1, or ``"max"``; it scales waits, never a wait for a signal or for input.
- ``files``: ``all`` (default), ``transcripts`` (the two transcripts and the log file) or ``none``.
- ``store``: ``write`` (default) or ``off`` (only the log file is written); ``workspace`` (default False):
  whether files below the working directory are written.
- ``time``: ``now`` (default) or ``recorded``: the times in rows and log lines.
- ``home``: the HOME whose store is written and whose path ``${HOME}`` is; default the environment's.
- ``allow_repeats`` (default False): whether a recording that was played may be played again.
- ``errors_log``: where it is told that a file could not be written (default: nowhere).
- ``sigpipe``: ``default`` or ``ignore``.
"""

import posix
import time

from agy_cassettes.call import parse_call
from agy_cassettes.edits import moved
from agy_cassettes.places import Places
from agy_cassettes.stored import stored_request
from agy_proxy.shim.isolated import play_process as process
from agy_proxy.shim.isolated import play_store
from agy_proxy.shim.isolated.play_counts import claim
from agy_proxy.shim.isolated.play_file import identity, open_play_file
from agy_proxy.shim.isolated.play_helper import ask
from agy_proxy.shim.isolated.play_input import Lines
from agy_proxy.shim.isolated.play_key import key_of
from agy_proxy.shim.isolated.play_text import Clock, Text, live_edits, scaled

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, MutableMapping
    from typing import Any, NoReturn

    from agy_cassettes.call import Call
    from agy_proxy.shim.isolated.play_file import PlayFile, Record

    Settings = MutableMapping[str, Any]

MILLISECOND = 1_000_000
_TRIES = 8


class Live:
    """The live call.

    What it asks in its stored form, and where its HOME, working directory and log file are.
    """

    __slots__ = ("argv", "cwd", "home", "read_at", "request", "stdin", "tmp")

    def __init__(self, settings: "Settings", argv: list[bytes], env: "Mapping[bytes, bytes]") -> None:
        self.argv = argv
        self.home: bytes | None = _encoded(settings.get("home")) or env.get(b"HOME") or None
        self.cwd: bytes = _cwd()
        self.tmp: bytes = env.get(b"TMPDIR") or b"/tmp"
        self.stdin: bytes | None = None
        self.read_at: int | None = None
        if parse_call([word.decode("utf-8", "surrogateescape") for word in argv[1:]]).prompt_on_stdin:
            self.stdin = process.read_stdin()
            self.read_at = time.monotonic_ns()
        self.request = stored_request(argv, self.stdin, self.cwd, Places(self.home, self.cwd, tmp=self.tmp))

    def key(self) -> bytes:
        """The key under which the play file may hold this call."""
        return key_of(self.request.prompt, self.request.argv[1:])

    def roots(self, settings: "Settings") -> "dict[str, bytes | None]":
        """Where files are written; None where none are."""
        if settings.get("files", "all") == "none":
            return {}
        return {
            "store": self.home if settings.get("store", "write") == "write" else None,
            "log": self.values()["LOG_FILE"],
            "workspace": self.cwd if settings.get("workspace") and self.cwd else None,
        }

    def values(self) -> "dict[str, bytes | None]":
        """What the names in texts stand for; None where the live call has no such place."""
        places = self.request.places.paths
        return {name.decode(): paths[0] if paths else None for name, paths in places.items()}


def main(settings: "Settings", argv: list[bytes]) -> None:
    """Plays the call or refuses it, and then ends this process.

    Returns only where the call is to be recorded.
    """
    start = time.monotonic_ns()
    now = time.time_ns()
    env: dict[bytes, bytes] = posix.environ
    live = Live(settings, argv, env)
    mode = tightened(settings.get("mode", "replay"), env)
    try:
        what, play, found = _decide(settings, live, mode, now)
        if what == "play":
            _play(settings, live, play.record(found), (start, now))
    except (OSError, ValueError) as failed:
        _refuse(f"agy-proxy: the call can't be replayed: {_told(failed)}\n")
    if what == "version":
        process.as_agy(sigpipe_ignored=settings.get("sigpipe") == "ignore")
        process.write(1, found)
        process.end(0, None)
    if what == "refuse":
        _refuse(found)
    if live.stdin is not None:
        settings["stdin_read"] = live.stdin


def tightened(mode: str, env: "Mapping[bytes, bytes]") -> str:
    """The mode after ``AGY_PROXY_MODE``, which may only forbid recording."""
    return "replay" if env.get(b"AGY_PROXY_MODE") in (b"none", b"replay") else mode


def _decide(settings: "Settings", live: Live, mode: str, now: int) -> "tuple[str, Any, Any]":
    """What is to be done.

    ``play`` with the play file and a number, ``version``, ``record``, or ``refuse``.
    """
    key = live.key()
    for _ in range(_TRIES):
        play = _opened(settings)
        # The default matchers decide by the key; others, and own ones, need the helper, but for probes.
        turn = live.request.call.kind == "turn"
        group = None if turn and play.header["custom"] else play.find(key)
        got = claim(
            play, settings["counts_file"], group, now, turn=turn, repeats=bool(settings.get("allow_repeats"))
        )
        if not got.stale:
            break
        play.close()
    else:
        raise ValueError("the play counts belong to another cassette; agy-proxy rewind resets them")
    if got.index is not None:
        return "play", play, got.index
    if group is None and play.header["agy"] is not None and _asks_version(live.request.call):
        return "version", play, play.header["agy"].encode() + b"\n"
    if mode == "auto" and not play.header["custom"] and not play.header["redacted"]:
        return "record", play, None
    what, found = ask(settings, live, mode, got)
    return what, play, found


def _opened(settings: "Settings") -> "PlayFile":
    """The play file, made anew first where it must not be older than the cassette."""
    path = settings["play_file"]
    if not settings.get("recompile"):
        return open_play_file(path)
    try:
        play = open_play_file(path)
        if play.header["identity"] == identity(settings["cassette"]):
            return play
        play.close()
    except (OSError, ValueError):
        # Absent or of another version: made anew as if it were old.
        pass
    what, told = ask(settings, None, "replay", None)
    if what != "compiled":
        _refuse(told)
    return open_play_file(path)


def _asks_version(call: "Call") -> bool:
    return call.flags == (("version", "true"),) and not call.rest and not call.problems


def _play(settings: "Settings", live: Live, record: "Record", begun: tuple[int, int]) -> "NoReturn":
    start, now = begun
    facts = record.facts
    speed = settings.get("speed", 1)
    clock = (
        None if settings.get("time") == "recorded" or facts["at"] is None else Clock(facts["at"], now, speed)
    )
    values = live.values()
    streams = {}
    sizes = {}
    for fd, name, codes in ((1, "stdout", "om"), (2, "stderr", "e")):
        offset, length, marks = facts[name]
        edits = live_edits(marks, values, None)
        streams[fd] = Text(record.read, offset, length, edits)
        counts = [count for _, code, count in facts["timing"] if code in codes]
        sizes[fd] = iter(moved(counts, edits))
    files = _files(settings, live, record, values, clock)
    awaited = {count for _, code, count in facts["timing"] if code == "s" and count in process.AWAITED}
    lines = None if live.request.call.prompt_on_stdin else Lines()
    process.as_agy(sigpipe_ignored=settings.get("sigpipe") == "ignore")
    table = process.Timetable(start, awaited)
    if live.read_at is not None:
        ends = [at for at, code, _ in facts["timing"] if code == "z"]
        table.base = max(start, live.read_at - scaled(ends[0] * MILLISECOND, speed) if ends else start)
    tail = facts["timing"][-1][1] != "x"
    for at, code, count in facts["timing"]:
        due = scaled(at * MILLISECOND, speed)
        if code == "s":
            table.signal(count, due)
            continue
        if code in "iz":
            if lines is not None:
                table.base = max(table.base, lines.wait(count if code == "i" else None) - due)
            continue
        table.until(due)
        if code in "ome":
            fd = 2 if code == "e" else 1
            for piece in streams[fd].take(next(sizes[fd])):
                process.write(fd, piece)
        elif code == "f":
            for _ in range(count):
                next(files)
        elif code == "x" and not (tail and posix.fork() == 0):
            process.end(facts["code"], facts["signal"])
    # What came after the exit is a grandchild's: this process plays it, the one that forked it has ended.
    process.end(0, None)


def _files(
    settings: "Settings",
    live: Live,
    record: "Record",
    values: "dict[str, bytes | None]",
    clock: "Clock | None",
) -> "Iterator[None]":
    """Makes one change of a file at each step; before the first it is made sure that none leads outside."""
    roots = live.roots(settings)
    chosen = settings.get("files", "all")
    for event in record.facts["files"]:
        if chosen == "all" or event["transcript"]:
            play_store.check(roots, event["root"], event["parts"])
            if event["target"] is not None:
                play_store.check(roots, event["root"], event["target"])
    return _changes(settings, record, roots, values, clock)


def _changes(
    settings: "Settings",
    record: "Record",
    roots: "dict[str, bytes | None]",
    values: "dict[str, bytes | None]",
    clock: "Clock | None",
) -> "Iterator[None]":
    chosen = settings.get("files", "all")
    for event in record.facts["files"]:
        if chosen == "all" or event["transcript"]:
            offset, length, marks = event["text"]
            text = Text(record.read, offset, length, live_edits(marks, values, clock))
            pieces = text.take(text.length)
            try:
                play_store.perform(event["op"], roots, event["root"], event["parts"], pieces, event["target"])
            except OSError as failed:
                _note(settings, f"{event['path']} was not written: {_told(failed)}")
        yield


def _note(settings: "Settings", what: str) -> None:
    """A line in the errors log: the client's streams hold nothing but agy's bytes."""
    path = settings.get("errors_log")
    if path is None:
        return
    try:
        fd = posix.open(path, posix.O_WRONLY | posix.O_APPEND | posix.O_CREAT | posix.O_CLOEXEC, 0o600)
    except OSError:
        return
    posix.write(fd, f"replay {posix.getpid()}: {what}\n".encode("utf-8", "backslashreplace"))
    posix.close(fd)


def _refuse(text: str) -> "NoReturn":
    process.write(2, text.encode("utf-8", "surrogateescape"))
    process.end(process.FAILED, None)


def _encoded(text: "str | bytes | None") -> "Any":
    return text.encode("utf-8", "surrogateescape") if isinstance(text, str) else text


def _cwd() -> bytes:
    try:
        return posix.getcwdb()
    except OSError:
        # The folder is gone; nothing is below it.
        return b""


def _told(failed: BaseException) -> str:
    """An error in words that no client takes for agy's, as many of the system's own are."""
    if isinstance(failed, play_store.RefusedError):
        return str(failed.strerror)
    if isinstance(failed, OSError):
        where = "" if failed.filename is None else f" at {failed.filename!s}"
        return f"errno {failed.errno}{where}"
    return str(failed)
