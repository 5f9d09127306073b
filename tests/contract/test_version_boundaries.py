"""The same call, just below a version that changed something and at it (contract.md 8, failures.md 4)."""

import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

import pytest

from fake_agy.profile.row import Value
from fake_agy.turns.moves import PlainMove
from tests.support.double_calls import Asked, Played, ask, play

Check = Callable[[Played], object]

SAYS = ask("-p", "hello")
RUN: PlainMove = ("use_tool", {"name": "run_command", "args": {"CommandLine": "echo ran > here.txt"}})
ENV: PlainMove = ("use_tool", {"name": "run_command", "args": {"CommandLine": "env > env.txt"}})
DONE: PlainMove = ("say", {"text": "Done.\n"})
SKIP = "--dangerously-skip-permissions"
UNKNOWN = "00000000-0000-4000-8000-000000000000"


class Boundary(NamedTuple):
    """Calls, and what is true of them below and at the version."""

    below: str
    at: str
    calls: Sequence[Asked]
    before: Check
    after: Check
    turns: Sequence[tuple[PlainMove, ...]] = ()
    switches: Sequence[tuple[str, Value]] = ()


def ended(code: int, *, out: str = "", err: str = "") -> Check:
    """The last call's status, and patterns found in its streams; an empty pattern asks for nothing."""

    def check(played: Played) -> bool:
        last = played.last
        return (
            last.code == code
            and re.search(out, last.out, re.MULTILINE) is not None
            and re.search(err, last.err, re.MULTILINE) is not None
        )

    return check


def silent(code: int) -> Check:
    """The last call's status, with nothing on either stream."""
    return lambda played: played.last == (code, "", "")


def no_such_flag(name: str) -> Check:
    return ended(2, err=rf"^flags provided but not defined: -{name}$")


def answered(played: Played) -> bool:
    return played.last.code == 0 and "turn" in played.last.out


def store_has(pattern: str) -> Check:
    return lambda played: bool(list(played.double.root.glob(pattern)))


def store_lacks(pattern: str) -> Check:
    return lambda played: not list(played.double.root.glob(pattern))


def new_flag(name: str, below: str, at: str, *value: str) -> Boundary:
    """A flag that one version does not know and the next one does."""
    return Boundary(below, at, [ask(f"--{name}", *value, "-p", "hello")], no_such_flag(name), answered)


def here(played: Played) -> str:
    """What a command of the turn wrote into the folder it ran in."""
    found = [*played.double.cwd.glob("*.txt"), *played.double.root.rglob("*.txt")]
    return "".join(path.read_text() for path in found if path.name in {"here.txt", "env.txt"})


def types(played: Played) -> list[str]:
    return [row["type"] for row in played.rows()]


