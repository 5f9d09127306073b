"""What agy says on stderr about flags it goes on without (contract.md 1.2, 1.6)."""

from __future__ import annotations

from fake_agy.command.agents import agents, unknown_agent

TYPE_CHECKING = False
if TYPE_CHECKING:
    from fake_agy.command.line import CommandLine
    from fake_agy.profile.resolve import Profile


def is_agent(name: str, home: str | None, cwd: str) -> bool:
    """Say whether there is an agent of a name."""
    return name in agents(home, cwd)


def warnings_of(line: CommandLine, profile: Profile, home: str | None, cwd: str) -> str:
    """Write the warnings of a call in print mode, whole lines; empty where there is nothing to say."""
    said = ""
    if line.last("prompt-interactive") is not None and profile["print-and-interactive"] == "warned":
        said += "warning: --prompt-interactive has no effect beside --print\n"
    agent = line.last("agent")
    if agent and profile["unknown-agent"] == "warned" and not is_agent(agent, home, cwd):
        said += unknown_agent(agent)
    return said
