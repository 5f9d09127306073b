"""The start record of a call: what the shim knows before agy runs."""

import posix
import time

from agy_cassettes.call import parse_call
from agy_proxy.shim.isolated.journal import netstrings

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from agy_cassettes.call import Call
    from agy_proxy.shim.isolated.streams import Streams

KEPT = (b"TERM", b"LANG", b"LC_ALL", b"CI", b"NO_COLOR", b"COLUMNS", b"LINES")
"""Variables that say how agy should print; no other but ``AGY_CLI_*`` is written down."""

STORE = b"/.gemini/antigravity-cli"
_LOGS = b"/.system_generated/logs/"
_TRANSCRIPTS = (b"transcript.jsonl", b"transcript_full.jsonl")


def call_of(argv: "list[bytes]") -> "Call":
    """What these arguments, the program's name first, ask for."""
    return parse_call([word.decode("utf-8", "surrogateescape") for word in argv[1:]])


def start_record(
    facts: "Mapping[bytes, bytes]", argv: "list[bytes]", real: bytes, streams: "Streams", call: "Call"
) -> bytes:
    """The payload of an ``S`` frame: netstrings, keys and values in turn.

    ``before`` holds such pairs too: the path of a file that agy may write, and its size, for
    last_conversations.json also ``:mtime_ns``; ``-`` where there is none.
    """
    env: Mapping[bytes, bytes] = posix.environ
    cwd = _cwd()
    items = {**facts, b"argv": b"\0".join(argv), b"cwd": cwd, b"real": real}
    items[b"env"] = b"\0".join(
        name + b"=" + value for name, value in env.items() if name in KEPT or name.startswith(b"AGY_CLI_")
    )
    items[b"home"] = env.get(b"HOME", b"")
    items[b"tmp"] = env.get(b"TMPDIR") or b"/tmp"
    items[b"pid"], items[b"ppid"] = b"%d" % posix.getpid(), b"%d" % posix.getppid()
    items[b"nested"] = b"1" if env.get(b"ANTIGRAVITY_AGENT") else b"0"
    try:
        status = posix.stat(real)
        items[b"real_size"], items[b"real_mtime_ns"] = b"%d" % status.st_size, b"%d" % status.st_mtime_ns
    except OSError:
        # It vanished just now; executing it will tell.
        pass
    for fd, name in enumerate((b"stdin", b"stdout", b"stderr")):
        items[name] = streams.kinds[fd].encode()
        if fd in streams.files:
            items[name + b"_offset"] = b"%d" % streams.files[fd]
            items[name + b"_file"] = _file(fd)
    if streams.size is not None:
        items[b"tty"] = streams.size
    if streams.terminal:
        items[b"terminal"] = streams.terminal.encode()
    items[b"before"] = netstrings(*_before(call, items[b"home"], cwd))
    items[b"realtime_ns"] = facts.get(b"realtime_ns") or b"%d" % time.time_ns()
    return netstrings(*[part for pair in items.items() for part in pair])


def _before(call: "Call", home: bytes, cwd: bytes) -> "list[bytes]":
    pairs = []
    if home:
        asked = (call.conversation or "").encode("utf-8", "surrogateescape")
        if asked and b"/" not in asked and b"\0" not in asked:
            for name in _TRANSCRIPTS:
                pairs += _sized(home + STORE + b"/brain/" + asked + _LOGS + name)
        pairs += _sized(home + STORE + b"/cache/last_conversations.json", timed=True)
    if call.log_file:
        path = call.log_file.encode("utf-8", "surrogateescape")
        pairs += _sized(path if path.startswith(b"/") else cwd + b"/" + path)
    return pairs


def _sized(path: bytes, *, timed: bool = False) -> "list[bytes]":
    try:
        status = posix.stat(path)
    except (OSError, ValueError):
        return [path, b"-"]
    return [path, b"%d:%d" % (status.st_size, status.st_mtime_ns) if timed else b"%d" % status.st_size]


def _file(fd: int) -> bytes:
    status = posix.fstat(fd)
    try:
        path = posix.readlink(b"/proc/self/fd/%d" % fd)
    except OSError:
        path = b""
    return b"%d:%d %b" % (status.st_dev, status.st_ino, path)


def _cwd() -> bytes:
    try:
        return posix.getcwdb()
    except OSError:
        # The folder is gone; agy is started in it all the same.
        return b""
