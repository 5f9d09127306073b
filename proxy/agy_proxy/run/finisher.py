"""Saves the calls of a run while it goes on, so that a long run loses nothing at its end."""

import threading
from dataclasses import dataclass, replace
from pathlib import Path
from types import TracebackType
from typing import Self

from agy_proxy.record.finish import FinishReport, Target, finish_run
from agy_proxy.record.witness import Witness

LOOK_EVERY = 0.2
"""Seconds between two looks for calls that are over."""

PATIENCE = 10.0
"""Seconds that calls may go on after the client's end; then they are saved as they are, incomplete."""


@dataclass(frozen=True, slots=True)
class Finished:
    """What was saved of a run; `cut_short` are the ids of calls that went on when it had to end."""

    report: FinishReport
    cut_short: tuple[str, ...] = ()

    @property
    def killed(self) -> tuple[str, ...]:
        """Ids of calls that were killed, so that nobody saw their end."""
        return tuple(each for each in self.report.incomplete if each not in self.cut_short)


class Finisher:
    """A thread that appends what is over; `finish` ends it and saves the rest."""

    def __init__(self, journals: Path, target: Target, witness: Witness) -> None:
        self._journals = journals
        self._target = target
        self._witness = witness
        self._stopping = threading.Event()
        self._report = FinishReport()
        self._thread = threading.Thread(target=self._work, name="agy-proxy finisher", daemon=True)

    def __enter__(self) -> Self:
        """Arms the witness before any call, and begins."""
        self._witness.start()
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Ends the thread also where the run failed."""
        self._stop()

    def finish(self, *, patience: float = PATIENCE) -> "Finished":
        """Saves all that is left, waiting up to `patience` seconds for calls that outlive the client."""
        self._stop()
        looks = max(1, round(patience / LOOK_EVERY))
        pause = threading.Event()
        for _ in range(looks):
            self._save()
            if not self._report.live:
                break
            pause.wait(LOOK_EVERY)
        self._witness.stop()
        last = finish_run(self._journals, self._target, witness=self._witness, force=True)
        self._report = replace(self._report + last, errors=last.errors)
        return Finished(self._report, cut_short=last.incomplete)

    def _work(self) -> None:
        while not self._stopping.wait(LOOK_EVERY):
            self._save()

    def _save(self) -> None:
        """What can't be saved is tried again at the next look; only what the last one says of it counts."""
        self._report += finish_run(self._journals, self._target, witness=self._witness, in_order=True)

    def _stop(self) -> None:
        self._stopping.set()
        if self._thread.is_alive():
            self._thread.join()
