"""The recipes of programs that read agy's store: what each must find of what the double wrote."""

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.clients.environment import Package
from tests.clients.expect import TOLD, held, only, same
from tests.clients.place import FailedError, Place
from tests.support.terminal import Terminal

Command = Sequence[str | Path]
SECOND = "Which word did I give you?"
DRIVERS = Path(__file__).parent / "drivers"


@dataclass(frozen=True)
class Reading:
    """One program, and what it is to read; `judge(place, interpreter, conversation)` raises `FailedError`.

    `holds(place, through)` leaves a conversation and gives its id; `through` is the command that runs agy's
    caller. `recorded` says whether it is held through a shim that records the double and through one that
    replays the recording, else with the double itself.
    """

    number: int
    package: Package
    judge: Callable[[Place, Path, str], None]
    shows: str
    holds: Callable[[Place, Command], str]
    recorded: bool = True


def two_turns(place: Place, through: Command) -> str:
    """Two calls with -p, of one conversation whose workspace is the working directory."""
    turns = 'agy --add-dir "$PWD" -p "$0" && agy --add-dir "$PWD" --continue -p "$1"'
    place.run([*through, "sh", "-c", turns, TOLD, SECOND])
    return _only_conversation(place)


def a_session(place: Place, through: Command) -> str:
    """One turn on a terminal, in a folder that is not trusted yet."""
    env = {**place.environment(), "TERM": "xterm-256color"}
    command = [*map(str, through), "agy"]
    with Terminal({"args": command, "cwd": place.workspace, "env": env}) as terminal:
        terminal.shows("Yes, I trust this folder")
        terminal.type("\r")
        terminal.shows("? for shortcuts")
        terminal.enter(TOLD)
        terminal.shows("This is turn 1")
        terminal.shows("? for shortcuts")
        terminal.enter("/exit")
        same("the session's exit status", terminal.ends(), 0)
    return _only_conversation(place)


def _only_conversation(place: Place) -> str:
    return only("conversations in the store", (place.store / "brain").iterdir()).name


def agents_tree(place: Place, interpreter: Path, conversation: str) -> None:
    """By the transcript alone, and with a folder by the database too."""
    program = interpreter.parent / "agents-tree"
    for folder, cwd in (((), None), ((place.workspace,), str(place.workspace))):
        printed = place.run([program, *folder, "--provider", "agy", "--json"]).stdout
        session = only("sessions", json.loads(printed)["sessions"])
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
    session = only("sessions", found["sessions"])
    same("id", session["id"], conversation)
    same("cwd", session["cwd"], str(place.workspace))
    same("summary", (session["summary"], session["summary_source"]), (TOLD, "catalog_title"))
    same("resume command", found["resume"], ["agy", "--conversation", conversation])
    listed = place.run([interpreter.parent / "scompass", "--agy"], stdin="q\n").stdout
    held("its list", listed, f"id: {conversation}", TOLD)


def agent_yadogae(place: Place, interpreter: Path, _conversation: str) -> None:
    """By last_conversations.json; a call with -p leaves no history.jsonl and trusts no folder."""
    same(
        "its dry run",
        _dry_run(place, interpreter),
        ["[dry-run] rekey 1 last-conversation entry", "no trustedWorkspaces", "no history.jsonl"],
    )


def agent_yadogae_after_a_session(place: Place, interpreter: Path, _conversation: str) -> None:
    """By the trusted folder and by history.jsonl, which gets what was typed: a prompt and a command."""
    same(
        "its dry run",
        _dry_run(place, interpreter),
        [
            "[dry-run] rekey 1 last-conversation entry",
            "[dry-run] repoint 1 trusted workspace(s)",
            "[dry-run] repoint 2 history.jsonl entries",
        ],
    )


def _dry_run(place: Place, interpreter: Path) -> list[str]:
    """What it would change for agy, without the copies that it would make before."""
    target = place.workspace.with_name("workspace2")
    printed = place.run([interpreter.parent / "agent-yadogae", "-n", place.workspace, target]).stdout
    _, found, ours = printed.partition("== Antigravity CLI\n")
    if not found:
        raise FailedError(f"it has nothing on agy: {printed}")
    lines = ours.partition("\n\n")[0].splitlines()
    return [line.strip() for line in lines if "back up" not in line]


def agent_session_reader(place: Place, interpreter: Path, conversation: str) -> None:
    """By the transcripts."""
    program = interpreter.parent / "ai-r"
    held("its list", place.run([program, "list", "--agent", "antigravity"]).stdout, conversation, TOLD)
    read = place.run([program, "read", conversation, "--agent", "antigravity", "--messages"]).stdout
    held("the conversation", read, f"Title:     {TOLD}", SECOND, "Earlier you told me")
    said = [line for line in read.splitlines() if line.startswith("--- [")]
    same("who said what", [line.split()[2] for line in said], ["user", "assistant"] * 2)


def _last_text(place: Place, conversation: str) -> Any:
    """What the last answer's row holds: agents-tree shows the thinking where there is some."""
    path = place.store / "brain" / conversation / ".system_generated" / "logs" / "transcript.jsonl"
    answers = [json.loads(line) for line in path.read_text().splitlines()]
    last = [row for row in answers if row["type"] == "PLANNER_RESPONSE"][-1]
    if "turn 2" not in last["content"]:
        raise FailedError(f"the last answer is none of turn 2: {last}")
    return last.get("thinking") or last["content"]


YADOGAE = Package("agent-yadogae", "0.1.1")
READING = (
    Reading(
        8,
        Package("agents-tree", "1.2.0"),
        agents_tree,
        "by transcript, and by database in a folder",
        two_turns,
    ),
    Reading(
        9,
        Package("session-compass", "0.1.1"),
        session_compass,
        "database, summaries, resume command, list",
        two_turns,
    ),
    Reading(10, YADOGAE, agent_yadogae, "last conversations of calls with -p", two_turns),
    # A replay leaves what belongs to the conversation: no settings, and no line of history without its id.
    Reading(
        10,
        YADOGAE,
        agent_yadogae_after_a_session,
        "last conversations, trusted folder and history of a session on a terminal",
        a_session,
        recorded=False,
    ),
    Reading(11, Package("agent-session-reader", "0.4.2"), agent_session_reader, "listed and read", two_turns),
)
