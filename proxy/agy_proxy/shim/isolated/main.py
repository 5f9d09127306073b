"""What runs as ``agy``: one call, recorded, played or passed through as the settings say."""

import posix
import sys

from agy_proxy.shim.isolated import signals
from agy_proxy.shim.isolated.environment import take_from_shell, undo_python
from agy_proxy.shim.isolated.real import FAILED, become, find_real, give_up, read_file

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, MutableMapping
    from typing import Any, NoReturn


MODES = (b"", b"once", b"new_episodes", b"all", b"rewrite", b"passthrough")
"""What ``AGY_PROXY_MODE`` may say without any effect."""


def main(settings: "MutableMapping[str, Any]", mask: "set[int]") -> "NoReturn":
    """Runs one call; `mask` is the caller's signal mask, and all signals are blocked.

    The settings are those of `agy_proxy.shim.settings`. It never returns.
    """
    env: Mapping[bytes, bytes] = posix.environ
    take_from_shell(settings.get("shell_environment"))
    shim = sys.argv[0].encode(sys.getfilesystemencoding(), "surrogateescape")
    argv = [b"agy", *_arguments()]
    mode = _tightened(settings, env)
    if mode in ("replay", "auto"):
        _play(settings, argv, mask)
    found = find_real(settings.get("real"), shim, env)
    pipe_ignored = settings.get("sigpipe") == "ignore"
    if found.path is None:
        signals.hand_back(mask, pipe_ignored=pipe_ignored)
        give_up(found.status, found.why)
    if mode in ("record", "auto"):
        from agy_proxy.shim.isolated.record import record

        record(settings, argv, found.path, shim, mask)
    signals.hand_back(mask, pipe_ignored=pipe_ignored)
    undo_python()
    become(found.path, argv)


def _tightened(settings: "Mapping[str, Any]", env: "Mapping[bytes, bytes]") -> str:
    """The mode after ``AGY_PROXY_MODE``, which may forbid the real agy and never allow it.

    A word that is no mode is refused: a switch that is meant for safety must not be misread.
    """
    mode: str = settings["mode"]
    wanted = env.get(b"AGY_PROXY_MODE", b"")
    if wanted in (b"none", b"replay"):
        return mode if mode == "fake" else "replay"
    if wanted not in MODES:
        give_up(FAILED, "AGY_PROXY_MODE is no record mode; use none, or unset it")
    return mode


def _play(settings: "MutableMapping[str, Any]", argv: "list[bytes]", mask: "set[int]") -> None:
    """Plays the call or refuses it; returns only where it is to be recorded."""
    signals.hand_back(mask, pipe_ignored=settings.get("sigpipe") == "ignore")
    if settings.get("play_file") is None:
        give_up(FAILED, "AGY_PROXY_MODE forbids the real agy, and this shim has no cassette to play from")
    from agy_proxy.shim.isolated import play

    play.main(settings, argv)
    signals.block_all()


def _arguments() -> "list[bytes]":
    """The arguments as the caller's bytes: what Python decoded need not encode to the same."""
    count = len(sys.argv) - 1
    try:
        words = read_file(b"/proc/self/cmdline").split(b"\0")[:-1]
    except OSError:
        words = []
    if count and len(words) > count:
        return words[-count:]
    encoding = sys.getfilesystemencoding()
    return [word.encode(encoding, "surrogateescape") for word in sys.argv[1:]]
