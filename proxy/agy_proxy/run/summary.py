"""What a run came to: the summary that ends record, replay and fake."""

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from agy_proxy.report.json_text import json_line
from agy_proxy.report.visible import visible
from agy_proxy.run.client import Ended

Status = Literal["ok", "miss", "unplayed", "incomplete", "no_calls", "client_failed"]

FAILED = 125
"""The exit status of a run that failed although its client succeeded."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Summary:
    """A run's result; `turns` are the calls that cost one, `misses` texts, `unplayed` ids of interactions.

    `counted` is False where the shim only passes calls through and so leaves no trace and no cassette.
    """

    client: Ended
    calls: int
    turns: int
    cassette: Path | None = None
    misses: tuple[str, ...] = ()
    unplayed: tuple[str, ...] = ()
    incomplete: tuple[str, ...] = ()
    saved: int = 0
    fail_unplayed: bool = False
    counted: bool = True
    notices: tuple[str, ...] = field(default_factory=tuple)

    @property
    def status(self) -> Status:
        """The one word for the run, the most telling first."""
        told: tuple[tuple[bool, Status], ...] = (
            (self.counted and self.calls == 0, "no_calls"),
            (bool(self.misses), "miss"),
            (bool(self.incomplete), "incomplete"),
            (self.fail_unplayed and bool(self.unplayed), "unplayed"),
            (not self.client.succeeded, "client_failed"),
        )
        return next((status for holds, status in told if holds), "ok")

    @property
    def ended(self) -> Ended:
        """How the run ends: as its client, or with 125 where the client succeeded and the run failed."""
        if not self.client.succeeded or self.status == "ok":
            return self.client
        return Ended(code=FAILED)


def as_json(summary: Summary) -> dict[str, Any]:
    """The shape of ``--summary-json``; `json_line` writes what in it is not UTF-8."""
    cassette = summary.cassette if summary.counted else None
    return {
        "version": 1,
        "status": summary.status,
        "client_exit": summary.client.as_json(),
        "calls": summary.calls,
        "turns": summary.turns,
        "misses": list(summary.misses),
        "unplayed": list(summary.unplayed),
        "findings": [],
        "cassette": None if cassette is None else str(cassette),
    }


def write_json(summary: Summary, path: Path) -> None:
    """Writes the summary to `path`."""
    path.write_text(json_line(as_json(summary)) + "\n", encoding="utf-8")


def as_lines(summary: Summary) -> list[str]:
    """The summary for people, one fact a line, without the program's name."""
    lines = []
    if summary.status == "no_calls":
        lines.append("the shim was never called")
    lines.extend(summary.notices)
    if summary.counted:
        lines.append(f"{_count(summary.calls, 'call')}, {_count(summary.turns, 'turn')}")
    lines.extend(miss.rstrip("\n") for miss in summary.misses)
    lines.extend(f"incomplete: {each}" for each in summary.incomplete)
    if summary.unplayed:
        lines.append(f"not played: {', '.join(summary.unplayed)}")
    if summary.client.signal is not None:
        lines.append(f"the client was killed by signal {summary.client.signal}")
    elif not summary.client.succeeded:
        lines.append(f"the client exited with {summary.client.code}")
    if summary.saved:
        lines.append(f"saved {_count(summary.saved, 'interaction')} to {summary.cassette}")
    elif summary.cassette is not None and summary.counted:
        lines.append(f"cassette {summary.cassette}")
    return [visible(line) for line in lines]


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
