"""The recipes of programs that call agy: what each is asked, and what it must show."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tests.clients.environment import Package
from tests.clients.expect import NOT_FOUND, UNKNOWN, forgetful, fresh, held, resumed, same
from tests.clients.place import AGY_VERSION, Place

Facts = Mapping[str, Any]


@dataclass(frozen=True)
class Calling:
    """One program: its driver, what its facts must show, and what its first turn asks of agy.

    `asks` are the arguments as a cassette keeps them. `beside` is checked without the driver. `recorded`
    says whether the program also runs through a shim that records the double and through one that replays
    the recording. `switches` are those of the double, `env` is added to the program's environment.
    """

    number: int
    package: Package
    driver: str
    judge: Callable[[Facts], None]
    shows: str
    asks: str
    beside: Callable[[Place, Path], None] | None = None
    recorded: bool = True
    switches: tuple[str, ...] = ()
    env: Mapping[str, str] = field(default_factory=dict)


def antigravity_bridge(facts: Facts) -> None:
    """An unknown id passes for success (docs/reference/agy/clients.md)."""
    same("success of the first turn", facts["fresh"]["success"], True)
    fresh(facts["fresh"])
    resumed(facts["resumed"])
    resumed(facts["continued"], turn=3)
    forgetful(facts["unknown"])
    turns = ("fresh", "resumed", "continued", "unknown")
    same("success", [facts[turn]["success"] for turn in turns], [True] * 4)


def antigravity_bridge_in_vain(facts: Facts) -> None:
    """No output is a failure, though agy ended with 0: it is asked three times, each a conversation."""
    same("success", facts["fresh"]["success"], False)
    held("the message", facts["fresh"]["text"], "Antigravity CLI produced no output")
    same("the number of attempts", len(facts["conversations"]), 3)


def agy_headless_bridge(facts: Facts) -> None:
    """It prints what a terminal shows."""
    fresh(facts["fresh"])
    same("exit status", facts["fresh"]["code"], 0)
    resumed(facts["resumed"])
    held("the tools of its server", " ".join(facts["tools"]), "agy_ask")


def without_agy(place: Place, interpreter: Path) -> None:
    """Where it finds no agy it ends with 127."""
    place.agy.unlink()
    ended = place.run([interpreter.parent / "agy-bridge", "hello"], path=False, code=127)
    held("the message without agy", ended.stderr, "not found")


def antigravity_cli_mcp_slim(facts: Facts) -> None:
    """An unknown id leaves its trace on a stream that the user does not see."""
    fresh(facts["fresh"])
    resumed(facts["resumed"])
    forgetful(facts["unknown"])
    same("status", [facts[turn]["status"] for turn in ("fresh", "resumed", "unknown")], ["SUCCESS"] * 3)
    same("the resumed id", facts["resumed"]["conversation"], facts["fresh"]["conversation"])
    same(
        "whether the id stayed",
        facts["unknown"]["conversation"] in (UNKNOWN, facts["fresh"]["conversation"]),
        False,
    )
    same("ok", facts["unknown"]["ok"], True)
    held("stderr", facts["unknown"]["stderr"], NOT_FOUND)


def agy_connect(facts: Facts) -> None:
    """It resumes by sending its history, so every turn is a first one."""
    fresh(facts["fresh"])
    held("the second prompt", facts["resumed"]["text"], "turn 1", "heron", "Which word did I give you?")


def hermes(facts: Facts) -> None:
    """Two turns in one process; the next process resumes the same conversation."""
    fresh(facts["fresh"])
    resumed(facts["continued"])
    resumed(facts["resumed"], turn=3)
    same("processes", [facts[turn]["processes"] for turn in ("fresh", "continued", "resumed")], [1, 1, 2])
    same("the ids", len({facts[turn]["conversation"] for turn in ("fresh", "continued", "resumed")}), 1)


def agentsummons(facts: Facts) -> None:
    """It hands on what stderr said."""
    fresh(facts["fresh"])
    resumed(facts["resumed"])
    forgetful(facts["unknown"])
    same("exit status", [facts[turn]["code"] for turn in ("fresh", "resumed", "unknown")], [0, 0, 0])
    same("version", facts["resumed"]["version"], AGY_VERSION)
    held("stderr", facts["unknown"]["stderr"], NOT_FOUND)
    held("its doctor", " ".join(facts["doctor"]), f"installed {AGY_VERSION}", "validated 1.2.11", "clean")


def agent_loop_tool(facts: Facts) -> None:
    """It can't resume: the second turn is a first one."""
    fresh(facts["fresh"])
    forgetful(facts["again"])
    same("exit status", [facts[turn]["code"] for turn in ("fresh", "again")], [0, 0])


