"""Many doubles at once in one HOME: no lost row, no torn line, no locked database."""

import json
import random
import sqlite3
import subprocess
from contextlib import closing
from pathlib import Path

import pytest

from tests.support.double import Double, make_double
from tests.support.figures import drawn_seed, scaled

PROCESSES = 32


@pytest.mark.stress
def test_thirty_two_processes_at_once_lose_nothing(tmp_path: Path) -> None:
    draw = random.Random(drawn_seed())
    for number in range(scaled(20)):
        double = make_double(tmp_path / f"round-{number}")
        double.call("-p", "the first prompt")
        shared = double.last_conversation()

        crowd(double, shared, draw)


def crowd(double: Double, shared: str, draw: random.Random) -> None:
    """Half of the processes resume one conversation, half begin their own, in any order."""
    calls: list[tuple[str, str | None]] = [
        (f"shared prompt {number}", shared) for number in range(PROCESSES // 2)
    ]
    calls += [(f"own prompt {number}", None) for number in range(PROCESSES // 2)]
    draw.shuffle(calls)
    running = []
    for prompt, conversation in calls:
        words = ("--conversation", conversation) if conversation else ()
        command = double.command(*words, "-p", prompt)
        pipes = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
        running.append((prompt, subprocess.Popen(**command, **pipes)))  # type: ignore[call-overload]  # kept in mappings
    for prompt, process in running:
        out, err = process.communicate(timeout=120)
        assert (process.returncode, err) == (0, b"")
        assert prompt.encode() in out

    conversations = [path.stem for path in (double.root / "conversations").glob("*.db")]
    assert len(conversations) == 1 + PROCESSES // 2
    prompts = {id_: whole_conversation(double, id_) for id_ in conversations}
    assert sorted(prompts[shared]) == sorted(
        ["the first prompt", *(prompt for prompt, conversation in calls if conversation)]
    )
    own = [texts for id_, texts in prompts.items() if id_ != shared]
    assert sorted(own) == sorted([prompt] for prompt, conversation in calls if conversation is None)
    entries = json.loads((double.root / "cache" / "last_conversations.json").read_text())
    assert entries[str(double.cwd)] in conversations
    with closing(sqlite3.connect(double.root / "conversation_summaries.db")) as summaries:
        listed = {row[0] for row in summaries.execute("SELECT conversation_id FROM conversation_summaries")}
    assert listed == set(conversations)


def whole_conversation(double: Double, conversation: str) -> list[str]:
    """Checks that both transcripts and the database agree; gives the prompts in them."""
    short = double.rows(conversation)
    full = double.rows(conversation, "transcript_full.jsonl")
    indices = [row["step_index"] for row in full]
    assert len(set(indices)) == len(indices)
    assert [row["step_index"] for row in short] == indices
    with closing(sqlite3.connect(double.root / "conversations" / f"{conversation}.db")) as database:
        assert database.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        steps = [row[0] for row in database.execute("SELECT idx FROM steps ORDER BY idx")]
    assert steps == list(range(len(steps)))
    assert set(indices) <= set(steps)
    texts = [row["content"] for row in full if row["type"] == "USER_INPUT"]
    return [text.split("<USER_REQUEST>\n")[1].split("\n</USER_REQUEST>")[0] for text in texts]
