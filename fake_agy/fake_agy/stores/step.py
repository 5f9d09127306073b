"""One step of a conversation: what the transcripts and the database both hold, each in its form."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any, NamedTuple
else:
    from fake_agy.record import NamedTuple


class ToolCall(NamedTuple):
    """One tool call of a planner step; `args` are native values, `id` is the database's."""

    name: str
    args: Mapping[str, Any]
    id: str = ""


class Usage(NamedTuple):
    """Tokens of one model call, or summed over several (contract.md 3.1)."""

    input: int = 0
    output: int = 0
    thinking: int = 0
    cache_read: int = 0

    @property
    def total(self) -> int:
        """Input and output; thinking is part of the output."""
        return self.input + self.output


class Step(NamedTuple):
    """One trajectory step; times are seconds since the epoch (stores.md 2, 4.2).

    `type` is the transcript's name for it. `content` is what the transcript shows (a prompt in its wrapper,
    a tool's result with its header); `plain` is what the database holds where that differs (the bare prompt,
    the bare result). What a kind doesn't have is None and is left out everywhere.
    """

    idx: int
    source: str
    type: str
    created: float
    finished: float
    status: str = "DONE"
    """DONE, RUNNING or ERROR; the database alone also knows CANCELED."""

    error: str | None = None
    content: str | None = None
    plain: str | None = None
    thinking: str | None = None
    tool_calls: tuple[ToolCall, ...] = ()
    exit_code: int | None = None
    usage: Usage | None = None
    model: str = ""
    """The model's slug, for the steps a model made or was chosen in."""

    label: str = ""
    """The model's name for people."""

    execution: str = ""
    """A UUID that all steps of a turn share."""

    answers: ToolCall | None = None
    """The call that a result belongs to."""

    title: str | None = None
    """What a CHECKPOINT named the conversation."""

    logged: bool = True
    """False for a step that the database has and the transcripts leave out (stores.md 2.5)."""
