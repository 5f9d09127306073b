"""The facts that are compared, as data: where each stands, which call shows it, how it is read."""

from collections.abc import Callable
from dataclasses import dataclass

from agy_proxy.contract import read
from agy_proxy.contract.call import Answer
from agy_proxy.contract.read import Value


@dataclass(frozen=True, slots=True)
class Fact:
    """One fact about agy.

    `section` is where docs/reference/agy states it; `call` names what shows it. With `beside` the reader gets
    the answer of that other call too. `behaviours` are those of the double that decide it: a switch of one of
    them lets the double do as the agy does that differs.
    """

    name: str
    section: str
    call: str
    read: Callable[..., Value]
    behaviours: tuple[str, ...] = ()
    beside: str | None = None


def _same_text(answer: Answer, other: Answer) -> Value:
    return (answer.out, answer.err, answer.exit) == (other.out, other.err, other.exit)


def _refusal(call: str, section: str, *behaviours: str) -> tuple[Fact, ...]:
    """What is to be known of a call that is refused: its exit status and its message."""
    return (
        Fact(f"{call}: exit status", section, call, read.exit_status, behaviours),
        Fact(f"{call}: message", section, call, read.message, behaviours),
    )


FACTS: tuple[Fact, ...] = (
    Fact("version: form", "contract.md 1.4", "version", read.version_form),
    Fact("version: exit status", "contract.md 1.4", "version", read.exit_status),
    Fact("help: exit status", "contract.md 1.4", "help", read.exit_status),
    Fact("help: stream", "contract.md 1.4", "help", read.streams),
    Fact("help: flags listed", "contract.md 1.2", "help", read.help_flags, ("remote-control-flag",)),
    Fact("help: subcommands listed", "contract.md 1.3", "help", read.help_subcommands),
    Fact("help: descriptions", "contract.md 1.4", "help", read.help_descriptions, ("print-timeout",)),
    Fact("help: --help says what help says", "contract.md 1.4", "help", _same_text, beside="help subcommand"),
    *_refusal("unknown flag", "contract.md 1.5"),
    Fact("unknown flag: usage follows", "contract.md 1.5", "unknown flag", read.usage_follows),
    *_refusal("flag without value", "contract.md 1.5"),
    *_refusal("bad boolean", "contract.md 1.5"),
    *_refusal("bad duration", "contract.md 1.5"),
    *_refusal("swallowed flag", "contract.md 1.5", "swallowed-flag"),
    *_refusal("stray argument", "contract.md 1.5", "stray-argument"),
    *_refusal("empty prompt", "contract.md 1.5", "error-marker"),
    Fact("models: exit status", "contract.md 1.3", "models", read.exit_status),
    Fact("models: form", "contract.md 1.3", "models", read.models_form, ("models-form",)),
    Fact("models: listed", "contract.md 1.3", "models", read.models_listed, ("catalogue", "models-form")),
    Fact(
        "models: stream of the progress line",
        "contract.md 1.3",
        "models",
        read.progress_stream,
        ("models-progress",),
    ),
    *_refusal("models, format behind", "contract.md 1.3"),
    Fact("models as json: keys", "contract.md 1.3", "models as json", read.object_keys),
    Fact("models as json: status", "contract.md 1.3", "models as json", read.status_word),
    Fact("plugin list: exit status", "contract.md 1.3", "plugin list", read.exit_status),
    Fact("plugin list: keys", "contract.md 1.3", "plugin list", read.object_keys),
    Fact("text turn: exit status", "contract.md 2.5", "text turn", read.exit_status),
    Fact("text turn: streams", "contract.md 2.3", "text turn", read.streams),
    Fact("text turn: stdout", "contract.md 2.3", "text turn", read.answers_in_text),
    Fact(
        "text turn: the log tells the conversation",
        "contract.md 2.9",
        "text turn",
        read.log_tells_conversation,
    ),
    Fact("resumed turn: exit status", "contract.md 2.5", "resumed turn", read.exit_status),
    Fact(
        "resumed turn: same conversation",
        "contract.md 4.1",
        "resumed turn",
        read.same_conversation,
        beside="text turn",
    ),
    Fact("resumed turn: recalls the earlier one", "contract.md 4.5", "resumed turn", read.recalls),
    Fact(
        "resumed turn: repeats the earlier answer",
        "contract.md 4.4",
        "resumed turn",
        read.repeats,
        ("replay-on-resume",),
        beside="text turn",
    ),
    Fact(
        "continued turn: same conversation",
        "contract.md 4.3",
        "continued turn",
        read.same_conversation,
        ("last-conversations", "continue-fallback"),
        beside="resumed turn",
    ),
    Fact("unknown id: exit status", "contract.md 4.2", "unknown id", read.exit_status),
    Fact(
        "unknown id: warning", "contract.md 4.2", "unknown id", read.not_found_warning, ("not-found-warning",)
    ),
    Fact("unknown id: a new conversation", "contract.md 4.2", "unknown id", read.new_conversation),
    Fact("json turn: exit status", "contract.md 2.5", "json turn", read.exit_status),
    Fact("json turn: keys", "contract.md 3.1", "json turn", read.object_keys),
    Fact("json turn: status", "contract.md 3.1", "json turn", read.status_word),
    Fact("json turn: conversation id", "contract.md 4.1", "json turn", read.id_form),
    Fact("stream turn: exit status", "contract.md 2.5", "stream turn", read.exit_status),
    Fact("stream turn: events", "contract.md 3.2", "stream turn", read.event_kinds),
    Fact("stream turn: step types", "contract.md 3.2", "stream turn", read.step_types, ("first-turn-rows",)),
    Fact(
        "stream turn: keys of init",
        "contract.md 3.2",
        "stream turn",
        read.init_keys,
        ("init-order", "model-in-init"),
    ),
    Fact("stream turn: keys of the answer's step", "contract.md 3.2", "stream turn", read.step_keys),
    Fact("stream turn: keys of result", "contract.md 3.1", "stream turn", read.result_keys),
    Fact("prompt on stdin: exit status", "contract.md 1.5", "prompt on stdin", read.exit_status),
    Fact("prompt on stdin: stdout", "contract.md 1.5", "prompt on stdin", read.answers_in_text),
    Fact(
        "unknown model: exit status", "contract.md 1.6", "unknown model", read.exit_status, ("unknown-model",)
    ),
    Fact(
        "unknown model: message",
        "contract.md 1.6",
        "unknown model",
        read.refusal_of_model,
        ("unknown-model",),
    ),
)
