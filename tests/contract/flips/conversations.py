"""The calls that show how conversations are found again and counted."""

import signal
import subprocess

from tests.contract.flips.flip import Call, Flip, says
from tests.support.double import Double

UNKNOWN = "00000000-0000-4000-8000-000000000000"
ONE, TWO = Call(("-p", "remember the cat")), Call(("--conversation", "{id}", "-p", "what did I tell you?"))
JSON = ("--output-format", "json")


def talk_below(double: Double) -> None:
    """Takes a turn in a folder below the working directory, and none in that itself."""
    below = double.cwd / "below"
    below.mkdir()
    command = double.command("-p", "begin") | {"cwd": below}
    subprocess.run(**command, stdin=subprocess.DEVNULL, capture_output=True, timeout=60, check=True)


FLIPS = {
    "not-found-warning": says("--conversation", UNKNOWN, "-p", "hello"),
    "replay-on-resume": Flip((ONE, TWO)),
    "continue-fallback": Flip((Call(("-c", "-p", "hello")),), prepare=talk_below),
    "last-conversations": Flip((Call(("-p", "hello"), signal=signal.SIGKILL),), turns=((("hang", {}),),)),
    "first-turn-rows": says("-p", "hello"),
    "ephemeral-rows": says("-p", "hello"),
    "usage-scope": Flip((ONE, Call((*JSON, *TWO.argv)))),
    "cache-tokens": Flip((ONE, Call((*JSON, *TWO.argv)))),
    "historical-error": Flip((Call(("-p", "hello")), TWO), turns=((("fail", {"kind": "server"}),),)),
}
