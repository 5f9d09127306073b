"""A request as matchers see it, live or recorded."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from agy_cassettes.call import Call, costs_no_turn, parse_call
from agy_cassettes.interaction import Interaction, Sidecar, Value
from agy_cassettes.places import Places
from agy_cassettes.stored import PROMPT, stored_request

PROMPT_NAME = PROMPT.decode()


@dataclass(frozen=True, slots=True, kw_only=True)
class RequestView:
    """A request in its stored form: paths named, secrets redacted, bytes that aren't UTF-8 as surrogates.

    `argv` lacks the program's name and has ``${PROMPT}`` where the prompt stood; `call` was parsed from it.
    `turn` counts the turns of a run or a cassette from 1. `free` is true of recorded calls that cost no turn
    and may be repeated. `id` and `at` are a record's.
    """

    call: Call
    argv: tuple[str, ...]
    prompt: str | None = None
    stdin: str | None = None
    cwd: str = "${CWD}"
    turn: int | None = None
    free: bool = False
    id: str | None = None
    at: str | None = None


def view_of_interaction(
    interaction: Interaction,
    *,
    turn: int | None = None,
    read: Callable[[Sidecar], bytes] | None = None,
) -> RequestView:
    """Return a recorded request as matchers see it; `read` gives the bytes of a sidecar.

    A prompt written out in argv by hand counts as if ``${PROMPT}`` stood there. Without `read` a stdin that
    is kept in a sidecar is its file's name.
    """
    request = interaction.request
    argv = tuple(_text(word) for word in request.argv[1:])
    call = parse_call(argv)
    prompt = None if request.prompt is None else _text(request.prompt)
    if prompt is None and call.prompt is not None and call.prompt_at is not None:
        prompt = call.prompt
        index, offset = call.prompt_at
        argv = (*argv[:index], argv[index][:offset] + PROMPT_NAME, *argv[index + 1 :])
        call = parse_call(argv)
    stdin = request.stdin
    if isinstance(stdin, Sidecar):
        stdin = stdin.file if read is None else read(stdin)
    return RequestView(
        call=call,
        argv=argv,
        prompt=_given(call, prompt),
        stdin=None if stdin is None else _text(stdin),
        cwd=request.cwd,
        turn=turn if call.kind == "turn" else None,
        free=costs_no_turn(call, interaction.response.exit.code),
        id=interaction.id,
        at=interaction.recorded.at,
    )


def views_of(
    interactions: Sequence[Interaction], *, read: Callable[[Sidecar], bytes] | None = None
) -> tuple[RequestView, ...]:
    """Return the recorded requests in order, their turns counted."""
    views: list[RequestView] = []
    turns = 0
    for interaction in interactions:
        view = view_of_interaction(interaction, turn=turns + 1, read=read)
        turns += view.call.kind == "turn"
        views.append(view)
    return tuple(views)


def view_of_live(
    argv: Sequence[bytes],
    *,
    places: Places,
    cwd: bytes,
    stdin: bytes | None = None,
    redact: Callable[[bytes], bytes] = bytes,
    turn: int | None = None,
    recorded_ids: Mapping[str, str] | None = None,
) -> RequestView:
    """Return a live request as matchers see it: paths named, then redacted.

    `argv` begins with the program's name; `stdin` is the whole of it where the prompt comes by it.
    `recorded_ids` maps conversation ids that were renewed in this run to those of the cassette.
    """
    stored = stored_request(argv, stdin, cwd, places)
    words = tuple(_recorded_id(_text(redact(word)), recorded_ids or {}) for word in stored.argv[1:])
    call = parse_call(words)
    return RequestView(
        call=call,
        argv=words,
        prompt=_given(call, None if stored.prompt is None else _text(redact(stored.prompt))),
        stdin=None if stored.stdin is None else _text(redact(stored.stdin)),
        cwd=_text(redact(stored.cwd)),
        turn=turn if call.kind == "turn" else None,
    )


def _given(call: Call, prompt: str | None) -> str | None:
    """To agy an empty stdin and none are the same prompt."""
    return None if call.prompt_on_stdin and not prompt else prompt


def _text(value: Value) -> str:
    return value if isinstance(value, str) else value.decode("utf-8", "surrogateescape")


def _recorded_id(word: str, recorded_ids: Mapping[str, str]) -> str:
    head, equals, tail = word.rpartition("=")
    return head + equals + recorded_ids.get(tail, tail)
