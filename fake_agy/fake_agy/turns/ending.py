"""How a turn, or a call that took none, ends for its caller."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import NamedTuple
else:
    from fake_agy.record import NamedTuple


class Ending(NamedTuple):
    """What the caller sees at the end, whatever the output format (contract.md 2.5, 3.1).

    `status` and `error` go into the result object of json and stream-json; `out` and `err` are whole texts
    for the two streams, `out` in text mode alone, `err` in every mode; `log` are lines for the log, each
    (level letter, place, text).
    """

    exit: int = 0
    status: str = "SUCCESS"
    error: str | None = None
    out: str = ""
    err: str = ""
    log: tuple[tuple[str, str, str], ...] = ()