# Some import a module that mcp 2 no longer has.
OLD_MCP = ("mcp<2",)
BRIDGE = Package("antigravity-bridge", "1.2.1", OLD_MCP)
BRIDGE_ASKS = "agy --dangerously-skip-permissions --add-dir ${CWD} --print-timeout 600s --print ${PROMPT}"
ON_TERMINALS_ONLY = "piped-text=lost"
CALLING = (
    Calling(
        1,
        BRIDGE,
        "antigravity_bridge.py",
        antigravity_bridge,
        "fresh, resumed, continued, unknown id",
        BRIDGE_ASKS,
    ),
    Calling(
        1,
        BRIDGE,
        "antigravity_bridge.py",
        antigravity_bridge,
        "the same on a terminal, with an agy that shows nothing through a pipe",
        BRIDGE_ASKS,
        switches=(ON_TERMINALS_ONLY,),
        env={"ANTIGRAVITY_BRIDGE_FORCE_TTY": "true"},
    ),
    Calling(
        1,
        BRIDGE,
        "antigravity_bridge.py",
        antigravity_bridge_in_vain,
        "three attempts with an agy that shows nothing through a pipe",
        BRIDGE_ASKS,
        switches=(ON_TERMINALS_ONLY,),
    ),
    Calling(
        2,
        Package("agy-headless-bridge", "1.3.0"),
        "agy_headless_bridge_run.py",
        agy_headless_bridge,
        "fresh, resumed, no agy, its server, with an agy that shows nothing through a pipe",
        "agy --add-dir ${CWD} --print-timeout 885s -p ${PROMPT}",
        beside=without_agy,
        switches=(ON_TERMINALS_ONLY,),
    ),
    Calling(
        3,
        Package("antigravity-cli-mcp-slim", "0.2.1"),
        "antigravity_cli_mcp_slim_tools.py",
        antigravity_cli_mcp_slim,
        "fresh, resumed, unknown id",
        "agy --print ${PROMPT} --output-format json",
    ),
    Calling(
        4,
        Package("agy-connect", "0.1.3", OLD_MCP),
        "agy_connect_chat.py",
        agy_connect,
        "fresh, and its own history",
        "agy",
    ),
    Calling(
        5,
        Package("hermes-antigravity-acp", "2.1.3", OLD_MCP),
        "hermes_antigravity_acp_session.py",
        hermes,
        "two turns of one process, resumed by another",
        "agy --input-format stream-json --output-format stream-json"
        " --disable-slash-commands --dangerously-skip-permissions",
    ),
    Calling(
        6,
        Package("agentsummons", "0.4.0"),
        "agentsummons_cli.py",
        agentsummons,
        "fresh, resumed, unknown id, doctor",
        "agy --dangerously-skip-permissions --add-dir ${CWD} --output-format json -p ${PROMPT}",
    ),
    Calling(
        7,
        Package("agent-loop-tool", "0.2.0"),
        "agent_loop_tool.py",
        agent_loop_tool,
        "two fresh turns",
        "agy -p ${PROMPT}",
    ),
)
