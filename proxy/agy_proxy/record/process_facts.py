"""What a record says of processes: who called, what agy started, who sent which signal, how it ended."""

import os
import signal
from collections.abc import Iterator

from agy_cassettes.interaction import Exit, Process
from agy_proxy.record.facts import Facts
from agy_proxy.record.journal import Journal, Start

FROM_TERMINAL = frozenset(
    (
        *(signal.SIGINT, signal.SIGQUIT, signal.SIGTSTP, signal.SIGWINCH, signal.SIGHUP, signal.SIGCONT),
        *(signal.SIGTTIN, signal.SIGTTOU),
    )
)
"""What the kernel, which has no pid, sends for a terminal."""
OUTPUT = frozenset("oem")


def process_of(journal: Journal, start: Start, facts: Facts) -> Process:
    """Return all that is known of processes; what is not known or did not happen is left out."""
    sent = [{"number": number, "to": to, "from": who} for number, to, who in signals_of(journal, start)]
    told: dict[str, object] = {
        "nested": start.nested or facts.parent is not None,
        "parent": facts.parent,
        "chain": list(facts.chain),
        "started": list(facts.started),
        "unattributed": facts.unattributed,
        "skipped": facts.skipped,
        "peak_memory": peak_memory_of(journal),
        "signals": sent,
        "notes": list(journal.notes()),
    }
    extra = {name: value for name, value in told.items() if value}
    quiet = quiet_of(journal)
    if quiet is not None:
        extra["quiet"] = quiet
    if facts.workspace is None or facts.workspace:
        extra["workspace"] = None if facts.workspace is None else list(facts.workspace)
    return Process(
        client=facts.client,
        killed_by=_killer(journal, start),
        left_behind=facts.left_behind,
        extra=extra,
    )


def exit_of(journal: Journal) -> Exit:
    """Return how agy ended; unknown where nobody saw it."""
    frame = journal.first("x")
    told = b"" if frame is None else frame.payload.partition(b" ")[0]
    if not told.isdigit():
        return Exit()
    status = int(told)
    return Exit(signal=os.WTERMSIG(status)) if os.WIFSIGNALED(status) else Exit(code=os.WEXITSTATUS(status))


def peak_memory_of(journal: Journal) -> int | None:
    """Return the most memory in bytes that agy had, or one that it waited for; None where it isn't known."""
    frame = journal.first("x")
    told = b"" if frame is None else frame.payload.partition(b" ")[2]
    return int(told) if told.isdigit() else None


def quiet_of(journal: Journal) -> float | None:
    """Return the seconds between the last byte that agy wrote while it lived and its exit.

    None where no byte passed through the shim or nobody saw the exit.
    """
    exited = journal.first("x")
    if exited is None:
        return None
    last = max(
        (frame.at for frame in journal.frames if frame.code in OUTPUT and frame.at <= exited.at), default=None
    )
    return None if last is None else round((exited.at - last) / 1e9, 3)


def signals_of(journal: Journal, start: Start) -> Iterator[tuple[int, str, str]]:
    """Tell each signal that went through the shim: its number, to whom (agy or group) and from whom."""
    for frame in journal.frames:
        if frame.code != "s":
            continue
        which, pid, group = map(number, (*frame.payload.split(b" "), b"", b"")[:3])
        if pid:
            who = "the client" if pid == start.ppid else f"process {pid}"
        else:
            who = "the terminal" if which in FROM_TERMINAL else "unknown"
        yield which, "group" if group else "agy", who


def number(digits: bytes) -> int:
    """Return what the digits say, 0 for anything else."""
    return int(digits) if digits.isdigit() else 0


def _killer(journal: Journal, start: Start) -> str | None:
    """Say who sent the signal that agy died of, where it went through the shim."""
    ended = exit_of(journal)
    if ended.signal is None:
        return None
    for which, to, who in signals_of(journal, start):
        if which == ended.signal:
            return f"{_signal_name(which)} to {'the group' if to == 'group' else to} from {who}"
    return None


def _signal_name(which: int) -> str:
    try:
        return signal.Signals(which).name
    except ValueError:
        return f"signal {which}"
