"""Holds a fresh, a resumed and a lost turn with antigravity-bridge; runs inside that client's environment."""

import asyncio
import json
import os
import sys
from pathlib import Path

from src import cli


async def turn(prompt: str, **options: object) -> dict[str, object]:
    outcome = await cli.execute_antigravity_simple_outcome_async(prompt, str(Path.cwd()), **options)
    return {"text": outcome.output, "success": outcome.success}


async def main() -> None:
    fresh = await turn("Remember the word heron.")
    brain = Path(os.environ["HOME"]) / ".gemini/antigravity-cli/brain"
    conversations = [path.name for path in brain.iterdir()]
    facts = {"fresh": fresh, "conversations": conversations}
    if fresh["success"]:
        again = "Which word did I give you?"
        facts["resumed"] = await turn(again, conversation_id=conversations[0])
        facts["continued"] = await turn(again, continue_last=True)
        facts["unknown"] = await turn(again, conversation_id=sys.argv[1])
    print(json.dumps(facts))


asyncio.run(main())
