"""Who called agy and what agy started, as far as looking now and then can tell."""

import shlex
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import psutil

LONGEST = 200
"""Characters of a client's command line that are kept."""
CLOCK_GRAIN = 1.0
"""Seconds by which the kernel's time of a process's creation may be off."""


def command_line(pid: int, *, since: float) -> str | None:
    """Return the process's command line, as many whole words of it as fit into `LONGEST`.

    None where it is gone, or the pid is another's now that began after `since` (seconds of the epoch).
    """
    try:
        process = psutil.Process(pid)
        if process.create_time() > since + CLOCK_GRAIN:
            return None
        return _shortened([shlex.quote(word) for word in process.cmdline()]) or None
    except (psutil.Error, OSError, ValueError):
        return None


class Ancestor(NamedTuple):
    """A process above another."""

    pid: int
    name: str


def ancestors(pid: int, *, since: float) -> tuple[Ancestor, ...]:
    """Return the process and those above it up to the first; nothing where its pid is another's now.

    `since` is as of `command_line`. What ends meanwhile ends the chain.
    """
    found: list[Ancestor] = []
    try:
        while pid:
            process = psutil.Process(pid)
            with process.oneshot():
                if process.create_time() > since + CLOCK_GRAIN:
                    break
                found.append(Ancestor(pid, process.name()))
                pid = process.ppid()
    except (psutil.Error, OSError, ValueError):
        pass
    return tuple(found)


def _shortened(words: Sequence[str]) -> str:
    """Never a part of a word: half a secret is no longer known as one when the record is redacted."""
    line = ""
    for word in words:
        longer = f"{line} {word}" if line else word
        if len(longer) > LONGEST:
            return f"{line} ...".lstrip()
        line = longer
    return line


def started_by(pid: int) -> Mapping[int, tuple[float, str]]:
    """Return the live descendants of a process: pid to the time it was created and its name."""
    found: dict[int, tuple[float, str]] = {}
    try:
        for child in psutil.Process(pid).children(recursive=True):
            with child.oneshot():
                found[child.pid] = (child.create_time(), child.name())
    except (psutil.Error, OSError):
        pass
    return found


def left_behind(seen: Mapping[int, tuple[float, str]]) -> tuple[str, ...]:
    """Return the names of those that are still there, in the order of their pids."""
    names: list[str] = []
    for pid, (created, name) in sorted(seen.items()):
        try:
            process = psutil.Process(pid)
            if process.create_time() == created and process.status() != psutil.STATUS_ZOMBIE:
                names.append(name)
        except (psutil.Error, OSError):
            continue
    return tuple(names)


def names_of(seen: Mapping[int, tuple[float, str]]) -> tuple[str, ...]:
    """Return the names of all of them, in the order in which they were created."""
    return tuple(name for _, _, name in sorted((created, pid, name) for pid, (created, name) in seen.items()))


def open_paths(pid: int) -> tuple[bytes, ...]:
    """Return the paths of regular files that a process holds open."""
    try:
        return tuple(
            file.path.encode("utf-8", "surrogateescape") for file in psutil.Process(pid).open_files()
        )
    except (psutil.Error, OSError, ValueError):
        return ()
