"""Ends: codes, signals, timeouts, and who is told of them."""

import signal

from tests.support.target import Bed, all_ways

ENDS = """
told = []
for prompt in {prompts!r}:
    agy = Popen(["agy", "-p", prompt], stdout=PIPE)
    code = agy.wait()
    told.append((agy.stdout.read(), code, agy.returncode, agy.poll()))
tell(told)
"""

CHECKED = """
told = []
for prompt in ("exit 7", "die 9"):
    try:
        subprocess.run(["agy", "-p", prompt], stdout=PIPE, check=True)
    except subprocess.CalledProcessError as failed:
        told.append((failed.returncode, failed.stdout))
tell(told)
"""

SIGNALLED = """
told = []
for number in {numbers!r}:
    agy = Popen(["agy", "-p", "{prompt}"], stdout=PIPE)
    first = agy.stdout.readline()
    agy.send_signal(number)
    told.append((first, agy.stdout.read(), agy.wait()))
tell(told)
"""

LIMITED = """
try:
    subprocess.run(["agy", "-p", "{prompt}"], stdout=PIPE, timeout=0.5)
    tell("it ended by itself")
except subprocess.TimeoutExpired:
    tell("too late")
"""

OUTSIDE = """
agy = Popen(["agy", "-p", "wait"], stdout=PIPE)
first = agy.stdout.readline()
{killed}
tell((first, agy.stdout.read(), agy.wait()))
"""

DEFAULT_INTERRUPT = "import signal; signal.signal(signal.SIGINT, signal.SIG_DFL)\nimport os, signal"
"""The target is python, which turns an interrupt into an exception unless told otherwise."""


def ends(*prompts: str) -> str:
    return ENDS.replace("{prompts!r}", repr(prompts))


def signalled(*numbers: int, prompt: str = "wait") -> str:
    return SIGNALLED.replace("{numbers!r}", repr(tuple(map(int, numbers)))).replace("{prompt}", prompt)


def limited(prompt: str) -> str:
    return LIMITED.replace("{prompt}", prompt)


def test_a_code_is_the_same_code_and_a_signal_the_same_signal(bed: Bed) -> None:
    expected = {"exit 7": 7, "exit 255": 255, "exit 137": 137, "die 9": -9, "die 15": -15, "die 11": -11}

    ways = bed.three_ways(ends(*expected))

    assert ways == all_ways([(b"before\n", status, status, status) for status in expected.values()])
    kept = [each.response.exit for each in bed.interactions]
    assert [each.code if each.signal is None else -each.signal for each in kept] == list(expected.values())


def test_check_raises_for_a_code_and_for_a_signal(bed: Bed) -> None:
    assert bed.three_ways(CHECKED) == all_ways([(7, b"before\n"), (-9, b"before\n")])


def test_a_signal_that_the_client_sends_ends_the_call_by_that_signal(bed: Bed) -> None:
    bed.real.write_text(bed.real.read_text().replace("import os, signal", DEFAULT_INTERRUPT, 1))
    numbers = (signal.SIGTERM, signal.SIGINT, signal.SIGHUP)

    ways = bed.three_ways(signalled(*numbers))

    assert ways == all_ways([(b"ready\n", b"", -number) for number in numbers])


def test_a_call_that_the_client_kills_is_killed_in_replay_too(bed: Bed) -> None:
    client = signalled(signal.SIGKILL)

    told = [bed.direct(client).told, bed.record(client).told, bed.replay(client).told]

    assert told == [[(b"ready\n", b"", -9)]] * 3


def test_a_call_that_somebody_else_kills_ends_in_replay_by_itself(bed: Bed) -> None:
    bed.record(OUTSIDE.replace("{killed}", "agy.kill()"))

    assert bed.replay(OUTSIDE.replace("{killed}", "")).told == (b"ready\n", b"", -9)


def test_a_signal_ends_a_replay_that_was_recorded_without_one(bed: Bed) -> None:
    bed.record(ends("exit 0"))
    bed.retime("0o7 3600000x 0c")
    numbers = (signal.SIGTERM, signal.SIGINT, signal.SIGKILL)

    told = bed.replay(signalled(*numbers, prompt="exit 0"), "--allow-repeats").told

    assert told == [(b"before\n", b"", -number) for number in numbers]


def test_a_slow_call_runs_into_the_clients_timeout_in_replay_too(bed: Bed) -> None:
    bed.record(ends("exit 0"))
    bed.retime("0o7 3600000x 0c")

    assert bed.replay(limited("exit 0")).told == "too late"


def test_a_call_that_ran_into_the_clients_timeout_does_so_in_replay_at_any_speed(bed: Bed) -> None:
    client = limited("wait")

    told = [bed.direct(client), bed.record(client), bed.replay(client, "--speed", "max")]

    assert [each.told for each in told] == ["too late"] * 3


def test_a_run_ends_as_the_failing_call_that_it_wraps(bed: Bed) -> None:
    words = ("--", "agy", "-p", "exit 7")
    record = bed.agy_proxy("record", bed.cassette, "--real", bed.real, "--home", "temp", *words)
    recorded = bed.run(record, raw=True)
    replayed = bed.run(bed.agy_proxy("replay", bed.cassette, *words), raw=True)

    assert (recorded.told, recorded.status) == (replayed.told, replayed.status) == (b"before\n", 7)
