"""An environment of its own for each client, kept under ``.cache/clients``."""

import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Client:
    """A client as it is published: `package` at `version`, driven by ``drivers/drive_<name>.py``."""

    name: str
    package: str
    version: str
    resumes: bool


CLIENTS = (
    Client("antigravity_bridge", "antigravity-bridge", "1.2.1", resumes=True),
    Client("agentsummons", "agentsummons", "0.4.0", resumes=True),
    Client("agent_loop_tool", "agent-loop-tool", "0.2.0", resumes=False),
    Client("agy_connect", "agy-connect", "0.1.3", resumes=False),
    Client("antigravity_cli_mcp_slim", "antigravity-cli-mcp-slim", "0.2.1", resumes=True),
)


def interpreter_for(client: Client, cache: Path) -> Path:
    """The client's interpreter; installs the client on first use, raises `CalledProcessError` if it can't."""
    home = cache / f"{client.package}-{client.version}"
    python = home / "bin" / "python"
    ready = home / ".ready"
    if ready.exists():
        return python
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", "--clear", home], check=True)
    pip = [
        base_python(),
        "-m",
        "pip",
        "--python",
        str(python),
        "--disable-pip-version-check",
        "install",
        "-q",
    ]
    subprocess.run([*pip, f"{client.package}=={client.version}"], check=True)
    ready.touch()
    return python


def base_python() -> str:
    """The interpreter that this environment was made from: it is the one that has pip."""
    return str(Path(sys.base_prefix) / "bin" / f"python{sys.version_info[0]}.{sys.version_info[1]}")
