"""What a turn shows to its caller, event by event, before it has a format."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any, NamedTuple

    from fake_agy.stores.step import Usage
else:
    from fake_agy.record import NamedTuple


class Init(NamedTuple):
    """What a stream begins with (contract.md 3.2); what is None is left out."""

    conversation: str
    cwd: str
    tools: Sequence[str]
    permission_mode: str
    model: str | None = None
    agent: str | None = None
    json_schema: object = None
    expanded_commands: Sequence[Mapping[str, str]] = ()


class StepUpdate(NamedTuple):
    """One step as far as it has come; `duration` in seconds."""

    conversation: str
    idx: int
    state: str
    """ACTIVE, DONE or ERROR."""

    type: str
    text: str | None = None
    tool: str | None = None
    tool_info: Mapping[str, Any] | None = None
    subagents: Sequence[Mapping[str, Any]] = ()
    duration: float | None = None
    usage: Usage | None = None


class Command(NamedTuple):
    """A slash command or a subcommand that the command line itself answered."""

    name: str
    data: object


class Result(NamedTuple):
    """How a turn ended; figures are of the whole conversation, `duration` in seconds (contract.md 3.1)."""

    conversation: str
    status: str
    response: str
    usage: Usage
    error: str | None = None
    duration: float = 0.0
    turns: int = 0
    structured: object = None
    json_schema: object = None
    denied: Sequence[Mapping[str, str]] = ()
    command: Command | None = None
