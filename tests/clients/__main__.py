"""``make clients``: real programs call the double and read its store, some also through a recording shim."""

import json
import subprocess
import sys
import tempfile
from dataclasses import replace
from pathlib import Path
from typing import Any

from tests.clients.calling import CALLING, Calling
from tests.clients.environment import interpreter_for
from tests.clients.expect import UNKNOWN, same
from tests.clients.place import TOOL, FailedError, Place, made
from tests.clients.reading import DRIVERS, READING, Reading

ROOT = Path(__file__).resolve().parents[2]


def call(recipe: Calling, interpreter: Path, base: Path) -> None:
    """Run the program with the double itself, and through the shims where the recipe says so."""
    driver: list[str | Path] = [interpreter, DRIVERS / recipe.driver, UNKNOWN]
    alone = made(base / "alone", env=recipe.env, switches=recipe.switches)
    recipe.judge(alone.facts(driver))
    if recipe.recorded:
        through = made(base / "recorded", env=recipe.env, switches=recipe.switches)
        recipe.judge(replayed(through, base / "calls.agy.yaml", driver, recipe.asks))
    if recipe.beside is not None:
        recipe.beside(alone, interpreter)


def replayed(place: Place, cassette: Path, driver: list[str | Path], asks: str) -> dict[str, Any]:
    """What the program shows on a replay; it must be what it showed while the double was recorded."""
    real = place.agy.rename(place.home.with_name("agy"))
    record: list[str | Path] = [*TOOL, "record", cassette, "--real", real, "--home", place.home, "--"]
    recorded = place.facts([*record, *driver], path=False)
    kept = json.loads(place.run([*TOOL, "show", "--json", cassette], path=False).stdout)
    turns = [each["argv"] for each in kept["interactions"] if each["call"]["kind"] == "turn"]
    same("the first turn's arguments", turns[0], asks.split())
    real.unlink()
    replay: list[str | Path] = [*TOOL, "replay", cassette, "--speed", "max", "--fail-unplayed", "--"]
    found = place.facts([*replay, *driver], path=False)
    if found != recorded:
        raise FailedError(f"recorded {recorded}\nreplayed {found}")
    return found


def read(recipe: Reading, interpreter: Path, base: Path) -> None:
    """Let the program read a store of the double, and where it was recorded the one that a replay leaves."""
    place, cassette = made(base / "held"), base / "calls.agy.yaml"
    if not recipe.recorded:
        recipe.judge(place, interpreter, recipe.holds(place, ()))
        return
    real = place.agy.rename(base / "agy")
    record: list[str | Path] = [*TOOL, "record", cassette, "--real", real, "--home", place.home, "--"]
    recipe.judge(place, interpreter, recipe.holds(place, record))
    real.unlink()
    other = replace(place, home=base / "replayed")
    other.home.mkdir()
    replay: list[str | Path] = [*TOOL, "replay", cassette, "--home", other.home, "--"]
    recipe.judge(other, interpreter, recipe.holds(other, replay))


def tried(recipe: Calling | Reading, cache: Path) -> str | None:
    """What went wrong with one program, None if nothing did."""
    with tempfile.TemporaryDirectory(prefix="agy-clients-") as folder:
        base = Path(folder).resolve()
        try:
            interpreter = interpreter_for(recipe.package, cache)
            if isinstance(recipe, Calling):
                call(recipe, interpreter, base)
            else:
                read(recipe, interpreter, base)
        except (FailedError, AssertionError) as failed:
            return str(failed)
        # What a program prints in another form than its recipe expects fails on the way.
        except (subprocess.SubprocessError, OSError, ValueError, LookupError) as failed:
            return repr(failed)
    return None


def main() -> int:
    """Print one line for each recipe; exit 1 where a program shows something else than its recipe."""
    cache = ROOT / ".cache" / "clients"
    cache.mkdir(parents=True, exist_ok=True)
    status = 0
    for recipe in (*CALLING, *READING):
        failed = tried(recipe, cache)
        name = f"S{recipe.number} {recipe.package}"
        if failed is None:
            also = "; recorded and replayed" if recipe.recorded else ""
            print(f"{name}: {recipe.shows}{also}", flush=True)
        else:
            print(f"{name}: NOT {recipe.shows}\n{failed}", file=sys.stderr, flush=True)
            status = 1
    return status


if __name__ == "__main__":
    sys.exit(main())
