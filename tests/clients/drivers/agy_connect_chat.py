"""Holds two turns with agy-connect, which resumes by sending its history; runs inside its environment."""

import json
from pathlib import Path

from agy_connect import Chat, Config

chat = Chat(Config(working_directory=str(Path.cwd())))
answers = [chat.send("Remember the word heron."), chat.send("Which word did I give you?")]
chat.close()
print(json.dumps({"fresh": {"text": str(answers[0])}, "resumed": {"text": str(answers[1])}}))
