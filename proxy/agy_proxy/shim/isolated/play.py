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
  of Python files, or None), ``redact`` (``default`` or ``off``), ``play_folder`` (of installed shims: where
  play files lie by the sha256 of their cassette).
- ``writer``: argv of `agy_proxy.replay.writer`, started only for a call that has entries of shared JSON
  files, or databases, to write.
- ``cassette`` (the path) and ``recompile`` (default False): whether a play file that is older than the
  cassette is made anew first, as for an installed shim; a run leaves it as it was compiled.
- ``speed``: a number, default 1, or ``"max"``; it scales waits, never a wait for a signal or for input.
- ``files``: ``all`` (default), ``transcripts`` (the two transcripts and the log file) or ``none``.
- ``store``: ``write`` (default), ``off`` (only the log file is written) or ``new``, for a store that isn't
  the replay's own: ids of conversations that it has already are renewed on all channels, and the shims of the
  run share them in ``ids_file``. ``workspace`` (default False): whether files below the working directory are
  written.
- ``time``: ``now`` (default) or ``recorded``: the times in rows and log lines.
- ``home``: the HOME whose store is written and whose path ``${HOME}`` is; default the environment's.
- ``allow_repeats`` (default False): whether a recording that was played may be played again.
- ``errors_log``: where it is told that a file could not be written (default: nowhere).
- ``sigpipe``: ``default`` or ``ignore``.
"""

import posix
import time

from agy_proxy.shim.isolated import play_process as process
from agy_proxy.shim.isolated.play_counts import claim
from agy_proxy.shim.isolated.play_file import identity, open_play_file
from agy_proxy.shim.isolated.play_helper import ask
from agy_proxy.shim.isolated.play_live import Live
from agy_proxy.shim.isolated.play_out import play_out, told

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, MutableMapping
    from typing import Any, NoReturn

    from agy_cassettes.call import Call
    from agy_proxy.shim.isolated.play_counts import Claim
    from agy_proxy.shim.isolated.play_file import PlayFile

    Settings = MutableMapping[str, Any]

_TRIES = 8


def main(settings: "Settings", argv: list[bytes]) -> None:
    """Plays the call or refuses it, and then ends this process.

    Returns only where the call is to be recorded.
    """
    start = time.monotonic_ns()
    now = time.time_ns()
    env: dict[bytes, bytes] = posix.environ
    live = Live(settings, argv, env)
    process.fill_closed()
    mode = tightened(settings.get("mode", "replay"), env)
    got: Claim | None = None

    def alike(asked: bytes, recorded: bytes) -> bool:
        """Whether two lines differ in what was redacted alone: the helper knows."""
        return b"REDACTED-" in recorded and ask(settings, live, mode, got, (asked, recorded))[0] == "alike"

    try:
        what, play, found, got = _decide(settings, live, mode, now)
        if what == "play":
            record = play.record(found)
            play_out(settings, live, record, alike, start=start, now=now)
    except process.DepartureError as departed:
        differs = (departed.what, departed.number, departed.asked, departed.recorded, record.facts["id"])
        what, found = ask(settings, live, mode, got, differs)
    except Exception as failed:
        # Whatever it is, a client gets one line of it and never the real agy.
        _refuse(f"agy-proxy: the call can't be replayed: {told(failed)}\n")
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


def _decide(settings: "Settings", live: Live, mode: str, now: int) -> "tuple[str, Any, Any, Claim | None]":
    """What is to be done.

    ``play`` with the play file and a number, ``version``, ``record``, or ``refuse``, and what the call got.
    """
    if mode == "auto" and settings.get("recompile") and identity(settings["cassette"]) is None:
        return "record", None, None, None
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
        return "play", play, got.index, got
    if group is None and play.header["agy"] is not None and _asks_version(live.request.call):
        return "version", play, play.header["agy"].encode() + b"\n", got
    if mode == "auto" and not play.header["custom"] and not play.header["redacted"]:
        return "record", play, None, got
    what, found = ask(settings, live, mode, got)
    return what, play, found, got


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


def _refuse(text: str) -> "NoReturn":
    process.undo()
    process.write(2, text.encode("utf-8", "surrogateescape"))
    process.end(process.FAILED, None)
