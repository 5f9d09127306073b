"""``make clients``: every client records its turns through the shim and is answered from the cassette."""

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

from tests.clients.environment import CLIENTS, Client, interpreter_for

ROOT = Path(__file__).resolve().parents[2]
DRIVERS = Path(__file__).parent / "drivers"
AGY_VERSION = "1.2.10"


def answers_of(argv: list[str], *, home: Path, workspace: Path) -> list[str]:
    """Runs `argv` with nothing of the caller's environment; the answers that the driver printed."""
    env = {"HOME": str(home), "PATH": "/usr/bin:/bin", "LANG": "C.UTF-8", "USER": "tester"}
    ended = subprocess.run(argv, cwd=workspace, env=env, capture_output=True, text=True, check=False)
    if ended.returncode != 0:
        raise SystemExit(f"exit {ended.returncode} of {argv}\n{ended.stdout}{ended.stderr}")
    answers = json.loads(ended.stdout.splitlines()[-1])
    if not isinstance(answers, list) or not all(isinstance(each, str) and each.strip() for each in answers):
        raise SystemExit(f"{argv} printed no answers: {ended.stdout}")
    return answers


def record_and_replay(client: Client, cache: Path) -> int:
    """The number of answers that were the same when recorded and when replayed."""
    python = interpreter_for(client, cache)
    driver = [str(python), str(DRIVERS / f"drive_{client.name}.py")]
    tool = [sys.executable, "-m", "agy_proxy"]
    with tempfile.TemporaryDirectory(prefix="agy-clients-") as folder:
        base = Path(folder).resolve()
        workspace, double, home = base / "workspace", base / "double", base / "home"
        for each in (workspace, double, home):
            each.mkdir()
        cassette = base / f"{client.name}.agy.yaml"
        subprocess.run(
            [*tool, "install", str(double), "--fake", "--agy-version", AGY_VERSION],
            check=True,
            capture_output=True,
            env={**os.environ, "HOME": str(home)},
        )
        record = [*tool, "record", str(cassette), "--real", str(double / "agy"), "--home", str(home), "--"]
        recorded = answers_of([*record, *driver], home=home, workspace=workspace)
        (double / "agy").unlink()
        replay = [*tool, "replay", str(cassette), "--speed", "max", "--fail-unplayed", "--"]
        replayed = answers_of([*replay, *driver], home=home, workspace=workspace)
    if recorded != replayed:
        raise SystemExit(f"{client.package}: recorded {recorded}, replayed {replayed}")
    return len(recorded)


def main() -> None:
    """Prints one line for each client; exits 1 at the first that differs."""
    cache = ROOT / ".cache" / "clients"
    cache.mkdir(parents=True, exist_ok=True)
    for client in CLIENTS:
        turns = record_and_replay(client, cache)
        kind = "fresh and resumed" if client.resumes else "fresh"
        print(f"{client.package} {client.version}: {turns} turns ({kind}), replayed the same", flush=True)


main()
