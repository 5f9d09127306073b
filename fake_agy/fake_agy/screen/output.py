"""A turn as a screen shows it: the answer as it comes, tools, permissions, and how it ended."""

from __future__ import annotations

from fake_agy.output.output import Output
from fake_agy.screen.cards import permission_card
from fake_agy.screen.state import Block
from fake_agy.turns.permission import named

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from fake_agy.output.events import Result, StepUpdate
    from fake_agy.profile.resolve import Profile
    from fake_agy.screen.view import View
    from fake_agy.turns.ending import Ending
    from fake_agy.turns.outcome import Denied

INTERRUPTED = "Interrupted · What should Antigravity CLI do instead?"
_DECLINED = "User declined the tool call"
_SILENT_FAILURE = "Agent execution terminated due to error."


class ScreenOutput(Output):
    """Shows a turn on a view; `remember` keeps a rule that somebody wants to hold for good."""

    format = "screen"

    def __init__(
        self, view: View, profile: Profile, remember: Callable[[str], None], *, sandboxed: bool
    ) -> None:
        super().__init__(lambda _text: None, lambda _text: None)
        self._view = view
        self._profile = profile
        self._remember = remember
        self._sandboxed = sandboxed
        self._allowed: set[tuple[str, str]] = set()
        self._declined = False
        self._answering: int | None = None

    def step(self, step: StepUpdate) -> None:
        """Show how far a step has come, and take what was typed meanwhile."""
        if step.type == "agent_response":
            self._answer(step)
        elif step.type in {"tool", "subagent"}:
            self._tool(step)
        self._view.look()

    def permits(self, denied: Denied) -> bool:
        """Ask, unless the same was allowed before."""
        if (denied.action, denied.target) in self._allowed:
            return True
        answer = self._view.ask(permission_card(denied, self._profile, sandboxed=self._sandboxed))
        self._declined = answer == "no"
        if answer in {"here", "always"}:
            self._allowed.add((denied.action, denied.target))
        if answer == "always":
            self._remember(f"{denied.action}({denied.target})")
        return not self._declined

    def result(self, result: Result) -> None:  # noqa: ARG002 - its text has been shown
        """Take the busy line away."""
        self.over = True
        self._answering = None
        self._view.show(self._view.screen._replace(busy=False))

    def end(self, ending: Ending) -> None:
        """Show that the turn was interrupted or failed; one that never got going is over as well."""
        self._view.screen = self._view.screen._replace(busy=False)
        if self._view.canceled:
            self._add(Block("note", INTERRUPTED))
        elif ending.error is not None:
            text = ending.error.replace(". Resets in ", ".\nResets in ")
            self._add(Block("warning", text))
        elif any(level == "E" for level, _, _ in ending.log):
            self._add(Block("warning", _SILENT_FAILURE))

    def _answer(self, step: StepUpdate) -> None:
        """Let an answer grow; what was thought stands before it once it is known."""
        if not step.text:
            return
        if self._answering is None:
            self._answering = len(self._view.screen.blocks)
            self._add(Block("answer", ""))
        at, blocks = self._answering, self._view.screen.blocks
        grown = blocks[at]._replace(text=blocks[at].text + step.text)
        before = blocks[:at]
        if step.state == "DONE":
            self._answering = None
            if step.usage is not None and step.usage.thinking:
                seconds = round(step.duration or 0.0)
                thought = f"Thought for {seconds}s, {step.usage.thinking} tokens"
                before = (*before, Block("thought", thought))
        self._view.show(self._view.screen._replace(blocks=(*before, grown)))

    def _tool(self, step: StepUpdate) -> None:
        info = step.tool_info or {}
        text = named(step.tool or step.type, info.get("parameters", {}))
        blocks = self._view.screen.blocks
        if step.state == "ACTIVE":
            self._add(Block("tool", text, running=True))
            return
        result = str(info.get("output", ""))
        if step.state == "ERROR":
            result = f"Error: {info.get('error', {}).get('message', '')}"
        if self._declined:
            result, self._declined = _DECLINED, False
        done = Block("tool", text, result=result)
        running = [place for place, block in enumerate(blocks) if block.kind == "tool" and block.running]
        if running:
            blocks = (*blocks[: running[-1]], done, *blocks[running[-1] + 1 :])
            self._view.show(self._view.screen._replace(blocks=blocks))
        else:
            self._add(done)

    def _add(self, block: Block) -> None:
        screen = self._view.screen
        self._view.show(screen._replace(blocks=(*screen.blocks, block)))
