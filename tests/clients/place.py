"""Where a client runs: a HOME, a workspace and the double, with nothing of the caller's environment."""

import json
import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

AGY_VERSION = "1.2.10"
TOOL = (sys.executable, "-m", "agy_proxy")


class FailedError(Exception):
    """A client did not do what its recipe says."""


@dataclass(frozen=True)
class Place:
    """Absolute folders; `agy` is the double. `env` is added to what every program here is given."""

    home: Path
    workspace: Path
    agy: Path
    env: Mapping[str, str] = field(default_factory=dict)

    @property
    def store(self) -> Path:
        """The root of the store that the double keeps."""
        return self.home / ".gemini" / "antigravity-cli"

    def environment(self, *, path: bool = True) -> dict[str, str]:
        """What a client is given; without `path` it finds no agy on PATH."""
        folders = (str(self.agy.parent), "/usr/bin", "/bin") if path else ("/usr/bin", "/bin")
        fixed = {"HOME": str(self.home), "PATH": ":".join(folders), "LANG": "C.UTF-8", "USER": "tester"}
        return {**fixed, **self.env}

    def run(
        self, argv: Sequence[str | Path], *, path: bool = True, stdin: str = "", code: int = 0
    ) -> subprocess.CompletedProcess[str]:
        """Run a program in the workspace; raises `FailedError` where its status is not `code`."""
        ended = subprocess.run(
            argv,
            cwd=self.workspace,
            env=self.environment(path=path),
            input=stdin,
            capture_output=True,
            text=True,
            check=False,
            timeout=120,
        )
        if ended.returncode != code:
            raise FailedError(f"exit {ended.returncode}, not {code}, of {argv}\n{ended.stdout}{ended.stderr}")
        return ended

    def facts(self, argv: Sequence[str | Path], *, path: bool = True) -> dict[str, Any]:
        """Run a driver and read the JSON object that it prints as its last line."""
        printed = self.run(argv, path=path).stdout
        _, _, last = printed.rstrip("\n").rpartition("\n")
        if not last.startswith("{"):
            raise FailedError(f"{argv} printed no facts: {printed!r}")
        found: dict[str, Any] = json.loads(last)
        return found


def made(base: Path, *, env: Mapping[str, str] | None = None, switches: Sequence[str] = ()) -> Place:
    """A place below `base` with an empty store; the double stands at ``~/.local/bin/agy``.

    `switches` are ``NAME=VALUE``, for a double that behaves otherwise than its version.
    """
    place = Place(base / "home", base / "workspace", base / "home" / ".local" / "bin" / "agy", env or {})
    for folder in (place.workspace, place.agy.parent):
        folder.mkdir(parents=True)
    switched = [word for switch in switches for word in ("--switch", switch)]
    ended = subprocess.run(
        [*TOOL, "install", str(place.agy.parent), "--fake", "--agy-version", AGY_VERSION, *switched],
        check=False,
        capture_output=True,
        text=True,
        env={**os.environ, "HOME": str(place.home)},
    )
    if ended.returncode:
        raise FailedError(f"no double could be installed: {ended.stderr}")
    return place
