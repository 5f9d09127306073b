"""Holds a fresh and a resumed turn with agentsummons; runs inside that client's environment."""

import json
import os
import subprocess
from pathlib import Path

from agentsummons import binary_path


def turn(prompt: str, *more: str) -> str:
    argv = [binary_path(), "run", "--harness", "antigravity", "-p", prompt, "--json", *more]
    ended = subprocess.run(argv, capture_output=True, check=True, text=True)
    envelope = json.loads(ended.stdout)
    if envelope["exit_code"] != 0:
        raise SystemExit(f"turn failed: {envelope}")
    return envelope["stdout"]


def known_conversation() -> str:
    (brain,) = (Path(os.environ["HOME"]) / ".gemini/antigravity-cli/brain").iterdir()
    return brain.name


first = turn("Remember the word heron.")
second = turn("Which word did I give you?", "--resume", known_conversation())
as_json = turn("Say it as JSON.", "--json-output", "--auto-approve")
print(json.dumps([first, second, as_json]))
