"""pytest-pvcr's wrapper, one call or many sessions; runs inside that package's environment."""

import json
import sys
import time
from pathlib import Path

from pytest_pvcr.recordings import Recordings
from pytest_pvcr.wrapper import Popen, SubprocessWrapper, install_wrapper

PIPE = -1


def output_of(cassette: str, mode: str, argv: list[str]) -> bytes:
    SubprocessWrapper.pvcr_history = Recordings(Path(cassette), mode)
    output: bytes = Popen(argv, stdout=PIPE, stderr=PIPE).communicate()[0]
    return output


def grow(cassette: str, source: str, count: int) -> None:
    times = []
    for turn in json.loads(Path(source).read_bytes())[:count]:
        began = time.perf_counter()
        output_of(cassette, "new", ["/bin/echo", turn["answer"]])
        times.append(time.perf_counter() - began)
    print(json.dumps(times))


install_wrapper()
SubprocessWrapper.pvcr_enabled = True
SubprocessWrapper.pvcr_do_wait = False
verb, path, *rest = sys.argv[1:]
if verb == "grow":
    grow(path, rest[0], int(rest[1]))
else:
    sys.stdout.buffer.write(output_of(path, {"record": "new", "replay": "none"}[verb], rest))
