"""The calls that show what the files of a store hold."""

from fake_agy.turns.moves import PlainMove
from tests.contract.flips.flip import Call, Flip, says

SKIP = "--dangerously-skip-permissions"
DONE: PlainMove = ("say", {"text": "Done.\n"})
LONG: PlainMove = ("say", {"text": 12_000 * "Ten bytes\n"})
CHILD: PlainMove = ("subagent", {"prompt": "look it up", "answer": "found\n"})
WRONG: PlainMove = (
    "use_tool",
    {"name": "view_file", "args": {"AbsolutePath": "/x"}, "error": "no such file"},
)
HELLO, AGAIN = Call(("-p", "hello")), Call(("--conversation", "{id}", "-p", "again"))


def one_turn(*moves: PlainMove) -> Flip:
    return Flip((Call((SKIP, "-p", "hello")),), turns=(moves,))


def runs(command: str) -> Flip:
    """A turn with one command."""
    return one_turn(("use_tool", {"name": "run_command", "args": {"CommandLine": command}}), DONE)


FLIPS = {
    "chunks": Flip((HELLO, AGAIN)),
    "chunk-cut": Flip((HELLO, AGAIN), turns=((LONG,), (DONE,))),
    "result-types": runs("echo ran"),
    "command-result": runs("echo ran"),
    "result-times": Flip(
        (Call((SKIP, "-p", "hello"), env=(("TZ", "Asia/Tokyo"),)),), turns=runs("echo ran").turns
    ),
    "exit-code-key": runs("exit 3"),
    "token-keys": says("-p", "hello"),
    "failed-step-rows": one_turn(WRONG, DONE),
    "running-rows": Flip(
        (Call((SKIP, "-p", "hello")),),
        turns=(
            (("use_tool", {"name": "run_command", "args": {"CommandLine": ":"}, "background": True}), DONE),
        ),
        switches=(("background-at-exit", "waited-then-killed"),),
    ),
    "presence": says("-p", "hello"),
    "presence-at-exit": Flip((HELLO,), switches=(("presence", True),)),
    "default-project": says("-p", "hello"),
    "restart-message": Flip((HELLO, AGAIN)),
    "subagent-files": one_turn(CHILD, DONE),
    "step-outputs": runs("echo ran"),
    "annotations": says("-p", "hello"),
    "conversation-metadata": says("-p", "hello"),
    "projects-cache": says("-p", "hello"),
    "early-log-line": says("-p", "hello"),
}
