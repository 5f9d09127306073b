"""Holds two turns with agent-loop-tool, which can't resume; runs inside that client's environment."""

import json

from agent_loop.providers.antigravity import AntigravityProvider


def turn(prompt: str) -> str:
    outcome = AntigravityProvider().run_captured(prompt, 30)
    if outcome.returncode != 0:
        raise SystemExit(f"turn failed: {outcome}")
    return outcome.stdout


print(json.dumps([turn("Remember the word heron."), turn("Which word did I give you?")]))
