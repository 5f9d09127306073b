"""Tools of the same trade, installed anew where they are missing: a figure of theirs is always measured."""

import subprocess
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from shutil import which

from tests.bench.trouble import BenchError
from tests.support.environment import base_python, environment

DRIVERS = Path(__file__).parent / "drivers"
NEWEST_MINOR = 19


@dataclass(frozen=True, slots=True)
class Peer:
    """A package at a version, the oldest Python 3 minor that it runs on, and its driver in `drivers`."""

    name: str
    version: str
    minor: int

    @property
    def driver(self) -> Path:
        """The script that uses it as its own pages say."""
        return DRIVERS / f"drive_{self.name.replace('-', '_')}.py"

    def command(self, python: Path, *words: str | Path) -> tuple[str, ...]:
        """The command line that asks its driver for something."""
        return (str(python), str(self.driver), *map(str, words))


SUBPROCESS_VCR = Peer("subprocess-vcr", "0.1.0", 11)
PYTEST_PVCR = Peer("pytest-pvcr", "0.2.0", 12)
VCRPY = Peer("vcrpy", "9.4.2", 11)
PEERS = (SUBPROCESS_VCR, PYTEST_PVCR, VCRPY)


def installed(cache: Path) -> Mapping[Peer, Path]:
    """The interpreter of each peer; raises `BenchError` for one that can't be installed."""
    return {peer: _installed(peer, cache) for peer in PEERS}


def tool(name: str) -> str:
    """The path of a tool of the system; raises `BenchError` where it is missing."""
    found = which(name, path="/usr/bin:/bin")
    if found is None:
        raise BenchError(f"{name} is measured beside the shim, and it is not in /usr/bin; install it")
    return found


def _installed(peer: Peer, cache: Path) -> Path:
    base = _interpreter(peer.minor)
    if base is None:
        raise BenchError(
            f"{peer.name} {peer.version} needs Python 3.{peer.minor} or newer; none was found on PATH or "
            f"beside {sys.base_prefix}; install one"
        )
    try:
        return environment(cache / f"{peer.name}-{peer.version}", f"{peer.name}=={peer.version}", base=base)
    except subprocess.CalledProcessError as error:
        raise BenchError(f"{peer.name} {peer.version} can't be installed: {error}") from error


def _interpreter(minor: int) -> Path | None:
    """The interpreter behind ours if it is new enough, else the oldest other that is."""
    if sys.version_info[:2] >= (3, minor):
        return base_python()
    for candidate in _candidates(minor):
        try:
            # What is found may be a switch between versions, which is slow or has none to switch to.
            asked = subprocess.run(
                [candidate, "-IS", "-c", "import sys; print(sys.version_info[1], sys.executable)"],
                capture_output=True,
                text=True,
                check=True,
            )
        except (OSError, subprocess.CalledProcessError):
            continue
        found, _, path = asked.stdout.strip().partition(" ")
        if int(found) >= minor and path:
            return Path(path)
    return None


def _candidates(minor: int) -> Iterator[Path]:
    """Interpreters on PATH, then those in folders beside ours that are named by version."""
    beside = Path(sys.base_prefix).parent
    for number in range(minor, NEWEST_MINOR):
        name = f"python3.{number}"
        on_path = which(name)
        if on_path is not None:
            yield Path(on_path)
        yield from sorted(beside.glob(f"*3.{number}*/bin/{name}"))
