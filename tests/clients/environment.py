"""An environment of its own for each client, kept under ``.cache/clients``."""

from dataclasses import dataclass
from pathlib import Path

from tests.support.environment import environment


@dataclass(frozen=True)
class Client:
    """A client as it is published: `package` at `version`, driven by ``drivers/drive_<name>.py``.

    `beside` are requirements that the client's own leave too open.
    """

    name: str
    package: str
    version: str
    resumes: bool
    beside: tuple[str, ...] = ()


CLIENTS = (
    # It imports a module that mcp 2 no longer has.
    Client("antigravity_bridge", "antigravity-bridge", "1.2.1", resumes=True, beside=("mcp<2",)),
    Client("agentsummons", "agentsummons", "0.4.0", resumes=True),
    Client("agent_loop_tool", "agent-loop-tool", "0.2.0", resumes=False),
    Client("agy_connect", "agy-connect", "0.1.3", resumes=False),
    Client("antigravity_cli_mcp_slim", "antigravity-cli-mcp-slim", "0.2.1", resumes=True),
)


def interpreter_for(client: Client, cache: Path) -> Path:
    """The client's interpreter; installs the client on first use, raises `CalledProcessError` if it can't."""
    folder = cache / f"{client.package}-{client.version}"
    return environment(folder, f"{client.package}=={client.version}", *client.beside)
