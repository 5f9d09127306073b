"""An interactive session: who may come in, one prompt after the other, and the way out."""

from __future__ import annotations

from fake_agy.interrupts import Interrupted
from fake_agy.screen import past, sequences
from fake_agy.screen.cards import code_card, sign_in_card, survey_card, trust_card
from fake_agy.screen.commands import is_prompt, obey
from fake_agy.screen.farewell import farewell
from fake_agy.screen.state import Block
from fake_agy.screen.view import SIGINT
from fake_agy.stores import history, workspace
from fake_agy.stores.files import locked
from fake_agy.turns import answer
from fake_agy.turns.conversation import settled_conversation
from fake_agy.turns.ending import Ending
from fake_agy.turns.print_mode import SETTLING, STARTING
from fake_agy.turns.script import next_moves
from fake_agy.turns.surroundings import is_inside
from fake_agy.turns.turn import Turn

TYPE_CHECKING = False
if TYPE_CHECKING:
    from fake_agy.command.line import CommandLine
    from fake_agy.command.models import Chosen
    from fake_agy.screen.terminal import Terminal
    from fake_agy.screen.view import View
    from fake_agy.turns.conversation import Conversation
    from fake_agy.turns.stage import Stage

_OPEN_ELSEWHERE = (
    "When you opened this conversation it was already open in another CLI instance on this machine. Sending "
    "messages from both may cause conflicts. Use /fork to continue here separately."
)


