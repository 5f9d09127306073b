"""A program in the place of agy, by itself or behind a recording shim: a caller must see no difference."""

import os
import subprocess
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import psutil

from agy_proxy.record.journal import Journal, list_journals, read_journal
from agy_proxy.shim.bundle import write_bundle
from agy_proxy.shim.script import interpreter, write_shim
from agy_proxy.shim.settings import ShimSettings

PATIENCE = 20
"""Seconds after which a test gives up on a process; nothing is measured by it."""


@dataclass(frozen=True)
class Agy:
    """The program at `path`: the real one where `settings` is None, else a shim in front of it."""

    path: Path
    folder: Path
    settings: ShimSettings | None = None

    @property
    def recorded(self) -> bool:
        return self.settings is not None

    def run(self, *args: str | bytes, **options: Any) -> subprocess.CompletedProcess[bytes]:
        """Runs it to its end with its output captured, stdin empty."""
        if "input" not in options:
            options.setdefault("stdin", subprocess.DEVNULL)
        return subprocess.run(
            [self.path, *args], **{"capture_output": True, "timeout": PATIENCE, "check": False, **options}
        )

    def start(self, *args: str | bytes, **options: Any) -> subprocess.Popen[bytes]:
        options.setdefault("stdin", subprocess.DEVNULL)
        options.setdefault("stdout", subprocess.PIPE)
        options.setdefault("stderr", subprocess.PIPE)
        return subprocess.Popen([self.path, *args], **options)

    @property
    def journals(self) -> Path:
        return self.folder / "journals"

    def journal(self) -> Journal:
        """The journal of the only call so far."""
        (only,) = list_journals(self.journals)
        return read_journal(only)

    def recorded_bytes(self, codes: str) -> bytes:
        return b"".join(frame.payload for frame in self.journal().frames if frame.code in codes)

    def errors(self) -> str:
        log = self.folder / "errors.log"
        return log.read_text() if log.exists() else ""

    def with_settings(self, **changes: Any) -> "Agy":
        """The same shim, written anew with other settings."""
        assert self.settings is not None
        settings = replace(self.settings, **changes)
        write_shim(self.path.parent, settings, bundle=write_bundle(self.folder / "bundle"))
        return replace(self, settings=settings)


def program(folder: Path, text: str, *, sh: bool = False) -> Path:
    """Writes an executable named agy: Python with nothing but what is built in and `os`, or sh."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / "agy"
    path.write_text(("#!/bin/sh\n" if sh else f"#!{interpreter()} -IS\n") + text)
    path.chmod(0o755)
    return path


def direct_agy(folder: Path, text: str, *, sh: bool = False) -> Agy:
    """The program by itself."""
    return Agy(program(folder / "real", text, sh=sh), folder)


def recorded_agy(folder: Path, text: str, *, sh: bool = False, **changes: Any) -> Agy:
    """The program behind a recording shim."""
    return shim_before(program(folder / "real", text, sh=sh), folder, **changes)


def shim_before(real: Path | None, folder: Path, **changes: Any) -> Agy:
    """A recording shim in front of `real`."""
    (folder / "journals").mkdir(parents=True, exist_ok=True)
    settings = ShimSettings(
        **{
            "mode": "record",
            "journal_dir": folder / "journals",
            "run_id": "run",
            "real": real,
            "errors_log": folder / "errors.log",
            **changes,
        }
    )
    shim = write_shim(folder / "bin", settings, bundle=write_bundle(folder / "bundle"))
    return Agy(shim, folder, settings)


def until(condition: Callable[[], bool], what: str) -> None:
    """Waits for something to become true."""
    deadline = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < deadline, f"it never came: {what}"
        time.sleep(0.002)


def processes_of(folder: Path) -> list[psutil.Process]:
    """Living processes whose command line names the folder: shims, standbys, agys and what these left."""
    found = []
    for pid in filter(str.isdigit, os.listdir("/proc")):  # noqa: PTH208 - names are all that is wanted
        try:
            # A zombie's is empty.
            words = Path(f"/proc/{pid}/cmdline").read_bytes()
            if os.fsencode(folder) in words and int(pid) != os.getpid():
                found.append(psutil.Process(int(pid)))
        except (OSError, psutil.NoSuchProcess):
            continue
    return found


def gone(pid: int) -> bool:
    """Whether the process is no more, or only waits for its parent to take note."""
    try:
        return psutil.Process(pid).status() == psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return True


def none_left(folder: Path) -> Iterator[None]:
    """For a fixture: after the test no process of the folder may be left, and none is."""
    yield
    deadline = time.monotonic() + 5
    while (left := processes_of(folder)) and time.monotonic() < deadline:
        time.sleep(0.01)
    told = [(each.pid, each.cmdline()) for each in left if each.is_running()]
    for each in left:
        each.kill()
    assert not told, f"left behind: {told}"


def environment(**changes: str) -> Mapping[str, str]:
    """A small environment."""
    return {"PATH": "/usr/bin:/bin", "HOME": os.environ["HOME"], **changes}
