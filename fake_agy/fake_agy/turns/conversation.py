"""One conversation while a process has it open: its memory, and the steps added to both stores."""

from __future__ import annotations

from fake_agy.clock import utc_second
from fake_agy.go.digest import uuid_of
from fake_agy.stores import caches, presence
from fake_agy.stores.conversations import is_known, open_conversation
from fake_agy.stores.database import Facts
from fake_agy.stores.files import locked
from fake_agy.stores.ids import new_conversation_id
from fake_agy.stores.summaries import Summary, remember, titled
from fake_agy.stores.transcript import append_steps
from fake_agy.turns.settling import related, settle

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from fake_agy.stores.database import Database, Told
    from fake_agy.stores.messages import Message
    from fake_agy.stores.step import Step, Usage
    from fake_agy.turns.stage import Stage


class Conversation:
    """An open conversation; every change to it holds the store's lock."""

    def __init__(self, stage: Stage, identity: str, database: Database, *, resumed: bool) -> None:
        self.id = identity
        self.resumed = resumed
        self.shared = False
        """Whether another process had it open when it was opened here."""

        self.turns_here = 0
        self.usages_here: tuple[Usage, ...] = ()
        now = stage.world.clock.now()
        self.age = max(0.0, now - database.created()) if resumed else 0.0
        """Seconds from its beginning to this process."""

        self.newest = ""
        """The type of the step that was added last."""

        self._stage = stage
        self._database = database
        self._reserved = -1
        self._asked_at = now

    def told(self) -> tuple[Told, ...]:
        """Read what was said, turn by turn; nothing where the database is lost."""
        return self._database.told()

    def created(self) -> float:
        """When it began, in seconds since the epoch."""
        return self._database.created()

    def last_error(self) -> str | None:
        """The error that the last failed turn left behind."""
        return self._database.last_error()

    def model(self) -> str:
        """The model of the turn before, as a slug; empty where nothing says it."""
        return self._database.model() or ""

    def trajectory(self) -> str:
        """The UUID of its trajectory."""
        return uuid_of(str(self._stage.settings.seed), self.id, "trajectory")

    def add(self, make: Callable[[int], Sequence[Step]]) -> tuple[Step, ...]:
        """Append the steps that `make` makes of the next free index, to the database and the transcripts."""
        with locked(self._stage.layout):
            steps = tuple(make(self._next()))
            self._database.append(steps)
            append_steps(self._stage.layout, self.id, steps, self._stage.profile)
        self.newest = steps[-1].type
        return steps

    def open(self, make: Callable[[tuple[Told, ...], int], Sequence[Step]]) -> tuple[Told, ...]:
        """Append a turn's first steps, made of what was said before, and give that."""
        told: tuple[Told, ...] = ()

        def steps(index: int) -> Sequence[Step]:
            nonlocal told
            told = self._database.told()
            self._asked_at = self._stage.world.clock.now()
            return make(told, index)

        self.add(steps)
        return told

    def begin(self, make: Callable[[int], Step]) -> Step:
        """Append a running step to the database alone; the transcripts get it once it has settled."""
        with locked(self._stage.layout):
            step = make(self._next())
            self._database.append((step,))
        self.newest = step.type
        return step

    def settle(self, step: Step) -> None:
        """Bring a running step to its end."""
        with locked(self._stage.layout):
            self._database.change(step)
            append_steps(self._stage.layout, self.id, (step,), self._stage.profile)
            if self._stage.profile["step-outputs"]:
                from fake_agy.stores.steps_output import keep_output  # only tools have results

                keep_output(self._stage.layout, self.id, step)

    def reserve(self) -> int:
        """Keep the next index for a step that is written later (stores.md 2.5)."""
        with locked(self._stage.layout):
            self._reserved = self._next()
        return self._reserved

    def place(self, step: Step) -> None:
        """Append a step at an index that was kept for it."""
        with locked(self._stage.layout):
            self._database.append((step,))
            append_steps(self._stage.layout, self.id, (step,), self._stage.profile)

    def post(self, message: Message) -> None:
        """Keep a message to it."""
        from fake_agy.stores.messages import post  # a first turn has none

        with_cursor = self._stage.profile["restart-message"] == "message-and-cursor"
        with locked(self._stage.layout):
            post(self._stage.layout, self.id, message, cursor=with_cursor)

    def remember_as_last(self) -> None:
        """Note it as this directory's newest; the caller holds the lock."""
        stage = self._stage
        caches.remember_last(stage.layout, stage.world.cwd, self.id)
        if stage.profile["projects-cache"]:
            caches.remember_project(stage.layout, stage.world.cwd, stage.request.project)

    def end_turn(self, usages: Sequence[Usage]) -> None:
        """Keep what the next turn and other processes want to know of this one."""
        self.usages_here = (*self.usages_here, *usages)
        with locked(self._stage.layout):
            self._database.end_turn()
            if self._stage.profile["last-conversations"] == "at-turn-end":
                self.remember_as_last()
            self._list()

    def close(self) -> None:
        """Leave the database as the version leaves it at exit."""
        self._database.finish(checkpoint=bool(self._stage.profile["wal-checkpoint"]))
        presence.detach(self._stage.layout, self.id, self._stage.profile)

    def _list(self) -> None:
        """Put it into the lists of conversations that the version keeps."""
        stage, told = self._stage, self._database.told()
        profile, now = stage.profile, stage.world.clock.now()
        summary = Summary(
            conversation=self.id,
            title=titled(told[0].prompt) if told else "",
            preview=titled(told[-1].prompt) if told else "",
            step_count=self._database.next_idx(),
            modified=now,
            workspaces=stage.request.add_dirs,
            project=stage.request.project,
            last_input=self._asked_at,
            last_input_step=self._database.last_input(),
        )
        if profile["summaries"] != "never":
            remember(stage.layout, summary, lagging=profile["summaries"] == "lagging")
        if profile["conversation-metadata"]:
            caches.remember_metadata(stage.layout, summary, utc_second(now))
        if profile["annotations"] and len(told) == 1:
            from fake_agy.stores.annotations import annotate  # only new conversations are given a title

            annotate(stage.layout, self.id, summary.title)

    def _next(self) -> int:
        return max(self._database.next_idx(), self._reserved + 1)


