"""One turn: its moves played one by one, as steps of the store, events for the caller, and waits."""

from __future__ import annotations

from fake_agy.clock import TimeUp
from fake_agy.go.digest import uuid_of
from fake_agy.interrupts import Interrupted
from fake_agy.output.events import Result, StepUpdate
from fake_agy.stores.step import Step, Usage
from fake_agy.turns import answer, opening
from fake_agy.turns.moves import Fail, Hang, Say, Subagent, UseTool, Wait
from fake_agy.turns.outcome import concluded, denied_objects, shown_response

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from fake_agy.stores.database import Told
    from fake_agy.turns.background import Background
    from fake_agy.turns.conversation import Conversation
    from fake_agy.turns.ending import Ending
    from fake_agy.turns.moves import Move
    from fake_agy.turns.outcome import Denied
    from fake_agy.turns.stage import Stage

TITLE, THINKING, DRIP = 1.4, 1.4, 0.05
"""Seconds at speed 1 before the checkpoint that names a conversation, a planner step, and each piece."""


class Failed(Exception):  # noqa: N818 - what failed is the model's API, as it was told to
    """The model's API failed for good; `ending` is how the turn ends."""

    def __init__(self, ending: Ending) -> None:
        super().__init__(ending.error)
        self.ending = ending


class Turn:
    """One turn while it is played; what it said so far is kept for however it ends."""

    def __init__(self, stage: Stage, conversation: Conversation, prompt: str) -> None:
        self.stage = stage
        self.conversation = conversation
        self.prompt = prompt
        self.said: list[str] = []
        self.usages: list[Usage] = []
        self.denied: list[Denied] = []
        self.tool_error: str | None = None
        self.background: list[Background] = []
        self.execution = ""
        self.structured: object = None
        self.last_index = 0
        self._earlier: tuple[Told, ...] = ()
        self._opened = False
        self._said_before = 0
        self.opened_at = 0
        self.notice_at: int | None = None
        self._late_title: int | None = None
        self._named = False

    @property
    def model(self) -> str:
        """The slug of the model that answers."""
        return self.stage.request.model

    def play(self, moves: Sequence[Move] | None) -> Ending:
        """Play the turn to whatever end it comes to; None has the double answer by itself."""
        stage = self.stage
        limit = _limit(stage)
        try:
            stage.world.clock.limit(limit)
            stage.on("thinking")
            self._open()
            for move in self._own_moves() if moves is None else moves:
                self._play(move)
            self._finish_structured()
            complete, ending = True, self._concluded()
        except TimeUp:
            from fake_agy.turns.timeouts import timed_out  # most turns are in time

            complete = False
            ending = timed_out(
                stage.profile, limit=limit or 0.0, partial="".join(self.said), format=stage.output.format
            )
        except Failed as failed:
            complete, ending = False, failed.ending
        except Interrupted as interrupted:
            complete, ending = False, stage.ending_at(interrupted.number)
            stage.on("starting")
        finally:
            stage.world.clock.limit(None)
        self._close(ending, complete=complete)
        return ending

    def say(self, text: str, deltas: Sequence[str], thinking: str | None, usage: Usage | None = None) -> None:
        """Answer: the planner step first, then its text piece by piece."""
        clock = self.stage.world.clock
        self.remind()
        created, began = clock.now(), clock.elapsed()
        clock.wait(THINKING)
        self.place_title()
        used = usage or self.count(text)

        def planner(index: int) -> Sequence[Step]:
            return [
                self.step(
                    index,
                    "MODEL",
                    "PLANNER_RESPONSE",
                    created=created,
                    content=text,
                    thinking=thinking,
                    usage=used,
                )
            ]

        step = self.conversation.add(planner)[0]
        if not text:
            said = "PlannerResponse without ModifiedResponse encountered"
            self.stage.log.write("printmode_manager.go:91", said)
        self.usages.append(used)
        self._drip(step.idx, deltas or text.splitlines(keepends=True), began, used)
        self.said.append(text)

    def count(self, text: str) -> Usage:
        """Count the tokens of a response of this turn."""
        cached = self.stage.profile["cache-tokens"] == "shared-prefix" and bool(self._earlier or self.usages)
        used = answer.usage_of(self._said_before, text, cached=cached)
        self._said_before += len(text.encode())
        return used

    def step(
        self,
        index: int,
        source: str,
        type_: str,
        *,
        created: float | None = None,
        content: str | None = None,
        thinking: str | None = None,
        usage: Usage | None = None,
    ) -> Step:
        """Make a step of this turn that is done now."""
        now = self.stage.world.clock.now()
        return Step(
            index,
            source,
            type_,
            created=now if created is None else created,
            finished=now,
            content=content,
            thinking=thinking,
            usage=usage,
            model=self.stage.request.model,
            label=self.stage.request.label,
            execution=self.execution,
        )

    def show(self, update: StepUpdate) -> None:
        """Show the caller how far a step has come."""
        self.last_index = max(self.last_index, update.idx)
        self.stage.output.step(update)

    def result(self, ending: Ending, *, complete: bool) -> Result:
        """Sum the turn up, over the whole conversation where the version counts so."""
        stage, conversation = self.stage, self.conversation
        usage, turns = answer.total(self.usages), 1 if self._opened else 0
        duration = stage.world.clock.elapsed()
        if stage.profile["usage-scope"] == "conversation" and self._opened:
            told = conversation.told()
            usage, turns = answer.total([each.usage for each in told]), len(told)
            duration += conversation.age
        elif self._opened:
            turns = conversation.turns_here
            usage = answer.total([*conversation.usages_here, usage])
        schema = stage.request.schema
        return Result(
            conversation.id,
            ending.status,
            shown_response("".join(self.said), ending, stage.profile, complete=complete),
            usage,
            error=ending.error,
            duration=round(duration, 9),
            turns=turns,
            structured=self.structured if complete else None,
            json_schema=None if schema is None else schema.value,
            denied=denied_objects(self.denied, stage.profile),
        )

    def _own_moves(self) -> Sequence[Move]:
        stage = self.stage
        account = str(stage.profile["account"])
        if account not in {"signed-in", "signed-out"}:
            return (Fail(account),)
        earlier = [each.prompt for each in self._earlier]
        text = answer.answer(stage.settings.seed, self.conversation.id, earlier, self.prompt)
        return (Say(text, answer.thinking(self.prompt)),)

    def _play(self, move: Move) -> None:
        if isinstance(move, Say):
            usage = None if move.usage is None else Usage(*move.usage)
            self.say(move.text, move.deltas, move.thinking, usage)
        elif isinstance(move, Wait):
            self.stage.world.clock.wait(move.seconds)
        elif isinstance(move, Hang):
            self.stage.world.clock.hang()
        elif isinstance(move, UseTool):
            from fake_agy.turns.tool_use import use_tool  # plain answers use no tools

            use_tool(self, move)
        elif isinstance(move, Subagent):
            from fake_agy.turns.subagent import send_out

            send_out(self, move)
        else:
            from fake_agy.turns.api_failure import fail

            fail(self, move)

    def _open(self) -> None:
        stage, conversation = self.stage, self.conversation
        clock = stage.world.clock
        seed = str(stage.settings.seed)
        first_here = conversation.turns_here == 0

        def steps(told: tuple[Told, ...], index: int) -> Sequence[Step]:
            self.execution = uuid_of(seed, conversation.id, str(index), "execution")
            return opening.first_steps(
                self, index, first=not told, restarted=conversation.resumed and first_here
            )

        self._earlier = conversation.open(steps)
        self._opened = True
        conversation.turns_here += 1
        self._said_before = sum(len((each.prompt + (each.answer or "")).encode()) for each in self._earlier)
        self._said_before += len(self.prompt.encode())
        if self.notice_at is not None and stage.profile["restart-message"] != "none":
            from fake_agy.stores.messages import restart_message  # only a resumed turn has one

            identity = uuid_of(seed, conversation.id, str(self.notice_at), "message")
            conversation.post(restart_message(identity, clock.now()))
        for update in opening.first_updates(self):
            self.show(update)
        if not self._earlier and stage.profile["first-turn-rows"] == "title-first":
            began = clock.elapsed()
            clock.wait(TITLE)
            step = conversation.add(lambda index: [opening.title_step(self, index)])[0]
            self.show(
                StepUpdate(
                    conversation.id, step.idx, "DONE", "checkpoint", duration=_span(clock.elapsed() - began)
                )
            )
        self.remind()
        self._replay()

    def _replay(self) -> None:
        """Print the earlier answers again, as a resumed text turn of an old version does."""
        replays = self.conversation.resumed and self.stage.profile["replay-on-resume"]
        if replays and self.stage.output.format == "text":
            for each in self._earlier:
                self.stage.world.out(each.answer or "")

    def _drip(self, index: int, deltas: Sequence[str], began: float, usage: Usage) -> None:
        """Show a text's pieces: all but the last as they come, the last with the step's figures."""
        clock = self.stage.world.clock
        for delta in deltas[:-1]:
            clock.wait(DRIP)
            self.show(StepUpdate(self.conversation.id, index, "ACTIVE", "agent_response", text=delta))
        clock.wait(DRIP)
        self.show(
            StepUpdate(
                self.conversation.id,
                index,
                "DONE",
                "agent_response",
                text=deltas[-1] if deltas else None,
                duration=_span(clock.elapsed() - began),
                usage=usage,
            )
        )

    def remind(self) -> None:
        """Write the reminder that goes before each response of a Pro model in some versions.

        It is there as soon as the model is asked, and once however often it is written (stores.md 2.7).
        """
        stage = self.stage
        due = self.conversation.newest != "EPHEMERAL_MESSAGE"
        if due and stage.profile["ephemeral-rows"] and "pro" in stage.request.model:
            self.conversation.add(lambda index: [opening.ephemeral_step(self, index)])

    def reserve_title(self) -> None:
        """Keep the index after a first tool's result for the checkpoint that comes late (stores.md 2.5)."""
        if self._late_title is None and not self._named and self._names_late():
            self._late_title = self.conversation.reserve()

    def place_title(self) -> None:
        """Write the checkpoint at the index kept for it: it is there before the next answer is."""
        if self._late_title is not None:
            self.conversation.place(opening.title_step(self, self._late_title))
            self._late_title, self._named = None, True

    def _name_late(self) -> None:
        """Write the checkpoint that names the conversation after the answer, as 1.0.x does."""
        if self._named or not self._names_late():
            return
        self.stage.world.clock.wait(opening.LATE_TITLE)
        self.place_title()
        if not self._named:
            self.conversation.add(lambda index: [opening.title_step(self, index)])

    def _names_late(self) -> bool:
        return not self._earlier and self.stage.profile["first-turn-rows"] in opening.NAMED_LATE

    def _finish_structured(self) -> None:
        if self.stage.request.schema is not None:
            from fake_agy.turns.finish import finish_by_schema  # few calls ask for a schema

            finish_by_schema(self)

    def _concluded(self) -> Ending:
        profile = self.stage.profile
        old = self.conversation.last_error() if profile["historical-error"] else None
        return concluded("".join(self.said), self.denied, self.tool_error, old, profile)

    def _close(self, ending: Ending, *, complete: bool) -> None:
        """Show the result; what is written after it comes after what the caller waits for."""
        stage, conversation = self.stage, self.conversation
        length = len("".join(self.said))
        stage.log.write(
            "text_drip.go:173",
            f"Drip stopped: lastStepIdx={self.last_index}, charIdx={length}, length={length}",
        )
        if self.background and not stage.request.on_screen:
            from fake_agy.turns.background import at_the_end

            at_the_end(self)
        stage.output.result(self.result(ending, complete=complete))
        stage.output.end(ending)
        for level, place, text in ending.log:
            stage.log.write(place, text, level)
        if self._opened:
            self._name_late()
            conversation.end_turn(self.usages)


def _limit(stage: Stage) -> float | None:
    if stage.request.on_screen:  # the flag is taken there, and does nothing (contract.md 2.6)
        return None
    from fake_agy.turns.timeouts import limit

    return limit(stage.request.timeout, stage.profile)


def _span(seconds: float) -> float:
    return round(seconds, 9)
