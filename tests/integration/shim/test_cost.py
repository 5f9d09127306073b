"""What a recorded call costs, as counts: modules, processes, memory, bytes and writes."""

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from agy_proxy.shim.script import interpreter
from tests.support.direct_or_shim import PATIENCE, Agy, processes_of
from tests.support.figures import scaled

Make = Callable[..., Agy]

LISTING = """
import posix, sys
leave = posix._exit
def listed(code):
    fd = posix.open({listing!r}, posix.O_WRONLY | posix.O_CREAT | posix.O_APPEND, 0o600)
    posix.write(fd, (" ".join(sorted(sys.modules)) + "\\n").encode())
    leave(code)
posix._exit = listed
"""

ALLOWED = {"_imp", "_signal", "_thread", "errno", "fcntl", "gc", "marshal", "posix", "select", "time"}
MEMORY = {"resource"}
"""What tells the shim of agy's memory, loaded while agy runs."""


def test_the_shim_and_its_standby_load_built_in_modules_and_ours_alone(shim: Make, tmp_path: Path) -> None:
    target = shim("echo x\n", sh=True)
    listing = tmp_path / "modules"
    text = target.path.read_text()
    told = LISTING.format(listing=str(listing))
    target.path.write_text(text.replace("import _signal\n", "import _signal" + told, 1))
    assert target.run().stdout == b"x\n"
    bare = subprocess.run(
        [interpreter(), "-IS", "-c", "import sys; print(*sys.modules)"],
        capture_output=True,
        text=True,
        check=True,
    )
    lists = [set(line.split()) for line in listing.read_text().splitlines()]
    assert len(lists) == 2
    for loaded, allowed in zip(lists, (ALLOWED, ALLOWED | MEMORY), strict=True):
        more = loaded - set(bare.stdout.split()) - allowed
        assert {name.partition(".")[0] for name in more} == {"agy_cassettes", "agy_proxy"}
        assert not {name for name in more if ".play" in name}


def test_a_call_is_three_processes(shim: Make, tmp_path: Path) -> None:
    target = shim("import os\nos.write(1, b'.')\nos.read(0, 1)\n")
    running = target.start("-p", "x", stdin=subprocess.PIPE)
    assert running.stdout is not None
    running.stdout.read(1)
    assert len(processes_of(tmp_path)) == 3
    running.communicate(b".", timeout=PATIENCE)


@pytest.mark.stress
def test_memory_does_not_grow_with_what_is_recorded(shim: Make) -> None:
    target = shim(
        "import os, sys\nleft = int(sys.argv[1])\nblock = bytes(65536)\n"
        "while left > 0:\n    left -= os.write(1, block[:left])\n"
    )

    def peak(size: int) -> int:
        """The most memory that a process of the call ever had, in KiB."""
        with subprocess.Popen(
            [sys.executable, "-c", MEASURE, target.path, str(size)], stdout=subprocess.PIPE
        ) as measured:
            assert measured.stdout is not None
            *_, told = measured.stdout.read().split()
        return int(told)

    small, large = peak(1_000), peak(scaled(1_000_000_000))
    print(f"peak memory: {small} KiB for 1 KB, {large} KiB for much")
    assert large <= 1.25 * small
    for path in target.journals.iterdir():
        path.unlink()


MEASURE = """
import os, resource, subprocess, sys
with open(os.devnull, "wb") as nothing:
    call = subprocess.Popen(sys.argv[1:], stdout=subprocess.PIPE)
    while piece := call.stdout.read1(65536):
        nothing.write(piece)
    call.wait()
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)
"""


def test_a_journal_is_hardly_longer_than_what_it_holds(shim: Make) -> None:
    target = shim("head -c 3000000 /dev/zero\n", sh=True)
    target.run()
    (path,) = target.journals.iterdir()
    assert path.stat().st_size <= 1.05 * 3_000_000 + 2_000
