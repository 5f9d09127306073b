"""The command line as a user runs it: a process of its own, in a folder of its own."""

import json
import os
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

TWO_TURNS = """
set -e
agy -p 'My parrot is called Ada.'
agy -c -p 'What did I tell you?'
"""


@dataclass(frozen=True)
class Ended:
    """What a command came to; `status` is negative for death by signal."""

    status: int
    stdout: str
    stderr: str


def agy_proxy(*words: str | Path, cwd: Path, env: Mapping[str, str] | None = None) -> Ended:
    """Runs ``agy-proxy`` with `words` in `cwd`, with no stdin."""
    return run([sys.executable, "-m", "agy_proxy", *map(str, words)], cwd=cwd, env=env)


def run(argv: list[str], *, cwd: Path, env: Mapping[str, str] | None = None) -> Ended:
    """Runs `argv`; `env` is added to this process's environment."""
    ended = subprocess.run(
        argv,
        cwd=cwd,
        env={**os.environ, **(env or {})},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        check=False,
    )
    return Ended(
        ended.returncode,
        ended.stdout.decode("utf-8", "surrogateescape"),
        ended.stderr.decode("utf-8", "surrogateescape"),
    )


def summary_of(path: Path) -> dict[str, Any]:
    """What ``--summary-json`` wrote."""
    written = json.loads(path.read_text(encoding="utf-8"))
    assert isinstance(written, dict)
    return written
