"""The live call that is to be answered."""

import posix
import time

from agy_cassettes.call import parse_call
from agy_cassettes.places import Places
from agy_cassettes.stored import stored_request
from agy_proxy.shim.isolated.play_ids import known_ids, replaced
from agy_proxy.shim.isolated.play_key import key_of
from agy_proxy.shim.isolated.play_process import read_stdin

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    Settings = Mapping[str, Any]


class Live:
    """The live call.

    What it asks in its stored form, and where its HOME, working directory and log file are.
    """

    __slots__ = ("argv", "cwd", "home", "read_at", "request", "stdin", "tmp")

    def __init__(self, settings: "Settings", argv: list[bytes], env: "Mapping[bytes, bytes]") -> None:
        if settings.get("store") == "new":
            recorded = {new: old for old, new in known_ids(settings["ids_file"]).items() if new != old}
            argv = [replaced(word, recorded) for word in argv]
        self.argv = argv
        self.home: bytes | None = _encoded(settings.get("home")) or env.get(b"HOME") or None
        self.cwd: bytes = _cwd()
        self.tmp: bytes = env.get(b"TMPDIR") or b"/tmp"
        self.stdin: bytes | None = None
        self.read_at: int | None = None
        if parse_call([word.decode("utf-8", "surrogateescape") for word in argv[1:]]).prompt_on_stdin:
            self.stdin = read_stdin()
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
            "store": self.home if settings.get("store", "write") != "off" else None,
            "log": self.values()["LOG_FILE"],
            "workspace": self.cwd if settings.get("workspace") and self.cwd else None,
        }

    def values(self) -> "dict[str, bytes | None]":
        """What the names in texts stand for; None where the live call has no such place."""
        places = self.request.places.paths
        return {name.decode(): paths[0] if paths else None for name, paths in places.items()}


def _encoded(text: "str | bytes | None") -> "Any":
    return text.encode("utf-8", "surrogateescape") if isinstance(text, str) else text


def _cwd() -> bytes:
    try:
        return posix.getcwdb()
    except OSError:
        # The folder is gone; nothing is below it.
        return b""
