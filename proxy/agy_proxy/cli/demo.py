"""``agy-proxy demo``: the whole round, told step by step, every line printed by a command that is shown."""

import os
import shlex
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib import resources
from pathlib import Path

import click

from agy_cassettes.errors import UserError

CLIENT = """\
#!/bin/sh
# A client of agy: two turns, the second in the conversation that the first one began.
set -e
first=$(agy --output-format json -p 'My parrot is called Ada. Please remember it.')
printf '%s\\n' "$first"
id=$(printf '%s' "$first" | sed 's/.*"conversation_id":"\\([^"]*\\)".*/\\1/')
agy --conversation "$id" -p 'What did I ask you to remember?'
"""

SHIPPED = "resumed-turn-replays-old-answer.agy.yaml"


@dataclass(frozen=True, slots=True)
class Step:
    """A sentence for the reader and the commands that show it."""

    says: str
    commands: tuple[str, ...]


def steps(seed: int) -> tuple[Step, ...]:
    """What the demo does, in order; run in a folder that holds ``client.sh``."""
    return (
        Step("1. A client of agy: a few lines of shell.", ("cat client.sh",)),
        Step(
            "2. There is no agy here, so a double takes its place: a file named agy in the folder double.",
            (f"agy-proxy install double --fake --seed {seed} --speed 1", "double/agy --version"),
        ),
        Step(
            "3. The client runs with a shim named agy in front of the double, which records both turns.",
            (
                "agy-proxy record two-turns.agy.yaml --real double/agy --home home"
                " -- sh client.sh > recorded.txt",
                "cat recorded.txt",
            ),
        ),
        Step("4. This is what the cassette holds, on a time line.", ("agy-proxy show two-turns.agy.yaml",)),
        Step(
            "5. The double and its conversations go away; the same client is answered from the cassette.",
            (
                "rm -r double home",
                "agy-proxy replay two-turns.agy.yaml --fail-unplayed -- sh client.sh > replayed.txt",
                "cmp recorded.txt replayed.txt && echo 'the same bytes'",
            ),
        ),
        Step(
            "6. Nothing secret is left in it, and it is whole.",
            ("agy-proxy scan two-turns.agy.yaml", "agy-proxy verify two-turns.agy.yaml"),
        ),
        Step(
            "7. A cassette that comes with the tool: a resumed turn that went wrong.",
            (f"agy-proxy show {SHIPPED}",),
        ),
    )


@click.command(short_help="Record a client, replay it with agy gone, and show both.")
@click.option("--seed", default=1, show_default=True, help="Another seed gives other ids and other answers.")
@click.option(
    "--cassette",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Where the recorded cassette is kept; without it, a new file in the temporary folder.",
)
def command(seed: int, cassette: Path | None) -> None:
    """Record a small client with two turns, replay it with agy gone, and look at a recorded failure.

    Works in a temporary folder, without a network and without agy. The cassette it recorded is kept and named
    at the end.
    """
    if cassette is not None and cassette.exists():
        what = f"{cassette} exists already; give --cassette a path that is free"
        raise UserError(what)
    with tempfile.TemporaryDirectory(prefix="agy-proxy-demo-") as folder:
        place = Path(folder).resolve()
        _lay_out(place)
        env = _environment(place)
        for step in steps(seed):
            click.echo(f"\n{step.says}\n")
            for line in step.commands:
                _show(line, place, env, click.echo)
        kept = _keep(place / "two-turns.agy.yaml", cassette)
    click.echo(f"\nThe recorded cassette is {kept}")


def _lay_out(place: Path) -> None:
    (place / "client.sh").write_text(CLIENT, encoding="utf-8")
    shipped = resources.files("agy_cassettes") / "library" / SHIPPED
    (place / SHIPPED).write_bytes(shipped.read_bytes())
    (place / "home").mkdir(mode=0o700)
    (place / "bin").mkdir()
    tool = place / "bin" / "agy-proxy"
    tool.write_text(f'#!/bin/sh\nexec {shlex.quote(sys.executable)} -m agy_proxy "$@"\n', encoding="utf-8")
    tool.chmod(0o755)


def _environment(place: Path) -> dict[str, str]:
    """The caller's environment, but for the tool on PATH, and state and HOME inside `place`."""
    path = os.environ.get("PATH") or os.defpath
    return {
        **os.environ,
        "PATH": f"{place / 'bin'}{os.pathsep}{path}",
        "HOME": str(place / "home"),
        "XDG_STATE_HOME": str(place / "state"),
        "TMPDIR": str(place),
    }


def _show(line: str, place: Path, env: dict[str, str], say: Callable[[str], None]) -> None:
    """Prints `line` as a prompt would, runs it, prints what it prints; raises `UserError` if it fails."""
    say(f"$ {line}")
    ended = _run(["/bin/sh", "-c", line], place, env)
    sys.stdout.flush()
    if ended.stdout:
        say(ended.stdout.rstrip("\n"))
    if ended.returncode != 0:
        what = f"the demo's command {line!r} exited with {ended.returncode}; run agy-proxy doctor to see why"
        raise UserError(what, status=1)


def _run(argv: Sequence[str], place: Path, env: dict[str, str]) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        list(argv),
        cwd=place,
        env=env,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        errors="replace",
        check=False,
    )


def _keep(recorded: Path, wanted: Path | None) -> Path:
    """Moves the cassette to `wanted`, or to a new name in the temporary folder."""
    if wanted is None:
        number, name = tempfile.mkstemp(prefix="agy-proxy-demo-", suffix=".agy.yaml")
        os.close(number)
        wanted = Path(name)
    shutil.copyfile(recorded, wanted)
    return wanted.absolute()
