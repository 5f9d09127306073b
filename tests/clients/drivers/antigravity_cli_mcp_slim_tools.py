"""Holds a fresh, a resumed and a lost turn with antigravity-cli-mcp-slim; runs inside its environment."""

import asyncio
import json
import re
import sys
from pathlib import Path

from antigravity_cli_mcp_slim import server


async def turn(prompt: str, conversation: str | None = None) -> dict[str, object]:
    options = {} if conversation is None else {"conversation": conversation}
    argv = server._build_argv(query=prompt, **options)
    outcome = await server._run_agy(cwd=str(Path.cwd()), argv=argv, timeout=30)
    text = server._format_result(outcome)
    named = re.search(r"status=(\S+) conversation_id=(\S+) total_tokens=([1-9]\d*)", text)
    if named is None:
        raise SystemExit(f"no status line in {text!r}")
    kept = {"text": text, "status": named[1], "conversation": named[2]}
    return {**kept, "ok": outcome["ok"], "stderr": outcome["stderr"]}


async def main() -> None:
    fresh = await turn("Remember the word heron.")
    resumed = await turn("Which word did I give you?", fresh["conversation"])
    unknown = await turn("Which word did I give you?", sys.argv[1])
    print(json.dumps({"fresh": fresh, "resumed": resumed, "unknown": unknown}))


asyncio.run(main())
