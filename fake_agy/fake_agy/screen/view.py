"""The loop that touches the terminal: keys become screens, screens become what is written."""

from __future__ import annotations

from fake_agy.interrupts import Interrupted
from fake_agy.screen.keys import decode
from fake_agy.screen.paint import paint, repaint
from fake_agy.screen.render import render
from fake_agy.screen.update import update

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from fake_agy.interrupts import Interrupts
    from fake_agy.screen.state import Card, Screen
    from fake_agy.screen.terminal import Terminal

SIGHUP, SIGINT = 1, 2
TICK, SETTLE = 0.1, 0.05
"""Seconds between two pictures of the spinner, and after which an Esc alone is the key."""


class View:
    """A screen while it is shown; waits elsewhere attend to it through `Interrupts.beside`.

    With `still` the spinner doesn't turn, as where the clock stands still. `bursts` as in `keys.decode`.
    """

    def __init__(
        self, terminal: Terminal, interrupts: Interrupts, screen: Screen, *, still: bool, bursts: bool
    ) -> None:
        self.screen = screen
        self.leaving = False
        self.canceled = False
        """Whether a key ended the turn that is played."""

        self.descriptor = terminal.source
        self._terminal = terminal
        self._interrupts = interrupts
        self._still = still
        self._bursts = bursts
        self._held = b""
        self._answer: str | None = None
        self._shown: tuple[str, ...] = ()
        self._size = terminal.size()

    @property
    def pause(self) -> float | None:
        """Seconds after which it wants to be attended to without input, None for never."""
        if self._held:
            return SETTLE
        return TICK if self.screen.busy and self.screen.card is None and not self._still else None

    def attend(self, *, typed: bool) -> None:
        """Take what was typed, the time that passed and the size there is now.

        `Interrupted` where a turn is to end, or the terminal has hung up.
        """
        self._fit()
        if typed:
            data = self._terminal.read()
            if data is None:
                self.leaving = True
                raise Interrupted(SIGHUP)
            self._take(self._held + data, settled=False)
        elif self._held:
            self._take(self._held, settled=True)
        elif self.pause is not None:
            self.show(self.screen._replace(ticks=self.screen.ticks + 1))

    def show(self, screen: Screen) -> None:
        """Show another screen."""
        self.screen = screen
        lines = render(screen, self._size[0])
        text = paint(self._shown, lines, self._size[1])
        self._shown = lines
        self.write(text)
        self._fit()

    def redraw(self) -> None:
        """Draw everything anew, at the size that the terminal has now."""
        self._size = self._terminal.size()
        self._shown = render(self.screen, self._size[0])
        self.write(repaint(self._shown, self._size[1]))

    def write(self, text: str) -> None:
        """Write to the terminal; nothing is taken from it meanwhile."""
        if not text:
            return
        beside, self._interrupts.beside = self._interrupts.beside, None
        try:
            self._terminal.write(text)
        finally:
            self._interrupts.beside = beside

    def look(self) -> None:
        """Take what was typed by now, without waiting for any."""
        self._interrupts.until_woken((), 0.0)

    def wait(self, over: Callable[[], bool]) -> None:
        """Take keys until something is so."""
        beside, self._interrupts.beside = self._interrupts.beside, None
        try:
            while not over():
                self._fit()
                ready = self._interrupts.until_woken((self.descriptor,), self.pause)
                self.attend(typed=bool(ready))
        finally:
            self._interrupts.beside = beside

    def ask(self, card: Card) -> str:
        """Show a card and wait for its answer, which is also given where somebody wants to leave."""
        self._answer = None
        self.show(self.screen._replace(card=card))
        self.wait(lambda: self._answer is not None)
        return self._answer or ""

    def _fit(self) -> None:
        """Draw anew where the size has changed; the signal that says so may have ended another wait."""
        while self._terminal.size() != self._size:
            self.redraw()

    def _take(self, data: bytes, *, settled: bool) -> None:
        keys, self._held = decode(data, settled=settled, bursts=self._bursts)
        screen, kinds = self.screen, set()
        for key in keys:
            screen, effects = update(screen, key)
            for effect in effects:
                kinds.add(effect.kind)
                if effect.kind == "answer":
                    self._answer = effect.value
        busy = self.screen.busy
        self.show(screen)
        if "redraw" in kinds:
            self.redraw()
        self.leaving = self.leaving or "exit" in kinds
        if busy and kinds & {"interrupt", "exit"}:
            self.canceled = True
            raise Interrupted(SIGINT)
