"""Which agy it was: asked once per binary, since one updates itself under its users (contract.md 1.1)."""

import json
import os
import re
import subprocess
import tempfile
from collections.abc import Callable
from pathlib import Path

from agy_proxy.record.journal import Journal, Start

PATIENCE = 5.0
"""Seconds that an agy may take to say its version; about 0.1 is usual."""
_VERSION = re.compile(rb"\s*(?:agy )?([0-9]+\.[0-9]+\.[0-9]+[0-9A-Za-z.+-]{0,40})\s*")

Ask = Callable[[bytes], str | None]


class AgyVersions:
    """The versions of the binaries met so far, kept in the file `state` by path, size and mtime.

    `ask` runs a binary that no recorded call has told about.
    """

    def __init__(self, state: Path, ask: Ask) -> None:
        self._state = state
        self._ask = ask
        self._known = _load(state)

    def of(self, journal: Journal) -> str | None:
        """Return the version of the agy that made this call; None where it can't be known any more."""
        start = journal.start
        if start is None or not start.real_size:
            return None
        key = f"{start.real.decode('utf-8', 'backslashreplace')} {start.real_size} {start.real_mtime_ns}"
        told = told_by(journal)
        if told is not None and self._known.get(key) != told:
            self._keep(key, told)
        if key not in self._known and _is_still_there(start):
            self._keep(key, self._ask(start.real))
        return self._known.get(key)

    def _keep(self, key: str, version: str | None) -> None:
        self._known[key] = version
        descriptor, name = tempfile.mkstemp(dir=self._state.parent, prefix=f".{self._state.name}-")
        with os.fdopen(descriptor, "w", encoding="utf-8") as file:
            json.dump(self._known, file)
        Path(name).replace(self._state)


def told_by(journal: Journal) -> str | None:
    """Return the version that the call itself printed, where it asked for nothing else."""
    start, exited = journal.start, journal.first("x")
    if start is None or exited is None or exited.payload.partition(b" ")[0] != b"0":
        return None
    if start.argv[1:] not in ((b"--version",), (b"-version",)):
        return None
    return parse_version(b"".join(frame.payload for frame in journal.frames if frame.code in "om"))


def parse_version(printed: bytes) -> str | None:
    """Return what ``agy --version`` printed, where that is a version (contract.md 1.4)."""
    found = _VERSION.fullmatch(printed[:200])
    return found[1].decode() if found is not None else None


def ask_agy(real: bytes) -> str | None:
    """Run ``real --version`` in an empty HOME, without its updater; None where it doesn't say in time."""
    with tempfile.TemporaryDirectory(prefix="agy-proxy-version-", ignore_cleanup_errors=True) as home:
        env = {
            "PATH": os.environ.get("PATH", os.defpath),
            "HOME": home,
            "AGY_CLI_DISABLE_AUTO_UPDATE": "true",
        }
        try:
            ran = subprocess.run(
                [real, b"--version"],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                env=env,
                cwd=home,
                timeout=PATIENCE,
                check=False,
            )
        except (OSError, subprocess.SubprocessError):
            return None
    return parse_version(ran.stdout) if ran.returncode == 0 else None


def _is_still_there(start: Start) -> bool:
    try:
        now = os.stat(start.real)  # noqa: PTH116 - bytes
    except OSError:
        return False
    return (now.st_size, now.st_mtime_ns) == (start.real_size, start.real_mtime_ns)


def _load(state: Path) -> dict[str, str | None]:
    try:
        found = json.loads(state.read_bytes())
    except (OSError, ValueError):
        return {}
    return found if isinstance(found, dict) else {}
