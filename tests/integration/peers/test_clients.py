"""Clients of every kind: how they start agy, where they look for it, and what they hold of it."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.target import Bed, all_ways

SPAWNED = """
def spawned(start):
    read_end, write_end = os.pipe()
    if (pid := os.fork()) == 0:
        os.dup2(write_end, 1)
        try:
            status = start()
        finally:
            os._exit(0 if status == 0 else 1)
    os.close(write_end)
    data = b"".join(iter(lambda: os.read(read_end, 4096), b""))
    return data, os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
def waited(pid):
    return os.waitpid(pid, 0)[1]
tell([
    spawned(lambda: os.system("agy -p system")),
    (os.popen("agy -p popen").read().encode(), 0),
    spawned(lambda: os.execvp("agy", ["agy", "-p", "execvp"])),
    spawned(lambda: os.spawnvp(os.P_WAIT, "agy", ["agy", "-p", "spawnvp"])),
    spawned(lambda: waited(os.posix_spawnp("agy", ["agy", "-p", "posix_spawnp"], os.environ))),
    (subprocess.run("agy -p 'a shell' | cat", shell=True, stdout=PIPE).stdout, 0),
    (subprocess.check_output(["agy", "-p", "check_output"]), 0),
])
"""


def test_every_way_to_start_a_program_reaches_the_shim(bed: Bed) -> None:
    names = (b"SYSTEM", b"POPEN", b"EXECVP", b"SPAWNVP", b"POSIX_SPAWNP", b"A SHELL", b"CHECK_OUTPUT")

    assert bed.three_ways(SPAWNED) == all_ways([(name + b"\n", 0) for name in names])
    assert len(bed.interactions) == len(names)


def test_asyncio_reads_lines_and_sees_the_exit(bed: Bed) -> None:
    client = """
import asyncio
async def main():
    agy = await asyncio.create_subprocess_exec("agy", "-p", "stream", stdout=PIPE, stderr=PIPE)
    seen = []
    for stream in (agy.stdout, agy.stdout, agy.stderr):
        seen.append(await stream.readline())
        open_gate()
    seen.append(await agy.stdout.read())
    shell = await asyncio.create_subprocess_shell("agy -p hello; exit 3", stdout=PIPE)
    out, _ = await shell.communicate()
    tell((seen, await agy.wait(), out, shell.returncode))
asyncio.run(main())
"""
    expected = ([b"one\n", b"two\n", b"warned\n", b"end"], 0, b"HELLO\n", 3)

    assert bed.three_ways(client) == all_ways(expected)


def test_pipes_have_descriptors_that_selectors_take(bed: Bed) -> None:
    client = """
import selectors
agy = Popen(["agy", "-p", "stream"], stdout=PIPE, stderr=PIPE)
waiting = selectors.DefaultSelector()
waiting.register(agy.stdout, selectors.EVENT_READ, "out")
waiting.register(agy.stderr, selectors.EVENT_READ, "err")
seen = {"out": b"", "err": b""}
while waiting.get_map():
    for key, _ in waiting.select():
        data = os.read(key.fd, 4096)
        if not data:
            waiting.unregister(key.fileobj)
        else:
            seen[key.data] += data
            open_gate()
tell((seen, agy.wait()))
"""

    assert bed.three_ways(client) == all_ways(({"out": b"one\ntwo\nend", "err": b"warned\n"}, 0))


def test_the_client_holds_a_real_process_and_an_unchanged_subprocess_module(bed: Bed) -> None:
    client = """
module = sys.modules["subprocess"]
agy = Popen(["agy", "-p", "stream"], stdin=PIPE, stdout=PIPE, stderr=PIPE)
for _ in range(3): open_gate()
alive = os.path.exists("/proc/%d" % agy.pid)
descriptors = all(stream.fileno() > 2 for stream in (agy.stdin, agy.stdout, agy.stderr))
agy.communicate()
tell((alive, descriptors, agy.args, Popen.__module__, os.path.basename(module.__file__)))
"""
    expected = (True, True, ["agy", "-p", "stream"], "subprocess", "subprocess.py")

    assert bed.three_ways(client) == all_ways(expected)


def test_a_grandchild_meets_the_shim(bed: Bed) -> None:
    client = """
