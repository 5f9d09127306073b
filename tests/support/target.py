"""A small program in place of agy, whose prompt says what it does, and clients of it run in three ways."""

import ast
import contextlib
import os
import re
import shutil
import signal
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from agy_cassettes.cassette import Cassette
from agy_cassettes.interaction import Interaction

DEADLINE = 60
"""Seconds after which a run counts as hanging."""

ODD = (
    "\ufefftrailing  \n\r\ncr\rnel\x85ls\u2028ps\u2029 emoji \U0001f600 esc \x1b[31m bel\x07 nul\0 no newline"
).encode()

TARGET = r"""#!{python} -IS
import os, signal, sys
words = sys.argv[1:]
if words == ["--version"]:
    print("1.2.10")
    sys.exit()
with open(os.path.join(os.path.dirname(os.path.realpath(__file__)), "calls"), "a") as calls:
    calls.write(repr(words) + "\n")

def out(data, fd=1):
    while data:
        data = data[os.write(fd, data):]

def wait_at_gate():
    gate = os.open("gate", os.O_RDONLY)
    os.read(gate, 1)
    os.close(gate)

def stream():
    out(b"one\n")
    wait_at_gate()
    out(b"two\n")
    wait_at_gate()
    out(b"warned\n", 2)
    wait_at_gate()
    out(b"end")

def echo():
    out(b"ready\n")
    for line in iter(sys.stdin.buffer.readline, b""):
        out(line.upper())

def exits(code):
    out(b"before\n")
    sys.exit(int(code))

def dies(number):
    out(b"before\n")
    os.kill(os.getpid(), int(number))

def waits():
    out(b"ready\n")
    while True:
        signal.pause()

def lines(count, name):
    out(b"".join(b"%s %d\n" % (name.encode(), number) for number in range(int(count))))

def apart():
    out(b"answer\n")
    out(b"warning\n", 2)

def shows():
    out(repr(words).encode() + b"\n")

def environment(name):
    out(os.environ.get(name, "unset").encode() + b"\n")

MODES = dict(
    stream=stream, echo=echo, exit=exits, die=dies, wait=waits, lines=lines, apart=apart, show=shows,
    environment=environment,
    bytes=lambda: out(bytes(range(256))),
    odd=lambda: out({odd!r}),
    big=lambda size: out(b"0123456789abcdef" * (int(size) // 16)),
    leak=lambda secret: out(b"the key is " + secret.encode() + b"\n"),
)
prompt = words[words.index("-p") + 1] if "-p" in words else "show" if words[:1] == ["tell"] else "echo"
mode, *given = prompt.split()
if mode in MODES:
    MODES[mode](*given)
else:
    out(prompt.upper().encode() + b"\n")
"""

CLIENT = r"""
import os, signal, subprocess, sys
from subprocess import PIPE, Popen
gate = os.open("gate", os.O_RDWR)
def open_gate():
    os.write(gate, b"\n")
def tell(value):
    print(repr(value), flush=True)
"""


class Got(NamedTuple):
    """What a run came to: `told` is what the client passed to ``tell``, `status` is the run's own."""

    told: Any
    status: int
    stderr: str


class Ways(NamedTuple):
    """What the same client told with the target itself, while it was recorded, and in replay."""

    direct: Any
    recorded: Any
    replayed: Any


@dataclass(frozen=True)
class Bed:
    """A folder with the target in ``real/agy``, a fifo named ``gate``, and what was recorded."""

    folder: Path

    @property
    def real(self) -> Path:
        return self.folder / "real" / "agy"

    @property
    def cassette(self) -> Path:
        return self.folder / "c.agy.yaml"

    @property
    def interactions(self) -> tuple[Interaction, ...]:
        return tuple(Cassette.open(self.cassette).interactions())

    @property
    def real_calls(self) -> int:
        """How often the target itself was called."""
        calls = self.real.parent / "calls"
        return len(calls.read_text().splitlines()) if calls.exists() else 0

    def direct(self, client: str) -> Got:
        return self.run(self.as_client(client), env=self.with_target)

    def record(self, client: str, *options: str, **how: Any) -> Got:
        words = self.agy_proxy("record", self.cassette, "--real", self.real, "--home", "temp", *options)
        return self.run([*words, "--", *self.as_client(client)], **how)

    def replay(self, client: str, *options: str, **how: Any) -> Got:
        words = self.agy_proxy("replay", self.cassette, *options)
        return self.run([*words, "--", *self.as_client(client)], **how)

    def three_ways(self, client: str, *options: str) -> Ways:
        """Run `client` in all three ways; the target is gone in replay."""
        direct, recorded = self.direct(client), self.record(client)
        assert (recorded.status, direct.status) == (0, 0), recorded.stderr
        shutil.move(self.real, self.folder / "gone")
        replayed = self.replay(client, "--fail-unplayed", *options)
        shutil.move(self.folder / "gone", self.real)
        assert replayed.status == 0, replayed.stderr
        return Ways(direct.told, recorded.told, replayed.told)

    def retime(self, timing: str) -> None:
        """Edit the timing of the one interaction in the cassette, as a person may."""
        text, count = re.subn(rb'timing: ".*"', b'timing: "%b"' % timing.encode(), self.cassette.read_bytes())
        assert count == 1
        self.cassette.write_bytes(text)

    @property
    def with_target(self) -> dict[str, str]:
        return {"PATH": f"{self.real.parent}{os.pathsep}{os.environ['PATH']}"}

    @staticmethod
    def agy_proxy(*words: str | Path) -> list[str]:
        return [sys.executable, "-m", "agy_proxy", *map(str, words)]

    @staticmethod
    def as_client(source: str) -> list[str]:
        return [sys.executable, "-IS", "-c", CLIENT + source]

    def run(
        self,
        argv: list[str],
        *,
        cwd: Path | None = None,
        env: Mapping[str, str] | None = None,
        raw: bool = False,
    ) -> Got:
        """Run `argv` to its end; what hangs fails. `raw`: what was told are the bytes on stdout."""
        run = subprocess.Popen(
            argv,
            cwd=cwd or self.folder,
            env={**os.environ, **(env or {})},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            start_new_session=True,
        )
        try:
            out, err = run.communicate(timeout=DEADLINE)
        finally:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(run.pid, signal.SIGKILL)
            run.wait()
        told = err.decode("utf-8", "surrogateescape")
        if raw:
            return Got(out, run.returncode, told)
        assert out, told
        return Got(ast.literal_eval(out.decode()), run.returncode, told)


def make_bed(folder: Path) -> Bed:
    """Write the target and the gate into `folder`."""
    bed = Bed(folder)
    bed.real.parent.mkdir()
    bed.real.write_text(TARGET.replace("{python}", sys.executable).replace("{odd!r}", repr(ODD)))
    bed.real.chmod(0o755)
    os.mkfifo(folder / "gate")
    return bed


def all_ways(told: Any) -> Ways:
    """What is told in each of the three ways alike."""
    return Ways(told, told, told)
