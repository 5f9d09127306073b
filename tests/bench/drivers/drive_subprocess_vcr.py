"""subprocess-vcr, one call or many sessions; runs inside that package's environment."""

import json
import subprocess
import sys
import time
from pathlib import Path

from subprocess_vcr import SubprocessVCR


def one(mode: str, cassette: str, argv: list[str]) -> None:
    with SubprocessVCR(Path(cassette), mode=mode):
        ended = subprocess.run(argv, capture_output=True, text=True, check=True)
    sys.stdout.write(ended.stdout)


def grow(cassette: str, source: str, count: int) -> None:
    times = []
    for turn in json.loads(Path(source).read_bytes())[:count]:
        began = time.perf_counter()
        with SubprocessVCR(Path(cassette), mode="record"):
            subprocess.run(["/bin/echo", turn["answer"]], capture_output=True, text=True, check=True)
        times.append(time.perf_counter() - began)
    print(json.dumps(times))


verb, path, *rest = sys.argv[1:]
if verb == "grow":
    grow(path, rest[0], int(rest[1]))
else:
    one(verb, path, rest)
