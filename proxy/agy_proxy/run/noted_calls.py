"""The file in which doubles note their calls, read back."""

import ast
from dataclasses import dataclass
from pathlib import Path

from agy_cassettes.call import costs_no_turn, parse_call


@dataclass(frozen=True, slots=True)
class NotedCall:
    """One call of a double: `argv` without the program's name, and the `conversation` it was of.

    `exit` is None where the call has not ended, or was killed; then `conversation` is None too, and the
    prompt is the one in `argv`.
    """

    argv: tuple[str, ...]
    prompt: str | None = None
    conversation: str | None = None
    resumed: bool = False
    exit: int | None = None

    @property
    def takes_turn(self) -> bool:
        """Whether it asks the model: what agy refuses does not."""
        if self.conversation is not None:
            return True
        call = parse_call(self.argv)
        return call.kind == "turn" and not costs_no_turn(call, self.exit)


def noted_calls(file: Path) -> tuple[NotedCall, ...]:
    """The calls noted in `file`, in the order in which they began; none where there is no file."""
    if not file.exists():
        return ()
    calls: dict[str, NotedCall] = {}
    for line in map(ast.literal_eval, file.read_text(encoding="ascii").splitlines()):
        match line:
            case ("began", str(key), argv):
                words = tuple(argv)
                calls[key] = NotedCall(words, prompt=parse_call(words).prompt)
            case ("ended", str(key), prompt, conversation, resumed, exit_status):
                calls[key] = NotedCall(calls[key].argv, prompt, conversation, resumed, exit_status)
    return tuple(calls.values())
