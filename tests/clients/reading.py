"""The recipes of programs that read agy's store: what each must find of what the double wrote."""

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.clients.environment import Package
from tests.clients.expect import TOLD, held, same
from tests.clients.place import FailedError, Place

SECOND = "Which word did I give you?"
DRIVERS = Path(__file__).parent / "drivers"


@dataclass(frozen=True)
class Reading:
    """One program; `judge(place, interpreter, conversation)` raises `FailedError`."""

    number: int
    package: Package
    judge: Callable[[Place, Path, str], None]
    shows: str


def a_conversation(place: Place, through: Sequence[str | Path] = ()) -> str:
    """Holds two turns of one conversation whose workspace is the working directory, and gives its id.

    `through` is the command that runs them, by default none.
    """
    turns = 'agy --add-dir "$PWD" -p "$0" && agy --add-dir "$PWD" --continue -p "$1"'
    place.run([*through, "sh", "-c", turns, TOLD, SECOND])
    (conversation,) = (place.store / "brain").iterdir()
    return conversation.name


def agents_tree(place: Place, interpreter: Path, conversation: str) -> None:
    """By the transcript alone, and with a folder by the database too."""
    program = interpreter.parent / "agents-tree"
    for folder, cwd in (((), None), ((place.workspace,), str(place.workspace))):
        printed = place.run([program, *folder, "--provider", "agy", "--json"]).stdout
        (session,) = json.loads(printed)["sessions"]
        detail = session["main"]["detail"]
        same("id", session["id"], conversation)
        same("prompt", detail["prompt"], TOLD)
        same("requests", detail["requests"], 2)
        same("last text", detail["last_text"], _last_text(place, conversation))
        if cwd is not None:
            same("cwd", session["cwd"], cwd)


def session_compass(place: Place, interpreter: Path, conversation: str) -> None:
    """By the database and the list of summaries."""
    driver = DRIVERS / "session_compass_list.py"
    found = place.facts([interpreter, driver, conversation])
    (session,) = found["sessions"]
    same("id", session["id"], conversation)
    same("cwd", session["cwd"], str(place.workspace))
    same("summary", (session["summary"], session["summary_source"]), (TOLD, "catalog_title"))
    same("resume command", found["resume"], ["agy", "--conversation", conversation])
    listed = place.run([interpreter.parent / "scompass", "--agy"], stdin="q\n").stdout
    held("its list", listed, conversation[:8], TOLD)


def agent_yadogae(place: Place, interpreter: Path, _conversation: str) -> None:
    """By last_conversations.json; a call with -p leaves no history.jsonl."""
    target = place.workspace.with_name("workspace2")
    printed = place.run([interpreter.parent / "agent-yadogae", "-n", place.workspace, target]).stdout
    held("its dry run", printed, "[dry-run] rekey 1 last-conversation entry")


def agent_session_reader(place: Place, interpreter: Path, conversation: str) -> None:
    """By the transcripts."""
    program = interpreter.parent / "ai-r"
    held("its list", place.run([program, "list", "--agent", "antigravity"]).stdout, conversation, TOLD)
    read = place.run([program, "read", conversation, "--agent", "antigravity", "--messages"]).stdout
    held("the conversation", read, TOLD, SECOND, "Earlier you told me")


def _last_text(place: Place, conversation: str) -> Any:
    """What the last answer's row holds: agents-tree shows the thinking where there is some."""
    path = place.store / "brain" / conversation / ".system_generated" / "logs" / "transcript.jsonl"
    answers = [json.loads(line) for line in path.read_text().splitlines()]
    last = [row for row in answers if row["type"] == "PLANNER_RESPONSE"][-1]
    if "turn 2" not in last["content"]:
        raise FailedError(f"the last answer is none of turn 2: {last}")
    return last.get("thinking") or last["content"]


READING = (
    Reading(8, Package("agents-tree", "1.2.0"), agents_tree, "by transcript and by database"),
    Reading(9, Package("session-compass", "0.1.1"), session_compass, "database, summaries, resume command"),
    Reading(10, Package("agent-yadogae", "0.1.1"), agent_yadogae, "last conversations, dry run"),
    Reading(11, Package("agent-session-reader", "0.4.2"), agent_session_reader, "listed and read"),
)
