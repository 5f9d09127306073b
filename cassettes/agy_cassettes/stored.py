"""A live request in the form in which a cassette stores it, before redaction.

The shim loads this module, so it imports only its neighbours that import nothing::

    stored_request(argv, stdin, cwd, places) -> StoredRequest      all bytes; argv with the program's name
"""

from agy_cassettes.call import parse_call
from agy_cassettes.edits import apply
from agy_cassettes.places import to_stored

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from agy_cassettes.call import Call
    from agy_cassettes.places import Places

PROMPT = b"${PROMPT}"


class StoredRequest:
    """A request as stored: `argv` begins with ``agy`` and has ``${PROMPT}`` where the prompt stood.

    `call` is what the live argv asks for; `places` are those given, with the call's own log file.
    """

    __slots__ = ("argv", "call", "cwd", "places", "prompt", "stdin")

    def __init__(
        self,
        call: "Call",
        argv: tuple[bytes, ...],
        prompt: bytes | None,
        stdin: bytes | None,
        cwd: bytes,
        places: "Places",
    ) -> None:
        self.call = call
        self.argv = argv
        self.prompt = prompt
        self.stdin = stdin
        self.cwd = cwd
        self.places = places


def stored_request(
    argv: "Sequence[bytes]", stdin: bytes | None, cwd: bytes, places: "Places"
) -> StoredRequest:
    """Return the stored form of a live request; `stdin` is the whole of it where the prompt comes by it."""
    words = [word.decode("utf-8", "surrogateescape") for word in argv[1:]]
    call = parse_call(words)
    if call.log_file:
        log_file = call.log_file.encode("utf-8", "surrogateescape")
        places = places.with_log_file(log_file if log_file.startswith(b"/") else cwd + b"/" + log_file)
    stored = [b"agy", *(_stored(word, places, prompt=True) for word in argv[1:])]
    if call.prompt_at is not None:
        index, offset = call.prompt_at
        stored[index + 1] = argv[index + 1][:offset] + PROMPT
    prompt = None if call.prompt is None else call.prompt.encode("utf-8", "surrogateescape")
    stored_stdin = None if stdin is None else _stored(stdin, places, prompt=True)
    if call.prompt_on_stdin and stdin:
        prompt, stored_stdin = stdin, PROMPT
    return StoredRequest(
        call,
        tuple(stored),
        None if prompt is None else _stored(prompt, places, prompt=False),
        stored_stdin,
        _stored(cwd, places, prompt=False),
        places,
    )


def _stored(text: bytes, places: "Places", *, prompt: bool) -> bytes:
    return apply(text, to_stored(text, places, prompt=prompt))
