"""Holds a fresh, a resumed and a lost turn with antigravity-bridge; runs inside that client's environment."""

import asyncio
import json
import os
import sys
from pathlib import Path

from src import cli


async def turn(prompt: str, conversation: str | None = None) -> dict[str, object]:
    options = {} if conversation is None else {"conversation_id": conversation}
    outcome = await cli.execute_antigravity_simple_outcome_async(prompt, str(Path.cwd()), **options)
    return {"text": outcome.output, "success": outcome.success}


def known_conversation() -> str:
    (brain,) = (Path(os.environ["HOME"]) / ".gemini/antigravity-cli/brain").iterdir()
    return brain.name


async def main() -> None:
    fresh = await turn("Remember the word heron.")
    if not fresh["success"]:
        print(json.dumps({"fresh": fresh}))
        return
    resumed = await turn("Which word did I give you?", known_conversation())
    unknown = await turn("Which word did I give you?", sys.argv[1])
    print(json.dumps({"fresh": fresh, "resumed": resumed, "unknown": unknown}))


asyncio.run(main())
