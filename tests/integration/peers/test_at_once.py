"""Many processes into one cassette at once, and what can't be saved."""

import hashlib
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import pytest

from agy_cassettes.appender import open_for_append
from tests.support.figures import scaled
from tests.support.target import Bed

LINES = 20_000

AT_ONCE = """
import hashlib
names = {names!r}
calls = [Popen(["agy", "-p", "lines {lines} " + name], stdout=PIPE) for name in names]
got = [call.communicate()[0] for call in calls]
tell([(name, hashlib.sha256(out).hexdigest(), call.returncode) for name, out, call in zip(names, got, calls)])
"""


def at_once(names: list[str], lines: int) -> str:
    return AT_ONCE.replace("{names!r}", repr(names)).replace("{lines}", str(lines))


def answers(names: list[str], lines: int) -> list[tuple[str, str, int]]:
    texts = ["".join(f"{name} {number}\n" for number in range(lines)) for name in names]
    digests = [hashlib.sha256(text.encode()).hexdigest() for text in texts]
    return [(name, digest, 0) for name, digest in zip(names, digests, strict=True)]


@pytest.mark.stress
def test_eight_recorders_and_more_at_once_keep_every_call(bed: Bed) -> None:
    names = [f"recorder-{number}" for number in range(max(8, scaled(64)))]
    with ThreadPoolExecutor(len(names)) as pool:
        runs = list(pool.map(lambda name: bed.record(at_once([name], LINES)), names))

    replayed = bed.replay(at_once(names, LINES), "--fail-unplayed", "--speed", "max")

    assert [run.status for run in runs] == [0] * len(names), [run.stderr for run in runs]
    assert (replayed.told, replayed.status) == (answers(names, LINES), 0)


@pytest.mark.stress
def test_sixty_four_calls_at_once_of_one_client_are_all_kept(bed: Bed) -> None:
    names = [f"call-{number}" for number in range(64)]
    lines = scaled(LINES // 10)
    recorded = bed.record(at_once(names, lines))

    replayed = bed.replay(at_once(names, lines), "--fail-unplayed", "--speed", "max")

    assert (recorded.told, recorded.status) == (answers(names, lines), 0)
    assert (replayed.told, replayed.status) == (answers(names, lines), 0)


def test_a_recorder_waits_for_a_cassette_that_another_has_locked(bed: Bed) -> None:
    bed.record(at_once(["first"], 1))
    client = at_once(["second"], 1)
    options = ("--real", bed.real, "--home", "temp")
    words = [*bed.agy_proxy("record", bed.cassette, *options), "--", *bed.as_client(client)]

    with open_for_append(bed.cassette, clock=lambda: 0):
        run = subprocess.Popen(words, cwd=bed.folder, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        assert run.stdout is not None
        assert b"second" in run.stdout.readline()
    status = run.wait()
    run.stdout.close()

    assert status == 0
    assert [each.request.prompt for each in bed.interactions] == ["lines 1 first", "lines 1 second"]


def test_a_recording_that_can_not_be_saved_fails_the_run(bed: Bed) -> None:
    folder = bed.folder / "kept"
    folder.mkdir()
    client = f"os.rmdir({str(folder)!r})\nopen({str(folder)!r}, 'w').close()\n{at_once(['lost'], 1)}"
    options = ("--real", str(bed.real), "--home", "temp")
    words = bed.agy_proxy("record", folder / "c.agy.yaml", *options)

    ended = bed.run([*words, "--", *bed.as_client(client)])

    assert (ended.told, ended.status) == (answers(["lost"], 1), 125)
    assert "incomplete" in ended.stderr


def test_threads_are_answered_from_the_cassette_and_never_by_agy(bed: Bed) -> None:
    client = """
from threading import Thread
got = {}
def call(number):
    got[number] = subprocess.run(["agy", "-p", "say " + str(number)], stdout=PIPE).stdout
threads = [Thread(target=call, args=(number,)) for number in range(8)]
for thread in threads: thread.start()
for thread in threads: thread.join()
tell(sorted(got.items()))
"""
    expected = [(number, b"SAY %d\n" % number) for number in range(8)]
    recorded = bed.record(client)
    made = bed.real_calls

    replayed = bed.replay(client, "--fail-unplayed", env=bed.with_target)

    assert (recorded.told, replayed.told, replayed.status) == (expected, expected, 0)
    assert (made, bed.real_calls) == (8, 8)


def test_an_interpreter_that_is_killed_as_it_records_loses_no_call_that_was_saved(bed: Bed) -> None:
    bed.record(at_once(["first"], 1))
    client = f"{at_once(['second'], 1)}\nsys.stdout.flush()\nos.kill(os.getppid(), 9)\n"

    killed = bed.record(client)

    assert killed.status == -9
    assert bed.interactions[0].request.prompt == "lines 1 first"
    verified = subprocess.run(
        [sys.executable, "-m", "agy_proxy", "verify", str(bed.cassette)], capture_output=True, check=False
    )
    assert verified.returncode == 0, verified.stdout
