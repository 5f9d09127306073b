"""Holds fresh, resumed, lost and JSON turns with agentsummons; runs inside that client's environment."""

import json
import subprocess
import sys

from agentsummons import binary_path


def envelope(prompt: str, *more: str) -> dict[str, object]:
    argv = [binary_path(), "run", "--harness", "antigravity", "-p", prompt, "--json", *more]
    ended = subprocess.run(argv, capture_output=True, check=True, text=True)
    found = json.loads(ended.stdout)
    kept = {"text": found["stdout"], "code": found["exit_code"], "version": found.get("harness_version")}
    return {**kept, "stderr": found.get("stderr", "")}


as_json = envelope("Remember the word heron.", "--json-output", "--auto-approve")
conversation = json.loads(as_json["text"])["conversation_id"]
facts = {
    "fresh": as_json,
    "resumed": envelope("Which word did I give you?", "--resume", conversation),
    "unknown": envelope("Which word did I give you?", "--resume", sys.argv[1]),
    "conversation": conversation,
}
doctor = subprocess.run([binary_path(), "doctor"], capture_output=True, check=False, text=True)
facts["doctor"] = [line for line in doctor.stdout.splitlines() if "antigravity" in line.lower()]
print(json.dumps(facts))
