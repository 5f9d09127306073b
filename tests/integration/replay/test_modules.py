"""What a replayed call costs, as counts: the modules it loads, whatever the cassette holds."""

import subprocess
import sys
from pathlib import Path

from agy_proxy.replay.compile import compile_play_file
from tests.support.interactions import interaction
from tests.support.players import InMemory, player

LISTING = """
import posix, sys
leave = posix._exit
def _exit(code):
    fd = posix.open({listing!r}, posix.O_WRONLY | posix.O_CREAT | posix.O_TRUNC)
    posix.write(fd, "\\n".join(sorted(sys.modules)).encode())
    leave(code)
posix._exit = _exit
"""
BUILT_IN = {
    "_imp",
    "_signal",
    "_thread",
    "_warnings",
    "_weakref",
    "builtins",
    "errno",
    "marshal",
    "posix",
    "time",
}


def modules(folder: Path, size: int) -> set[str]:
    agy = player(folder, *(interaction(str(at), prompt=f"prompt {at}") for at in range(size)), stub=True)
    listing = folder / "modules"
    script = agy.agy.read_text().replace("import sys\n", LISTING.format(listing=str(listing)), 1)
    agy.agy.write_text(script)

    assert agy.run("-p", f"prompt {size - 1}").returncode == 0

    return set(listing.read_text().split())


def test_a_replayed_call_loads_built_in_modules_and_ours_alone(tmp_path: Path) -> None:
    bare = subprocess.run(
        [sys.executable, "-IS", "-c", "import sys; print(*sys.modules)"],
        capture_output=True,
        text=True,
        check=True,
    )

    few = modules(tmp_path / "few", 2)
    more = few - set(bare.stdout.split()) - BUILT_IN

    assert {name.partition(".")[0] for name in more} == {"agy_cassettes", "agy_proxy"}
    assert not {name for name in more if name.startswith("agy_proxy.replay")}
    assert modules(tmp_path / "many", 500) == few


def test_a_played_call_needs_no_cassette_and_no_package_beside_the_play_file(tmp_path: Path) -> None:
    agy = player(tmp_path, interaction(), helper=["/nonexistent"])
    compile_play_file(InMemory([interaction()], path=Path("/gone/c.agy.yaml")), tmp_path / "play")

    assert agy.run("-p", "What is left?").returncode == 0
