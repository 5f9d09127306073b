"""Holds two turns with agent-loop-tool, which can't resume; runs inside that client's environment."""

import json

from agent_loop.providers.antigravity import AntigravityProvider


def turn(prompt: str) -> dict[str, object]:
    outcome = AntigravityProvider().run_captured(prompt, 30)
    return {"text": outcome.stdout, "code": outcome.returncode}


print(json.dumps({"fresh": turn("Remember the word heron."), "again": turn("Which word did I give you?")}))
