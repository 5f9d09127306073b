"""Where a call is made that agy answers without a turn."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import NamedTuple
else:
    from fake_agy.record import NamedTuple


class Place(NamedTuple):
    """The surroundings of a call; `home` is None where HOME isn't set."""

    home: str | None
    cwd: str
    account: str
    env: Mapping[str, str]
    now: float = 0.0
    """Seconds since the epoch."""

    terminal: bool = False
    """Whether stdout is one."""

    seed: int = 1