def settled_conversation(stage: Stage) -> tuple[Conversation, str | None]:
    """Open the conversation a call goes on with; also gives an id that was asked for in vain."""
    request, layout, profile = stage.request, stage.layout, stage.profile
    settled = settle(
        request.conversation,
        continued=request.continued,
        is_known=lambda identity: is_known(layout, identity, profile),
        last=lambda: caches.last_conversation(layout, stage.world.cwd),
        fallback=lambda: _fallback(stage),
    )
    if settled.conversation is None:
        return _new(stage), settled.missing
    database = open_conversation(
        layout,
        settled.conversation,
        None,
        profile,
        seed=stage.settings.seed,
        now=stage.world.clock.now(),
    )
    conversation = Conversation(stage, settled.conversation, database, resumed=True)
    conversation.shared = not presence.attach(layout, conversation.id, profile)
    return conversation, None


def _new(stage: Stage) -> Conversation:
    layout, seed = stage.layout, stage.settings.seed
    with locked(layout):
        identity = new_conversation_id(layout, seed)
        facts = Facts(
            conversation=identity,
            trajectory=uuid_of(str(seed), identity, "trajectory"),
            created=stage.world.clock.now(),
            workspaces=stage.request.add_dirs,
            project=stage.request.project,
            parent=None,
            depth=0,
        )
        database = open_conversation(layout, identity, facts, stage.profile, seed=seed, now=facts.created)
    conversation = Conversation(stage, identity, database, resumed=False)
    presence.attach(layout, identity, stage.profile)
    if stage.profile["last-conversations"] == "at-create":
        with locked(layout):
            conversation.remember_as_last()
    return conversation


def _fallback(stage: Stage) -> str | None:
    """Find what ``--continue`` takes where this directory's own entry is void."""
    if not stage.profile["continue-fallback"]:
        return None
    others = caches.last_conversations(stage.layout)
    for identity in related(stage.world.cwd, others):
        if is_known(stage.layout, identity, stage.profile):
            return identity
    return None
