"""``make clients``: real programs call the double and read its store, some also through a recording shim."""

import subprocess
import sys
import tempfile
from dataclasses import replace
from pathlib import Path
from typing import Any

from tests.clients.calling import CALLING, Calling
from tests.clients.environment import interpreter_for
from tests.clients.expect import UNKNOWN
from tests.clients.place import TOOL, FailedError, Place, made
from tests.clients.reading import DRIVERS, READING, Reading, a_conversation

ROOT = Path(__file__).resolve().parents[2]


def call(recipe: Calling, interpreter: Path, base: Path) -> None:
    """Run the program beside the double by itself, and through the shims where the recipe says so."""
    driver: list[str | Path] = [interpreter, DRIVERS / recipe.driver, UNKNOWN]
    for number, variant in enumerate(recipe.variants):
        place = made(base / f"alone{number}", env=variant, switches=recipe.switches)
        recipe.judge(place.facts(driver))
        if recipe.beside is not None:
            recipe.beside(place, interpreter)
        if recipe.recorded:
            through = made(base / f"recorded{number}", env=variant, switches=recipe.switches)
            recipe.judge(replayed(through, base / f"calls{number}.agy.yaml", driver))


def replayed(place: Place, cassette: Path, driver: list[str | Path]) -> dict[str, Any]:
    """What the program shows on a replay; it must be what it showed while the double was recorded."""
    real = place.agy.rename(place.home.with_name("agy"))
    record: list[str | Path] = [*TOOL, "record", cassette, "--real", real, "--home", place.home, "--"]
    recorded = place.facts([*record, *driver], path=False)
    real.unlink()
    replay: list[str | Path] = [*TOOL, "replay", cassette, "--speed", "max", "--fail-unplayed", "--"]
    found = place.facts([*replay, *driver], path=False)
    if found != recorded:
        raise FailedError(f"recorded {recorded}\nreplayed {found}")
    return found


def read(recipe: Reading, interpreter: Path, base: Path) -> None:
    """Let the program read a store of the double that is recorded, and the one that a replay leaves."""
    place, cassette = made(base / "recorded"), base / "calls.agy.yaml"
    real = place.agy.rename(base / "agy")
    record: list[str | Path] = [*TOOL, "record", cassette, "--real", real, "--home", place.home, "--"]
    recipe.judge(place, interpreter, a_conversation(place, record))
    real.unlink()
    other = replace(place, home=base / "replayed")
    other.home.mkdir()
    replay: list[str | Path] = [*TOOL, "replay", cassette, "--home", other.home, "--"]
    recipe.judge(other, interpreter, a_conversation(other, replay))


def main() -> int:
    """Print one line for each program; exit 1 at the first that shows something else."""
    cache = ROOT / ".cache" / "clients"
    cache.mkdir(parents=True, exist_ok=True)
    for recipe in (*CALLING, *READING):
        with tempfile.TemporaryDirectory(prefix="agy-clients-") as folder:
            try:
                interpreter = interpreter_for(recipe.package, cache)
                if isinstance(recipe, Calling):
                    call(recipe, interpreter, Path(folder).resolve())
                else:
                    read(recipe, interpreter, Path(folder).resolve())
            except (FailedError, subprocess.SubprocessError, ValueError, KeyError) as failed:
                print(
                    f"agy-proxy: {recipe.package} does not work with the double: {failed!r}", file=sys.stderr
                )
                print(failed, file=sys.stderr)
                return 1
        also = "; recorded and replayed" if isinstance(recipe, Reading) or recipe.recorded else ""
        print(f"S{recipe.number} {recipe.package}: {recipe.shows}{also}", flush=True)
    return 0


sys.exit(main())