class Session:
    """One session while it lasts; `conversation` is the one that is open, None before the first prompt."""

    def __init__(self, stage: Stage, view: View, line: CommandLine) -> None:
        self.stage = stage
        self.view = view
        self.line = line
        self.conversation: Conversation | None = None
        self.first_prompt: str | None = None
        self._signaled = False
        self._surveyed = not stage.profile["survey-card"]
        mode = workspace.screen_mode(stage.layout)
        self._own = mode == "always" or (mode == "default" and stage.profile["default-screen"] == "own")

    def hold(self, first: str) -> None:
        """Go on until somebody leaves, or a signal says so; `first` is a prompt to begin with."""
        stage, view = self.stage, self.view
        stage.world.interrupts.ignores = self._signal
        view.write(sequences.opening(stage.profile, stage.world.env, own=self._own))
        try:
            stage.world.clock.wait(STARTING)
            self._log_start()
            if not (self._signed_in() and self._trusted()):
                return
            view.show(view.screen)
            request = stage.request
            if request.conversation is not None or request.continued:
                self._take_up()
            if first.strip():
                view.screen = view.screen._replace(waiting=(first, *view.screen.waiting))
            while not self._over():
                view.wait(lambda: bool(view.leaving or view.screen.waiting))
                if not view.leaving:
                    self._next()
        except Interrupted:
            view.leaving = True

    def leave(self, terminal: Terminal) -> None:
        """Give the terminal back, say how to go on, and let go of the conversation.

        The terminal is itself again before anything is written to it: nobody may be reading.
        """
        terminal.restore()
        conversation = self.conversation
        identity = None if conversation is None else conversation.id
        last = farewell(identity, self.stage.request.project, self.stage.profile)
        try:
            self.view.write(sequences.closing(own=self._own) + last)
        except Interrupted:  # a signal got it out of a write that nobody took
            self._signaled = True
        if conversation is not None:
            conversation.close()

    def say(self, *blocks: Block) -> None:
        """Add blocks to what is shown."""
        screen = self.view.screen
        self.view.show(screen._replace(blocks=(*screen.blocks, *blocks)))

    def begin_anew(self) -> None:
        """Leave the conversation; the next prompt begins another."""
        if self.conversation is not None:
            self.conversation.close()
        self.conversation = None
        self.stage = self.stage._replace(
            request=self.stage.request._replace(conversation=None, continued=False)
        )
        self.view.screen = self.view.screen._replace(blocks=())
        self.view.redraw()

    def go_on_with(self, conversation: str) -> None:
        """Leave the conversation for another one, and show that from its beginning."""
        self.begin_anew()
        self.stage = self.stage._replace(request=self.stage.request._replace(conversation=conversation))
        self._take_up()

    def use_model(self, chosen: Chosen) -> None:
        """Let another model answer from now on."""
        request = self.stage.request._replace(model=chosen.slug, label=chosen.label, model_asked=True)
        self.stage = self.stage._replace(request=request)
        self.view.screen = self.view.screen._replace(model=chosen.label)

    def _over(self) -> bool:
        return self.view.leaving or self._signaled

    def _signal(self, _number: int) -> bool:
        """Note that a signal from outside ends the session; none is passed over."""
        self._signaled = True
        return False

    def _signed_in(self) -> bool:
        """Have somebody sign in where nobody is; any code will do."""
        if self.stage.profile["account"] != "signed-out":
            return True
        return bool(self.view.ask(sign_in_card()) and self.view.ask(code_card()))

    def _trusted(self) -> bool:
        """Have the folder trusted, once."""
        layout, folder = self.stage.layout, self.stage.world.cwd
        if is_inside(folder, workspace.trusted(layout)):
            return True
        if self.view.ask(trust_card(folder)) != "yes":
            return False
        workspace.trust(layout, folder)
        return True

    def _next(self) -> None:
        """Take the prompt that has waited longest."""
        screen = self.view.screen
        text = screen.waiting[0].strip("\n")
        self.view.screen = screen._replace(waiting=screen.waiting[1:])
        prompted = is_prompt(self, text.strip())
        self._remember(text, "prompt" if prompted else "slash_command")
        if prompted:
            self._turn(text)
        else:
            self.say(Block("prompt", text))
            obey(self, text.strip())

    def _turn(self, prompt: str) -> None:
        """Have a prompt answered; a key may end that, a signal from outside ends the session."""
        view = self.view
        if self.first_prompt is None:
            self.first_prompt = prompt
            view.write(sequences.title(answer.title(prompt)))
        view.canceled = False
        screen = view.screen
        view.show(screen._replace(blocks=(*screen.blocks, Block("prompt", prompt)), busy=True))
        self.stage = self.stage._replace(request=self.stage.request._replace(mode=screen.mode))
        interrupts = self.stage.world.interrupts
        interrupts.beside = view
        try:
            self._play(prompt)
        except Interrupted as interrupted:
            if interrupted.number != SIGINT or not view.canceled:
                raise
            self.stage.output.end(Ending())
        finally:
            interrupts.beside = None
        view.show(view.screen._replace(busy=False))
        if self.stage.profile["kitty-keyboard"] == "again":
            view.write(sequences.ARM_AGAIN)
        if not self._surveyed and not self._over():
            self._surveyed = True
            view.ask(survey_card())

    def _play(self, prompt: str) -> None:
        if self.conversation is None:
            self._take_up()
        assert self.conversation is not None
        moves = next_moves(self.stage.layout, self.stage.settings.turns)
        self.stage.log.write("conversation.go:130", f"Sending message to conversation {self.conversation.id}")
        Turn(self.stage, self.conversation, prompt).play(moves)

    def _take_up(self) -> None:
        """Open the conversation there is to go on with, or a new one, and show what was said in it."""
        stage = self.stage = self.stage.in_its_project()
        stage.world.clock.wait(SETTLING)
        conversation, missing = settled_conversation(stage)
        self.conversation = conversation
        if missing is not None:
            capital = stage.profile["not-found-warning"] == "stdout"
            text = f'conversation "{missing}" not found'
            self.say(Block("warning", f"Warning: {text}." if capital else f"warning: {text}"))
        if not conversation.resumed:
            stage.log.write("server.go:747", f"Created conversation {conversation.id}")
        stage.log.write("conversation.go:88", f"Starting conversation update stream for {conversation.id}")
        if conversation.resumed:
            self.say(*past.turns_shown(conversation.told()))
        if conversation.shared:
            self.say(Block("warning", "Conversation already open"), Block("note", _OPEN_ELSEWHERE))

    def _remember(self, text: str, kind: str) -> None:
        """Keep what was typed; a new conversation has no id yet when its first prompt is sent."""
        stage, conversation = self.stage, self.conversation
        known = conversation is not None and (conversation.resumed or conversation.turns_here > 0)
        with locked(stage.layout):
            history.remember(
                stage.layout,
                display=text,
                timestamp_ms=int(stage.world.clock.now() * 1000),
                workspace=stage.world.cwd,
                conversation=conversation.id if conversation is not None and known else None,
                kind=kind if stage.profile["history-type"] else None,
            )

    def _log_start(self) -> None:
        stage = self.stage
        for place, text in (
            ("common.go:156", f"CLI app data directory: {stage.layout.root}"),
            ("server.go:210", f"Language server listening on random port at {stage.port} for HTTPS"),
            ("server.go:218", f"Language server listening on random port at {stage.port + 1} for HTTP"),
            ("app.go:88", f"CLI ready for user input (startup took {STARTING}s)"),
        ):
            stage.log.write(place, text)
