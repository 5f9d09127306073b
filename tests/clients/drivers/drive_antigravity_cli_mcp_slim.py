"""Holds a fresh and a resumed turn with antigravity-cli-mcp-slim; runs inside that client's environment."""

import asyncio
import json
import re
from pathlib import Path

from antigravity_cli_mcp_slim import server


async def turn(prompt: str, conversation: str | None = None) -> str:
    options = {} if conversation is None else {"conversation": conversation}
    argv = server._build_argv(query=prompt, **options)
    outcome = await server._run_agy(cwd=str(Path.cwd()), argv=argv, timeout=30)
    return server._format_result(outcome)


async def main() -> None:
    fresh = await turn("Remember the word heron.")
    named = re.search(r"conversation_id=(\S+)", fresh)
    if named is None:
        raise SystemExit(f"no conversation id in {fresh!r}")
    resumed = await turn("Which word did I give you?", named.group(1))
    print(json.dumps([fresh, resumed]))


asyncio.run(main())
