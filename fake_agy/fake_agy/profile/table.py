"""The whole table of behaviours, joined from its topics."""

from __future__ import annotations

from fake_agy.profile import (
    command_line,
    conversations,
    database,
    failures,
    files,
    screen,
    streams,
    subcommands,
    tools,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from fake_agy.profile.row import Behaviour

TOPICS: dict[str, tuple[Behaviour, ...]] = {
    "command line": command_line.BEHAVIOURS,
    "subcommands": subcommands.BEHAVIOURS,
    "streams": streams.BEHAVIOURS,
    "conversations": conversations.BEHAVIOURS,
    "tools": tools.BEHAVIOURS,
    "files": files.BEHAVIOURS,
    "database": database.BEHAVIOURS,
    "failures": failures.BEHAVIOURS,
    "screen": screen.BEHAVIOURS,
}
"""The behaviours by topic."""

BEHAVIOURS: tuple[Behaviour, ...] = tuple(each for topic in TOPICS.values() for each in topic)
