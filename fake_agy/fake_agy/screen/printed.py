"""Print mode on a terminal, as old versions have it: with the terminal's own sequences (contract.md 2.2)."""

from __future__ import annotations

from fake_agy.output.output import Output

TYPE_CHECKING = False
if TYPE_CHECKING:
    from fake_agy.output.events import StepUpdate

_ON, _OFF = "\x1b[39m", "\x1b[0m"


class StyledOutput(Output):
    r"""Text with a colour switched on and off around each piece; ``\r\n`` is the terminal's own doing."""

    def step(self, step: StepUpdate) -> None:
        """Show a piece of the answer."""
        if step.text and step.type == "agent_response":
            body = step.text.rstrip("\n")
            self._out(f"{_ON}{body}{_OFF}{step.text[len(body) :]}")
