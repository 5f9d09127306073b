"""Holds two turns with agy-headless-bridge and asks its MCP server; runs inside that client's environment."""

import json
import subprocess
import sys
from pathlib import Path

from agy_headless_bridge import run

BIN = Path(sys.executable).parent


def asked(requests: list[dict[str, object]]) -> list[dict[str, object]]:
    """The answers of the MCP server, one for each request that has an id."""
    with subprocess.Popen(
        [BIN / "agy-mcp-server"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as server:
        answers = []
        for request in requests:
            server.stdin.write(json.dumps({"jsonrpc": "2.0", **request}) + "\n")
            server.stdin.flush()
            if "id" in request:
                answers.append(json.loads(server.stdout.readline()))
        server.stdin.close()
    return answers


def fresh() -> dict[str, object]:
    ended = subprocess.run(
        [BIN / "agy-bridge", "Remember", "the", "word", "heron."], capture_output=True, text=True, check=False
    )
    return {"text": ended.stdout, "code": ended.returncode, "stderr": ended.stderr}


hello = {"protocolVersion": "2024-11-05", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}}
first = fresh()
second = {"text": run("Which word did I give you?", timeout=60, extra_args=["-c"])}
_, tools = asked(
    [
        {"id": 1, "method": "initialize", "params": hello},
        {"method": "notifications/initialized"},
        {"id": 2, "method": "tools/list"},
    ]
)
names = [tool["name"] for tool in tools["result"]["tools"]]
print(json.dumps({"fresh": first, "resumed": second, "tools": names}))
