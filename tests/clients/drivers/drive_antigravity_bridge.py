"""Holds a fresh and a resumed turn with antigravity-bridge; runs inside that client's environment."""

import asyncio
import json
import os
from pathlib import Path

from src import cli


async def turn(prompt: str, conversation: str | None = None) -> str:
    options = {} if conversation is None else {"conversation_id": conversation}
    outcome = await cli.execute_antigravity_simple_outcome_async(prompt, str(Path.cwd()), **options)
    if not outcome.success:
        raise SystemExit(f"turn failed: {outcome.output}")
    return outcome.output


def known_conversation() -> str:
    (brain,) = (Path(os.environ["HOME"]) / ".gemini/antigravity-cli/brain").iterdir()
    return brain.name


async def main() -> None:
    fresh = await turn("Remember the word heron.")
    resumed = await turn("Which word did I give you?", known_conversation())
    print(json.dumps([fresh, resumed]))


asyncio.run(main())
