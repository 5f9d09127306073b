"""The whole table of behaviours, joined from its topics."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from fake_agy.profile.row import Behaviour

TOPICS: dict[str, tuple[Behaviour, ...]] = {}
"""The behaviours by topic."""

BEHAVIOURS: tuple[Behaviour, ...] = tuple(each for topic in TOPICS.values() for each in topic)