inner = "import subprocess; subprocess.run(['agy', '-p', 'deep down'])"
outer = "exec env " + sys.executable + ' -IS -c "$0"'
done = subprocess.run(["sh", "-c", outer, inner], stdout=PIPE)
tell((done.stdout, done.returncode))
"""

    assert bed.three_ways(client) == all_ways((b"DEEP DOWN\n", 0))


@pytest.mark.parametrize("words", [("sh", "-c", "agy -p hello; agy -p 'exit 7'"), ("awk", "AWK")])
def test_a_client_may_be_written_in_any_language(bed: Bed, words: tuple[str, ...]) -> None:
    awk = """BEGIN { system("agy -p hello"); exit system("agy -p 'exit 7'") }"""
    words = tuple(awk if word == "AWK" else word for word in words)
    options = ("--real", bed.real, "--home", "temp")

    recorded = bed.run([*bed.agy_proxy("record", bed.cassette, *options), "--", *words], raw=True)
    replayed = bed.run([*bed.agy_proxy("replay", bed.cassette), "--", *words], raw=True)

    assert (recorded.told, recorded.status) == (replayed.told, replayed.status) == (b"HELLO\nbefore\n", 7)


@pytest.fixture
def pyenv(bed: Bed) -> Path:
    """A folder that comes first on PATH, whose ``python3`` puts another one before it."""
    folder, versions = bed.folder / "shims", bed.folder / "versions"
    for each in (folder, versions):
        each.mkdir()
    (versions / "python3").symlink_to(sys.executable)
    shim = folder / "python3"
    shim.write_text(f'#!/bin/sh\nPATH="{versions}:{folder}:$PATH"\nexport PATH\nexec python3 "$@"\n')
    shim.chmod(0o755)
    return folder


THROUGH_PYENV = """
os.environ["PATH"] = {folder!r} + ":" + os.environ["PATH"]
inner = "import subprocess; subprocess.run(['agy', '-p', 'hello'])"
done = subprocess.run(["python3", "-IS", "-c", inner], stdout=PIPE)
tell((done.stdout, done.returncode))
"""


def test_folders_before_ours_on_path_neither_hide_the_shim_nor_make_it_loop(bed: Bed, pyenv: Path) -> None:
    # The wrapper of the target needs python3 too, as a wrapper of agy may.
    wrapper = bed.folder / "wrapped" / "agy"
    wrapper.parent.mkdir()
    wrapper.write_text(f"#!/usr/bin/env python3\nimport os, sys\nos.execv({str(bed.real)!r}, sys.argv)\n")
    wrapper.chmod(0o755)
    client = THROUGH_PYENV.replace("{folder!r}", repr(str(pyenv)))
    path = {"PATH": f"{wrapper.parent}:/usr/bin:/bin"}

    recorded = bed.run(
        [*bed.agy_proxy("record", bed.cassette, "--home", "temp"), "--", *bed.as_client(client)], env=path
    )
    made = bed.real_calls
    replayed = bed.replay(client, "--fail-unplayed", env=path)

    assert (recorded.told, recorded.status) == ((b"HELLO\n", 0), 0), recorded.stderr
    assert (replayed.told, replayed.status) == ((b"HELLO\n", 0), 0), replayed.stderr
    assert len(bed.interactions) == 1
    assert made == bed.real_calls


def test_an_agy_that_goes_back_to_the_first_on_path_is_told_and_does_not_loop(bed: Bed) -> None:
    loop = bed.folder / "loop" / "agy"
    loop.parent.mkdir()
    loop.write_text('#!/bin/sh\nexec agy "$@"\n')
    loop.chmod(0o755)
    client = """
done = subprocess.run(["agy", "-p", "hello"], stdout=PIPE, stderr=PIPE)
tell((done.stdout, done.returncode, b"calls this shim again" in done.stderr))
"""
    options = ("--real", str(loop), "--home", "temp")

    ended = bed.run([*bed.agy_proxy("record", bed.cassette, *options), "--", *bed.as_client(client)])

    assert ended.told == (b"", 125, True)


def test_nothing_of_agy_is_needed_to_replay(bed: Bed) -> None:
    client = """
done = subprocess.run(["agy", "-p", "hello"], stdout=PIPE)
tell((done.stdout, done.returncode))
"""
    bed.record(client)
    shutil.rmtree(bed.real.parent)

    replayed = bed.replay(client, "--fail-unplayed", env={"PATH": "/usr/bin:/bin"})

    assert (replayed.told, replayed.status) == ((b"HELLO\n", 0), 0)
    assert subprocess.run(["/bin/sh", "-c", "PATH=/usr/bin:/bin; command -v agy"], check=False).returncode
