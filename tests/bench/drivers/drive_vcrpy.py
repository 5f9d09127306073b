"""vcrpy's cassettes and persister; runs inside that package's environment."""

import json
import sys
import time
from pathlib import Path
from typing import Any

from vcr.cassette import Cassette
from vcr.record_mode import RecordMode
from vcr.request import Request


def loaded(path: str) -> Any:
    return Cassette.load(path=path, record_mode=RecordMode.NEW_EPISODES)


def add(cassette: Any, turn: dict[str, str]) -> None:
    request = Request("POST", "https://example.org/turn", turn["prompt"], {"Accept": ["text/plain"]})
    headers = {"Content-Type": ["text/plain"]}
    status = {"code": 200, "message": "OK"}
    cassette.append(
        request, {"status": status, "headers": headers, "body": {"string": turn["answer"].encode()}}
    )


def grow(path: str, source: str, count: int) -> None:
    """One session for each turn: load, append, save, as a recorder must whose every call is a process."""
    times = []
    for turn in json.loads(Path(source).read_bytes())[:count]:
        began = time.perf_counter()
        cassette = loaded(path)
        add(cassette, turn)
        cassette._save()
        times.append(time.perf_counter() - began)
    print(json.dumps(times))


def fill(path: str, source: str, count: int) -> None:
    cassette = loaded(path)
    for turn in json.loads(Path(source).read_bytes())[:count]:
        add(cassette, turn)
    cassette._save()
    print(len(cassette))


def load(path: str) -> None:
    began = time.process_time()
    count = len(loaded(path))
    print(json.dumps([time.process_time() - began, count]))


verb, path, *rest = sys.argv[1:]
if verb == "grow":
    grow(path, rest[0], int(rest[1]))
elif verb == "fill":
    fill(path, rest[0], int(rest[1]))
else:
    load(path)