BOUNDARIES = {
    "1.0.4 keeps conversations in databases": Boundary(
        "1.0.3", "1.0.4", [SAYS], store_has("conversations/*.pb"), store_has("conversations/*.db")
    ),
    "1.0.5 takes a model": new_flag("model", "1.0.4", "1.0.5", "gemini-3.1-pro-high"),
    "1.0.9 prints only the new answer of a resumed turn": Boundary(
        "1.0.8",
        "1.0.9",
        [SAYS, ask("--conversation", "{id}", "-p", "again")],
        lambda played: played.last.out.startswith(played.answers[0].out),
        lambda played: played.answers[0].out not in played.last.out,
    ),
    "1.0.12 takes a project": new_flag("project", "1.0.11", "1.0.12", "default-cli-project"),
    "1.0.12 makes a project": new_flag("new-project", "1.0.11", "1.0.12"),
    "1.1.0 takes a mode": new_flag("mode", "1.0.16", "1.1.0", "accept-edits"),
    "1.1.1 takes an agent": new_flag("agent", "1.1.0", "1.1.1", "default"),
    "1.1.1 leaves stdin alone beside a prompt flag": Boundary(
        "1.1.0",
        "1.1.1",
        [ask("-p", "", stdin=b"from the pipe")],
        ended(0, out="from the pipe"),
        ended(1, err="empty prompt"),
    ),
    "1.1.1 says server errors and fails": Boundary(
        "1.1.0",
        "1.1.1",
        [SAYS],
        silent(0),
        lambda played: played.last.code != 0 and played.last.err != "",
        turns=[(("fail", {"kind": "server"}),)],
    ),
    "1.1.2 refuses a model it doesn't know": Boundary(
        "1.1.1",
        "1.1.2",
        [ask("--model", "no-such-model", "-p", "hello")],
        ended(0),
        lambda played: played.last.code != 0 and "Available models:" in played.last.err,
    ),
    "1.1.3 denies what it can't ask for": Boundary(
        "1.1.2",
        "1.1.3",
        [SAYS],
        lambda played: here(played) == "ran\n",
        lambda played: here(played) == "" and played.last.err.startswith("jetski: no output produced"),
        turns=[(RUN,)],
    ),
    "1.1.5 takes an effort": new_flag("effort", "1.1.4", "1.1.5", "low"),
    "1.1.5 lists models by slug": Boundary(
        "1.1.4",
        "1.1.5",
        [ask("models")],
        ended(0, out=r"^Gemini 3\.1 Pro \(High\)$"),
        ended(0, out=r"^gemini-3\.1-pro-high$"),
    ),
    "1.1.8 takes an output format": new_flag("output-format", "1.1.7", "1.1.8", "text"),
    "1.1.8 takes a schema": new_flag("json-schema", "1.1.7", "1.1.8", '{"type":"object"}'),
    "1.1.9 can leave slash commands alone": new_flag("disable-slash-commands", "1.1.8", "1.1.9"),
    "1.1.11 answers read-only slash commands itself": Boundary(
        "1.1.10",
        "1.1.11",
        [ask("-p", "/usage")],
        store_has("brain/*"),
        store_lacks("brain/*"),
    ),
    "1.1.11 refuses slash commands for people": Boundary(
        "1.1.10",
        "1.1.11",
        [ask("-p", "/clear")],
        lambda played: played.last.code != 2,
        ended(2, err="--disable-slash-commands"),
    ),
    "1.1.11 lists models with slug and label": Boundary(
        "1.1.10",
        "1.1.11",
        [ask("models")],
        ended(0, out=r"^gemini-3\.1-pro-high$"),
        ended(0, out="^gemini-3\\.1-pro-high\tGemini 3\\.1 Pro \\(High\\)$"),
    ),
    "1.1.12 warns of an unknown conversation on stderr": Boundary(
        "1.1.11",
        "1.1.12",
        [ask("--conversation", UNKNOWN, "-p", "hello")],
        ended(0, out=rf'\AWarning: conversation "{UNKNOWN}" not found\.\n'),
        ended(0, out=r"\A(?!Warning)", err=rf'\Awarning: conversation "{UNKNOWN}" not found\n\Z'),
    ),
    "1.1.12 says on stderr that it fetches models": Boundary(
        "1.1.11",
        "1.1.12",
        [ask("models")],
        ended(0, out=r"\AFetching available models\.\.\.\n"),
        ended(0, out=r"\A(?!Fetching)", err=r"\AFetching available models\.\.\.\n"),
    ),
    "1.1.12 answers more slash commands itself": Boundary(
        "1.1.11", "1.1.12", [ask("-p", "/help")], store_has("brain/*"), store_lacks("brain/*")
    ),
    "1.1.13 keeps chunks": Boundary(
        "1.1.12",
        "1.1.13",
        [SAYS],
        store_lacks("brain/*/.system_generated/logs/chunks"),
        store_has("brain/*/.system_generated/logs/chunks/transcript/00000000.jsonl"),
    ),
    "1.1.14 writes every tool's result as GENERIC": Boundary(
        "1.1.13",
        "1.1.14",
        [ask(SKIP, "-p", "hello")],
        lambda played: "RUN_COMMAND" in types(played) and "GENERIC" not in types(played),
        lambda played: "GENERIC" in types(played) and "RUN_COMMAND" not in types(played),
        turns=[(RUN, DONE)],
    ),
    "1.1.15 takes messages as a stream": Boundary(
        "1.1.14",
        "1.1.15",
        [
            ask(
                *("--output-format", "stream-json", "--input-format", "stream-json"),
                stdin=b'{"event":"user","message":{"role":"user","content":"hello"}}\n',
            )
        ],
        no_such_flag("input-format"),
        lambda played: played.last.code == 0 and played.events()[-1]["result"]["status"] == "SUCCESS",
    ),
    "1.1.16 manages MCP servers": Boundary(
        "1.1.15",
        "1.1.16",
        [ask("mcp", "list")],
        lambda played: "No MCP servers configured." not in played.last.out,
        ended(0, out=r"^No MCP servers configured\.$"),
    ),
    "1.1.18 refuses a prompt flag that took a flag": Boundary(
        "1.1.17",
        "1.1.18",
        [ask("--print", "--sandbox", "hello")],
        ended(0, out="--sandbox"),
        ended(2, err=r'\AError: --print took "--sandbox" as its prompt'),
    ),
    "1.1.18 refuses a stray argument": Boundary(
        "1.1.17", "1.1.18", [ask("-p", "hello", "stray")], answered, ended(2, err="stray")
    ),
    "1.1.20 doesn't fail a run for a denial": Boundary(
        "1.1.19",
        "1.1.20",
        [ask("--output-format", "json", "-p", "hello")],
        lambda played: played.json()["status"] == "ERROR",
        lambda played: played.json()["status"] == "SUCCESS",
        turns=[(RUN, DONE)],
    ),
    "1.1.26 writes the log of a database back at exit": Boundary(
        "1.1.25", "1.1.26", [SAYS], store_has("conversations/*.db-wal"), store_lacks("conversations/*.db-wal")
    ),
    "1.1.27 names denied actions": Boundary(
        "1.1.26",
        "1.1.27",
        [ask("--output-format", "json", "-p", "hello")],
        lambda played: "denied_actions" not in played.json(),
        lambda played: (
            played.json().get("denied_actions") == [{"action": "command", "display_name": "RunCommand"}]
        ),
        turns=[(RUN, DONE)],
    ),
    "1.1.28 counts a denied run as a success": Boundary(
        "1.1.27",
        "1.1.28",
        [ask("--output-format", "json", "-p", "hello")],
        lambda played: played.last.code == 0 and played.json()["status"] == "CANCELED",
        lambda played: played.last.code == 0 and played.json()["status"] == "SUCCESS",
        turns=[(RUN,)],
    ),
    "1.1.28 gives what it has when the time is up": Boundary(
        "1.1.27",
        "1.1.28",
        [ask("--print-timeout", "25s", "-p", "hello")],
        ended(1, err=r"^Error: timeout waiting for response$"),
        ended(
            0,
            out=r"\ABegun\.\n\Z",
            err=r"^\[agy\] print timeout after 25s with turn in progress; returning partial output$",
        ),
        turns=[(("say", {"text": "Begun.\n"}), ("wait", {"seconds": 60}), DONE)],
    ),
    "1.1.0 fails when the time is up": Boundary(
        "1.0.16",
        "1.1.0",
        [ask("--print-timeout", "20s", "-p", "hello")],
        ended(0, out="Error: timed out waiting for response"),
        lambda played: (
            played.last.code == 1
            and "Error: timeout waiting for response" in played.last.out + played.last.err
        ),
        turns=[(("wait", {"seconds": 60}), DONE)],
    ),
    "1.2.0 writes neither history nor ephemeral rows": Boundary(
        "1.1.28",
        "1.2.0",
        [SAYS],
        lambda played: "CONVERSATION_HISTORY" in types(played),
        lambda played: types(played) == ["USER_INPUT", "PLANNER_RESPONSE"],
    ),
    "1.2.4 writes failed steps": Boundary(
        "1.2.3",
        "1.2.4",
        [ask(SKIP, "-p", "hello")],
        lambda played: "ERROR" not in [row["status"] for row in played.rows()],
        lambda played: "ERROR" in [row["status"] for row in played.rows()],
        turns=[
            (
                (
                    "use_tool",
                    {"name": "view_file", "args": {"AbsolutePath": "/nowhere"}, "error": "no such file"},
                ),
                DONE,
            )
        ],
    ),
    "1.2.6 waits as long as it takes": Boundary(
        "1.2.5",
        "1.2.6",
        [SAYS],
        lambda played: "Done." not in played.last.out,
        ended(0, out=r"\ADone\.\n\Z"),
        turns=[(("wait", {"seconds": 400}), DONE)],
    ),
    "1.2.6 has no limit where the limit is zero": Boundary(
        "1.1.18",
        "1.2.6",
        [ask("--output-format", "json", "--print-timeout", "0", "-p", "hello")],
        lambda played: played.last.code == 1 and played.json()["num_turns"] == 0,
        lambda played: played.last.code == 0 and played.json()["response"] == "Done.\n",
        turns=[(DONE,)],
    ),
    "1.2.6 says what failed in one line of JSON": Boundary(
        "1.2.5",
        "1.2.6",
        [SAYS],
        lambda played: played.last.code == 1 and "AGY_ERROR" not in played.last.err,
        ended(3, err=r'^AGY_ERROR: \{.*"RESOURCE_EXHAUSTED.*\}$'),
        turns=[(("fail", {"kind": "quota"}),)],
    ),
    "1.2.6 takes remote control": Boundary(
        "1.2.5",
        "1.2.6",
        [ask("--help")],
        ended(0, out=r"\A(?![\s\S]*--remote-control)"),
        ended(0, out="--remote-control"),
    ),
    "1.2.10 keeps the partial answer of a failed run": Boundary(
        "1.2.9",
        "1.2.10",
        [ask("--output-format", "json", "-p", "hello")],
        lambda played: played.json()["response"] == "" and played.last.code != 0,
        lambda played: played.json()["response"] == "Begun.\n" and played.last.code == 3,
        turns=[(("say", {"text": "Begun.\n"}), ("fail", {"kind": "server"}))],
    ),
    "1.2.14 takes only a schema of an object": Boundary(
        "1.2.13",
        "1.2.14",
        [ask("--output-format", "json", "--json-schema", "string", "-p", "hello")],
        lambda played: played.last.code == 0,
        lambda played: played.last.code == 1,
    ),
    "1.3.2 always names the model at the start": Boundary(
        "1.3.1",
        "1.3.2",
        [ask("--output-format", "stream-json", "-p", "hello")],
        lambda played: "model" not in played.events()[0]["init"],
        lambda played: "model" in played.events()[0]["init"],
    ),
    "1.3.3 turns off the pager of jj": Boundary(
        "1.3.2",
        "1.3.3",
        [ask(SKIP, "-p", "hello")],
        lambda played: "PAGER=cat" in here(played) and "JJ_PAGER" not in here(played),
        lambda played: "JJ_PAGER=cat" in here(played),
        turns=[(ENV, DONE)],
    ),
}


@pytest.mark.parametrize("name", BOUNDARIES)
def test_a_version_changes_what_the_one_before_it_did(name: str, tmp_path: Path) -> None:
    boundary = BOUNDARIES[name]

    def at(version: str) -> Played:
        return play(
            tmp_path, version, *boundary.calls, turns=boundary.turns, switches=dict(boundary.switches)
        )

    before, after = at(boundary.below), at(boundary.at)

    assert boundary.before(before), f"{boundary.below} gave {before.last}"
    assert boundary.after(after), f"{boundary.at} gave {after.last}"
    assert not boundary.after(before)
    assert not boundary.before(after)
