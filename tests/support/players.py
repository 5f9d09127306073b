"""A player run as a real process named agy, on a cassette that was built in memory."""

import functools
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from agy_cassettes.interaction import Body, Interaction, Sidecar
from agy_proxy.replay.compile import compile_play_file
from agy_proxy.replay.counts import Played, read_counts
from agy_proxy.replay.misses import Miss, misses
from agy_proxy.shim.bundle import source_roots, write_bundle
from agy_proxy.shim.script import write_shim
from agy_proxy.shim.settings import ShimSettings

STUB = """#!{python} -IS
import sys
sys.path[:0] = {paths!r}
from agy_proxy.shim.isolated.play import main
settings = {settings!r}
main(settings, [word.encode("utf-8", "surrogateescape") for word in sys.argv])
sys.stdout.write("to be recorded " + repr(settings.get("stdin_read")))
sys.stdout.flush()
"""
PATHS = ("ids_file", "play_file", "counts_file", "misses_dir", "cassette", "home", "matchers", "play_folder")
HELPER = (sys.executable, "-m", "agy_proxy.replay.helper")
WRITER = (sys.executable, "-m", "agy_proxy.replay.writer")


@dataclass(frozen=True)
class InMemory:
    """A cassette that is nowhere but here; `bodies` are what its sidecars hold, by their file's name."""

    records: Sequence[Interaction]
    path: Path = Path("/nowhere/in-memory.agy.yaml")
    bodies: Mapping[str, bytes] = field(default_factory=dict)

    def interactions(self) -> Iterator[Interaction]:
        return iter(self.records)

    def read(self, body: Body) -> bytes:
        return self.bodies[body.file] if isinstance(body, Sidecar) else body


@dataclass(frozen=True)
class Player:
    """An executable named agy in a folder of its own, which holds all that it needs."""

    folder: Path
    settings: Mapping[str, Any]

    @property
    def agy(self) -> Path:
        return self.folder / "agy"

    @property
    def home(self) -> Path:
        return self.folder / "home"

    @property
    def store(self) -> Path:
        return self.home / ".gemini" / "antigravity-cli"

    @property
    def played(self) -> Played:
        return read_counts(Path(self.settings["play_file"]), Path(self.settings["counts_file"]))

    @property
    def misses(self) -> tuple[Miss, ...]:
        return misses(Path(self.settings["misses_dir"]))

    def start(
        self, *argv: str | bytes, env: Mapping[str, str] | None = None, **how: Any
    ) -> subprocess.Popen[bytes]:
        how = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE, **how}
        return subprocess.Popen(
            [os.fspath(self.agy), *argv], env={**os.environ, "HOME": str(self.home), **(env or {})}, **how
        )

    def run(
        self, *argv: str | bytes, stdin: bytes | None = None, env: Mapping[str, str] | None = None, **how: Any
    ) -> subprocess.CompletedProcess[bytes]:
        if stdin is not None:
            how["stdin"] = subprocess.PIPE
        with self.start(*argv, env=env, **how) as process:
            out, err = process.communicate(stdin, timeout=60)
        return subprocess.CompletedProcess(argv, process.returncode, out, err)


def player(folder: Path, *records: Interaction, cassette: InMemory | None = None, **settings: Any) -> Player:
    """Compiles the records (or `cassette`) and writes an agy that plays them, by default without waits."""
    folder.mkdir(exist_ok=True)
    (folder / "home").mkdir(exist_ok=True)
    match = {key: settings[key] for key in ("match_on", "matchers") if settings.get(key)}
    if "matchers" in match:
        match["matchers"] = Path(match["matchers"])
    compile_play_file(cassette or InMemory(records), folder / "play", **match)
    return installed(folder, **settings)


@functools.cache
def bundle() -> Path:
    """The shim's code, compiled once for all tests of this process."""
    return write_bundle(Path(tempfile.mkdtemp()))


def installed(folder: Path, *, stub: bool = False, **settings: Any) -> Player:
    """Writes an agy that plays what lies in `folder`: the shim, or a `stub` that calls the player alone."""
    baked: dict[str, Any] = {
        "mode": "replay",
        "play_file": str(folder / "play"),
        "counts_file": str(folder / "counts"),
        "misses_dir": str(folder / "misses"),
        "errors_log": str(folder / "errors.log"),
        "helper": list(HELPER),
        "writer": list(WRITER),
        "speed": "max",
        **settings,
    }
    made = Player(folder, baked)
    if stub:
        roots = [str(root) for root in source_roots()]
        made.agy.write_text(STUB.format(python=sys.executable, paths=roots, settings=baked))
        made.agy.chmod(0o755)
        return made
    own = {key: value for key, value in baked.items() if key not in ("mode", "errors_log", "sigpipe", "real")}
    paths = {key: Path(own[key]) for key in PATHS if own.get(key) is not None}
    (folder / "journals").mkdir(exist_ok=True)
    shim = ShimSettings(
        mode=baked["mode"],
        journal_dir=folder / "journals",
        real=Path(baked["real"]) if "real" in baked else None,
        sigpipe=baked.get("sigpipe", "default"),
        errors_log=Path(baked["errors_log"]),
        replay={**own, **paths},
    )
    write_shim(folder, shim, bundle=bundle())
    return made
