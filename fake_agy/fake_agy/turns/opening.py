"""The steps around a turn's prompt, in the order of stores.md 2.6."""

from __future__ import annotations

from fake_agy.clock import local_second, utc_second
from fake_agy.command.models import label_of
from fake_agy.output.events import StepUpdate
from fake_agy.stores.rows import restart_notice, user_content
from fake_agy.turns import answer

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from fake_agy.stores.step import Step
    from fake_agy.turns.turn import Turn

LATE_TITLE = 0.9
"""Seconds at speed 1 from the answer to the checkpoint that names the conversation (stores.md 2.7)."""

NAMED_LATE = ("history-and-late-title", "history-and-gap")
"""The forms of a first turn that name the conversation after the answer, or beside a tool."""

_REMINDER = (
    "The following is an <EPHEMERAL_MESSAGE> not actually sent by the user. It is provided by the system as "
    "a set of reminders.\n\n<EPHEMERAL_MESSAGE>\n<bash_command_reminder>\nPrefer the file tools to shell "
    "commands that read and write files.\n</bash_command_reminder>\n</EPHEMERAL_MESSAGE>"
)
_TRUNCATED = (
    "{{{{ CHECKPOINT 0 }}}}\n **The earlier parts of this conversation have been truncated due to its long "
    "length. What follows stands in for them. **\n\n\n# USER Objective:\n{title}\n\n# User Requests\nThe "
    "following were user requests from the truncated conversation in chronological order:\n1. {prompt}\n\n"
    "# Conversation Logs\n\nReference the following log files for the full, untruncated conversation:\n\n"
    "- {log}\n\n**IMPORTANT: This is for your information. DO NOT ACKNOWLEDGE THIS CHECKPOINT MESSAGE. **"
)


def first_steps(turn: Turn, index: int, *, first: bool, restarted: bool) -> Sequence[Step]:
    """Make the steps that open a turn; `restarted` is the first turn of a process that resumes."""
    stage = turn.stage
    now = stage.world.clock.now()
    changed = first or (stage.request.model_asked and turn.conversation.model() not in {"", turn.model})
    content = user_content(
        turn.prompt,
        local_time=local_second(now),
        settings_change=stage.request.label if changed else None,
        settings_before="None" if first else label_of(turn.conversation.model()),
    )
    user = turn.step(index, "USER_EXPLICIT", "USER_INPUT", content=content)._replace(plain=turn.prompt)
    steps = [user]
    if restarted:
        notice = restart_notice(utc_second(now))
        steps.append(turn.step(index + 1, "SYSTEM", "SYSTEM_MESSAGE", content=notice))
    elif first and str(stage.profile["first-turn-rows"]).startswith("history"):
        steps.append(turn.step(index + 1, "SYSTEM", "CONVERSATION_HISTORY"))
    turn.opened_at = index
    turn.notice_at = index + 1 if restarted else None
    return steps


def first_updates(turn: Turn) -> Sequence[StepUpdate]:
    """Give what a stream shows of them."""
    conversation = turn.conversation.id
    updates = [StepUpdate(conversation, turn.opened_at, "DONE", "user_input")]
    if turn.notice_at is not None:
        updates.append(StepUpdate(conversation, turn.notice_at, "DONE", "system_message"))
    return updates


def ephemeral_step(turn: Turn, index: int) -> Step:
    """Make the reminder that goes before an answer of a Pro model."""
    return turn.step(index, "SYSTEM", "EPHEMERAL_MESSAGE", content=_REMINDER)


def title_step(turn: Turn, index: int) -> Step:
    """Make the checkpoint that names a conversation (stores.md 3.3)."""
    from fake_agy.stores.layout import logs  # only some versions have such a step

    title = answer.title(turn.prompt)
    log = f"{logs(turn.stage.layout, turn.conversation.id)}/transcript.jsonl"
    content = _TRUNCATED.format(title=title, prompt=turn.prompt, log=log)
    logged = turn.stage.profile["first-turn-rows"] != "history-and-gap"
    step = turn.step(index, "SYSTEM", "CHECKPOINT", content=content)
    return step._replace(title=title, logged=logged)
