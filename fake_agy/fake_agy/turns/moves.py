r"""What the model does in a turn, move by move; a turn is a sequence of these.

A double that is not told otherwise plays one `Say`. `DoubleSettings.turns` holds moves in their plain form,
a tuple of the kind's name and a mapping of its fields, so that they can be baked into a file:
``("say", {"text": "Done.\n"})``.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any, NamedTuple

    PlainMove = tuple[str, Mapping[str, Any]]
else:
    from fake_agy.record import NamedTuple

    PlainMove = tuple


class Say(NamedTuple):
    """A planner response with text; `deltas` are its pieces on the wire, its lines where none are given."""

    text: str
    thinking: str | None = None
    deltas: tuple[str, ...] = ()
    usage: tuple[int, int, int, int] | None = None
    """Tokens of this response: input, output, thinking, read from the cache; counted where None."""


class UseTool(NamedTuple):
    """A planner response that calls one tool, and its result.

    With `output` None the double runs the tool itself (``run_command``, ``view_file``, ``list_dir``,
    ``write_to_file``, ``replace_file_content``); otherwise `output` is the result and nothing is run.
    `error` makes it a tool error. `background` leaves a command running when the turn goes on.
    """

    name: str
    args: Mapping[str, Any]
    output: str | None = None
    exit_code: int = 0
    error: str | None = None
    background: bool = False
    say: str = ""
    """Text that comes with the call, such as a sentence about what is going to be done."""


class Subagent(NamedTuple):
    """A child conversation that answers a prompt of its own."""

    prompt: str
    answer: str
    type_name: str = "research"
    role: str = "Researcher"


class Fail(NamedTuple):
    """The model's API fails; `kind` is one of `fake_agy.turns.failure`'s, `text` replaces its words."""

    kind: str
    text: str | None = None


class Wait(NamedTuple):
    """Seconds of the double's timeline, scaled by its speed."""

    seconds: float


class Hang(NamedTuple):
    """Nothing more happens until the time-out or a signal; never scaled."""


# A real union at run time too: annotations are not evaluated, this is.
Move = Say | UseTool | Subagent | Fail | Wait | Hang
KINDS: Mapping[str, type[Any]] = {
    "say": Say,
    "use_tool": UseTool,
    "subagent": Subagent,
    "fail": Fail,
    "wait": Wait,
    "hang": Hang,
}


def read_move(plain: PlainMove) -> Move:
    """Make a move of its plain form; `ValueError` names what is unknown or missing."""
    if not isinstance(plain, (list, tuple)) or len(plain) != 2 or not hasattr(plain[1], "keys"):
        raise ValueError(f"a move is a kind and its fields, such as ('say', {{'text': 'x'}}), not {plain!r}")
    kind, fields = plain
    if kind not in KINDS:
        raise ValueError(f"no move is named {kind!r}; there are {', '.join(KINDS)}")
    try:
        move: Move = KINDS[kind](**fields)
    except TypeError as wrong:
        raise ValueError(f"the move {kind!r} can't be made: {wrong}") from None
    if isinstance(move, Fail):
        from fake_agy.turns.failure import KINDS as FAILURES  # only a turn that fails needs them

        if move.kind not in FAILURES:
            raise ValueError(f"no failure is named {move.kind!r}; there are {', '.join(FAILURES)}")
    return move
