"""What is known of a call beside its journal: files that changed, what went into files, who was there."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from agy_cassettes.interaction import FileOp


@dataclass(frozen=True, slots=True, kw_only=True)
class WitnessedFile:
    """One change of a file, seen at `at` (CLOCK_MONOTONIC ns).

    `create` and `append` add `data` behind the `before` bytes that were there. `truncate` and `replace` put
    `data` in the place of the whole file: the same file cut and written again, or another one. `stood` marks
    what was there before the call began, told once per cassette so that a replay has a file to append to.
    `merge`: the data are entries of a file that others share; `decoded`: lines of steps for a database. A
    `symlink` points to `target`, its neighbour.
    """

    at: int
    op: FileOp
    path: bytes
    data: bytes = b""
    before: int | None = None
    approx: bool = False
    stood: bool = False
    merge: bool = False
    decoded: bool = False
    target: bytes | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadBack:
    """What a stream left in a regular file; `growth` holds times (ns) with the bytes there by then.

    `doubtful` where its end may be what the client wrote, as soon as it had killed the call.
    """

    data: bytes
    growth: tuple[tuple[int, int], ...] = ()
    whole: bool = True
    doubtful: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Facts:
    """All of it for one call; `unattributed` counts changes that may as well be another call's."""

    agy: str | None = None
    """The version of the real agy."""
    files: tuple[WitnessedFile, ...] = ()
    growth: Mapping[str, tuple[tuple[int, int], ...]] = field(default_factory=dict)
    """For ``stdout`` and ``stderr`` in a file: times (ns) and the bytes this call had put there by then."""
    stdout: ReadBack | None = None
    stderr: ReadBack | None = None
    shared: tuple[str, ...] = ()
    """Those of ``stdout`` and ``stderr`` that may hold what others wrote into the same file."""
    client: str | None = None
    chain: tuple[str, ...] = ()
    """The names of the processes above the shim, the client first."""
    started: tuple[str, ...] = ()
    """The names of the processes below agy that were seen."""
    left_behind: tuple[str, ...] = ()
    parent: str | None = None
    """The record of the call whose agy called this one."""
    unattributed: int = 0
    workspace: tuple[Mapping[str, Any], ...] | None = ()
    """What changed below the working folder, as a record lists it; None where that can't be told."""
    skipped: int = 0
    """Files of the store that were not recorded, being no text or too large."""
