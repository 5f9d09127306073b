"""The three output formats: what each writes of a turn's events, and when."""

from __future__ import annotations

from fake_agy.go.json import go_json
from fake_agy.output.shapes import command_object, init_object, result_object, step_object

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from fake_agy.output.events import Init, Result, StepUpdate
    from fake_agy.turns.ending import Ending
    from fake_agy.turns.outcome import Denied

    Write = Callable[[str], None]

FORMATS = ("text", "json", "stream-json")


class Output:
    """Text: what the model says, as it says it (contract.md 2.3)."""

    format = "text"

    def __init__(self, out: Write, err: Write) -> None:
        self._out = out
        self.err = err
        self.over = False
        """Whether a result was shown: what comes after it must not show another."""

    def begin(self, init: Init) -> None:
        """Say that a conversation is there."""

    def step(self, step: StepUpdate) -> None:
        """Show how far a step has come."""
        if step.text and step.type == "agent_response":
            self._out(step.text)

    def diagnostic(self, text: str) -> None:
        """Show a line that belongs on stdout, as some versions put it there."""
        self._out(text)

    def permits(self, denied: Denied) -> bool:  # noqa: ARG002 - a screen asks by it
        """Ask whether a tool may be used all the same; where nobody can be asked it may not."""
        return False

    def result(self, result: Result) -> None:
        """Show what a turn came to."""
        self.over = True
        if result.command is not None:
            self._out(result.response)

    def end(self, ending: Ending) -> None:
        """Show the texts that an ending has for the two streams."""
        self._out(ending.out)
        self.err(ending.err)


class JsonOutput(Output):
    """One object at the end."""

    format = "json"

    def step(self, step: StepUpdate) -> None:
        """Show nothing."""

    def result(self, result: Result) -> None:
        """Write the object."""
        self.over = True
        self._out(_line(result_object(result)))

    def end(self, ending: Ending) -> None:
        """Show only what belongs on stderr."""
        self.err(ending.err)


class StreamOutput(Output):
    """One object a line, as things happen."""

    format = "stream-json"

    def __init__(self, out: Write, err: Write, *, tools_first: bool) -> None:
        super().__init__(out, err)
        self._tools_first = tools_first
        self._begun = False

    def begin(self, init: Init) -> None:
        """Write the first line, once."""
        if not self._begun:
            self._begun = True
            self._out(_line(init_object(init, tools_first=self._tools_first)))

    def step(self, step: StepUpdate) -> None:
        """Write a line."""
        self._out(_line(step_object(step)))

    def result(self, result: Result) -> None:
        """Write the line that ends a turn, after that of a local answer."""
        self.over = True
        if result.command is not None:
            self._out(_line({"event": "command_result", "command": command_object(result.command)}))
            result = result._replace(command=None)
        self._out(_line({"event": "result", "result": result_object(result)}))

    def end(self, ending: Ending) -> None:
        """Show only what belongs on stderr."""
        self.err(ending.err)


def output_for(asked: str | None, out: Write, err: Write, *, tools_first: bool) -> Output:
    """Choose the format; a name that agy doesn't know is text (contract.md 1.2)."""
    if asked == "json":
        return JsonOutput(out, err)
    if asked == "stream-json":
        return StreamOutput(out, err, tools_first=tools_first)
    return Output(out, err)


def _line(value: dict[str, Any]) -> str:
    return go_json(value) + "\n"
